// @ts-check
/** A reader's own decomposition: files in, a report out. */

import { el, describeError } from '../../shell/dom.js';
import { acceptDroppedFiles } from '../../shell/file-drop.js';
import { isSingleFile, isPageShown } from '../../shell/views.js';
import { formatInteger } from '../../shell/basic-format.js';
import { FilesClient } from './files-client.js';
import { createFileChooser, createRunControls } from './page-elements.js';
import { ExampleEvaluation } from './example.js';
import { UserFiles } from './file-list.js';
import { FilesLink } from './link-status.js';
import { ReleaseComparison } from './release.js';
import { ReportSection } from './report.js';
import { createActivationsSource } from './request.js';
import { ScoringRun } from './run.js';
import { createSettings } from './settings.js';

/** Most files of dropped folders. */
const FILES_MAX = 1_000;

/** Files that were dropped, all of them. @param {Promise<[string, File][]>} dropped */
async function checkFileCount(dropped) {
  const found = await dropped;
  // Some of a folder's activations would be scored for all.
  if (found.length > FILES_MAX)
    throw new Error(`there are more than ${formatInteger(FILES_MAX)} files; allowed: at most so many`);
  return found;
}

/** What becomes of the files, and what they are for where the page has not said it. @param {string | undefined} title */
const createIntroduction = (title) =>
  el(
    'p',
    {},
    title ? '' : 'Score a dictionary or a sparse autoencoder of your own by the same measures. ',
    el('b', {}, 'Your files never leave this page.'),
  );

/**
 * Takes files in: those that are chosen, dropped anywhere, or the example's.
 *
 * @param {object} parts
 * @param {HTMLElement} parts.container
 * @param {ReturnType<typeof createFileChooser>} parts.chooser
 * @param {UserFiles} parts.files
 * @param {HTMLElement} parts.said
 * @param {(work: () => Promise<void>) => void} parts.later
 * @param {(text: string) => void} parts.announce
 * @param {() => boolean} parts.busy
 * @param {ExampleEvaluation} parts.example
 * @param {() => void} parts.start scores what is there
 */
function createFileIntake({ container, chooser, files, said, later, announce, busy, example, start }) {
  /** @param {string} text */
  function say(text) {
    said.textContent = text;
    if (text) announce(text);
  }

  /** Takes files in, when those before are. @param {[string, File][] | Promise<[string, File][]>} more */
  const take = (more) =>
    later(async () => {
      try {
        await example.dismiss();
        say(await files.addFiles(await more));
      } catch (error) {
        say(`What was dropped could not be read: ${describeError(error)}`);
      }
    });

  acceptDroppedFiles(
    (dropped) => {
      take(checkFileCount(dropped));
      container.scrollIntoView({ block: 'nearest' });
    },
    // In one file, pages with a place of their own for files take what is dropped on them.
    () => busy() || (isSingleFile() && ['fade', 'ce-bench', 'mui'].some(isPageShown)),
    FILES_MAX + 1,
  );
  example.bindButtons(chooser, later, announce);
  /** Takes what somebody has made, in the place of what is there. @param {[string, File][]} made */
  function replace(made) {
    if (busy()) {
      say('Something else is being scored: wait for its end, or cancel it.');
      return false;
    }
    files.clearRoles();
    take(made);
    return true;
  }

  /** Scores it besides. @param {[string, File][]} made */
  function score(made) {
    if (replace(made)) later(async () => start());
  }
  return { say, take, replace, score };
}

/**
 * Builds it in a place of any page.
 *
 * @param {object} parts
 * @param {HTMLElement} parts.container
 * @param {string} [parts.title] its words, where the page has said what it is for
 * @param {Lab} parts.core
 * @param {() => Weights} parts.weights of the page, at the moment
 * @param {(program: string, file: string, words: string) => void} parts.script shows a program
 * @param {(text: string) => void} parts.announce
 * @param {string | null} parts.linked the files that a link is of; null: of none
 * @param {() => void} parts.onChange the link is another one
 */
export function createUserEvaluation({ container, title, core, weights, script, announce, linked, onChange }) {
  const client = new FilesClient();
  /** Files are taken in one after the other. @type {Promise<unknown>} */
  let queue = Promise.resolve();
  const later = (/** @type {() => Promise<void>} */ work) => void (queue = queue.then(work, work));

  const chooser = createFileChooser((picked) => take(picked));
  const controls = createRunControls(
    () => !release.running && run.start(),
    () => client.cancel(),
  );
  const said = el('p', { class: 'help', id: 'own-said' });
  const report = new ReportSection({ core, script, announce, scoring: () => ({ weights: weights(), axes: settings.axes() }) });
  const files = new UserFiles({ core, client, announce, onChange: () => changed() });
  files.fallback = chooser.chooseFiles;
  const settings = createSettings({
    core,
    onAxes() {
      report.rescore();
      replan();
      link.updateLink();
    },
    onChange: () => replan(),
  });
  const link = new FilesLink({ core, settings, announce, onChange });
  const example = new ExampleEvaluation(() => ({ client, files, settings, report, run, say }));
  const around = controls.around(files.element, settings.element);
  const run = new ScoringRun({
    ...{ client, files, settings, controls, report, weights, announce, later },
    onRunning(on) {
      controls.setRunning(on);
      setBusy(on);
      release.setBusy(on);
    },
    onFound(found, program) {
      report.show(found, program);
      if (!example.unasked) link.setReport(found, !!files.choiceForRole('dictionary') && !files.choiceForRole('codes'));
    },
  });
  const release = new ReleaseComparison({
    ...{ core, client, files, settings, weights, announce },
    busy: () => run.running,
    onRunning(on) {
      setBusy(on);
      controls.start.disabled = on;
      if (!on) run.plan();
    },
  });
  container.append(
    el('h2', { id: 'own-title' }, title ?? 'Your own decomposition'),
    createIntroduction(title),
    ...[chooser.element, link.element, said, release.element, around, report.element],
  );

  /** Files are others than before. */
  function changed() {
    replan();
    later(() => release.findAutoencoders());
  }

  function replan() {
    around.hidden = files.isEmpty || example.unasked;
    release.checkOutdated();
    run.plan();
  }

  /** Nothing is changed while something is computed. @param {boolean} on */
  function setBusy(on) {
    container.dataset.state = on ? 'running' : 'idle';
    settings.element.disabled = on;
    chooser.setBusy(on);
    files.setBusy(on);
  }

  const busy = () => (run.running && !example.unasked) || release.running;
  const { say, take, replace, score } = createFileIntake({
    ...{ container, chooser, files, said, later, announce, busy, example },
    start: () => run.start(),
  });

  link.openLink(linked);
  return {
    /** Shows the example, so that there is something to see, until files come; not where a link is of others, or some are there. */
    begin: () => later(() => example.showInitially(link.text)),
    /** Takes what a link says. @param {string | null} text */
    choose(text) {
      if (link.openLink(text)) report.rescore();
    },
    /** What a link says of the files; null: nothing. */
    text: () => link.text,
    /** Scores what is there anew: the page's weights are others. */
    weigh: () => [report, release].forEach((one) => one.rescore()),
    redraw: () => [report, release].forEach((one) => one.redraw()),
    /** Takes files in, as if they had been dropped: others' outputs. @param {[string, File][]} more */
    take,
    /** Takes what somebody has made, in the place of what is there. */
    replace,
    /** Scores it besides. */
    score,
    /** What was given, for training. */
    given: createActivationsSource(files, client),
  };
}
