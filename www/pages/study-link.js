// @ts-check
/**
 * The address of a study's page: its settings, what is opened on it, a view. What Share copies also carries
 * a digest of the results, and whoever opens that is told whether this machine finds the same.
 */

import { createAddress } from '../study/page-address.js';
import { el, requireElement } from '../shell/dom.js';

/**
 * @param {import('../shell/page-setup.js').PageTools} tools
 * @param {object} parts
 * @param {PageStudy} parts.study also the name of its page
 * @param {HTMLElement} parts.view
 * @param {() => { settings: StudySettings, open: number, view?: string }} parts.state of the page; `settings`:
 *   what is shown or on its way
 * @param {() => string | null} parts.digest of the results that are shown; null as long as some are missing
 * @param {readonly string[]} parts.groups what each group of the digest is of, in words
 * @param {(page: StudyPage) => void} parts.apply shows what a link says, from now on
 */
export function createStudyLink({ core, announce }, { study, view, state, digest, groups, apply }) {
  /** What the link that was opened claims, and of which settings. @type {{ digest: string, of: string } | null} */
  let claim = null;
  const proof = el('p', { class: 'link-proof', id: `${study}-link-proof`, hidden: true });
  requireElement('.link-changes', view).after(proof);

  /** @param {StudySettings} settings */
  const keyOf = (settings) => core.study_print(study, settings, 0);
  /** @param {string | null} [proven] */
  function print(proven) {
    const { settings, open, view: chosen } = state();
    return core.study_print(study, settings, open, chosen, proven ?? undefined);
  }

  const address = createAddress({
    name: study,
    view,
    announce,
    print: () => print(),
    shared: () => print(digest()),
    proven: () => digest() !== null,
    follow(query) {
      const page = core.study_read(study, query);
      claim = page.digest ? { digest: page.digest, of: keyOf(page.settings) } : null;
      proof.hidden = true;
      apply(page);
      return page.changes;
    },
  });

  /** A claim is of the settings that it came with. */
  function dropOldClaim() {
    if (claim && claim.of === keyOf(state().settings)) return;
    claim = null;
    proof.hidden = true;
  }

  return {
    /** Shows what the address says. */
    open: address.open,
    /** The address is to follow what has changed. */
    remember() {
      dropOldClaim();
      address.remember();
    },
    /** The results are there: does a link that was opened keep its word? */
    check() {
      dropOldClaim();
      address.renew();
      const found = digest();
      if (!claim || found === null) return;
      const [claimed, here] = [claim.digest.split('-'), found.split('-')];
      // What only one of the two has was not done in the other.
      const both = groups.filter((_, group) => claimed[group] && here[group]);
      const undone = groups.filter((_, group) => claimed[group] && !here[group]);
      const other = both.filter((name) => claimed[groups.indexOf(name)] !== here[groups.indexOf(name)]);
      const equal = other.length === 0;
      const rest = undone.length > 0 ? ` Not done here yet: ${undone.join(' and ')}.` : '';
      const sentence = equal
        ? `This machine finds what the link says, to the last bit (digest ${found}).${rest}`
        : `This machine finds something else than the link says: ${other.join(' and ')} ${other.length === 1 ? 'differs' : 'differ'} (digest ${found} here, ${claim.digest} in the link).`;
      proof.hidden = false;
      proof.className = `link-proof ${equal ? 'agrees' : 'differs'}`;
      proof.textContent = `${equal ? '✓' : '✗'} ${sentence}`;
      announce(sentence);
    },
  };
}
