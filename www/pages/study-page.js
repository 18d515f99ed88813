// @ts-check
/** What the pages of studies have in common: the core, a link that follows, and a program that checks. */

import { requireElement } from '../shell/dom.js';
import { openCoreAndPool, startPage } from './start.js';
import { createStudyLink } from './study-link.js';
import { createStudyScript } from './study-script.js';

/** @typedef {import('../study/page-base.js').Parts} Given */

/**
 * @typedef {object} Follows
 * @property {(page: StudyPage) => LinkChange[] | void} followLink shows what a link says; gives what of it could not be followed
 *
 * @typedef {import('../study/page-base.js').StudyPageBase<any> & Follows} Built
 */

/**
 * Opens the page of a study.
 *
 * @param {object} parts
 * @param {PageStudy} parts.study also the name of its page
 * @param {(given: Given) => Built} parts.build
 * @param {readonly string[]} parts.groups what each group of the digest is of, in words
 * @param {boolean} [parts.warm] whether there is work for a worker as soon as it is there
 * @param {{ place: string, words: string }} [parts.script] where its program stands, and what is said beside it
 */
export function startStudyPage({ study, build, groups, warm = false, script }) {
  startPage(study, async ({ view, announce }) => {
    const tools = { ...(await openCoreAndPool(warm)), announce };
    const built = build({ ...tools, view, onState: () => link.remember(), onComplete: () => link.check() });
    const link = createStudyLink(tools, {
      ...{ study, view, groups },
      state: () => built.state,
      digest: () => built.digest,
      apply(page) {
        page.changes.push(...(built.followLink(page) ?? []));
      },
    });
    if (script) {
      /** @typedef {ReturnType<Parameters<typeof createStudyScript>[1]['view']>} Scripted */
      const shown = () => /** @type {Scripted} */ (built.shownView);
      createStudyScript(tools, { place: requireElement(script.place, view), view: shown, words: script.words });
    }
    link.open();
    return { redraw: () => built.redraw(), shown: link.remember };
  });
}
