// @ts-check
/** A reader's own decomposition: files in, a report out. */

import { el, reason } from '../../shell/dom.js';
import { takeDropped } from '../../shell/dropped.js';
import { save } from '../../shell/save.js';
import { inOneFile, isShown } from '../../shell/views.js';
import { OwnClient } from './client.js';
import { createChooser, createRunControls } from './controls.js';
import { FileList } from './files.js';
import { Linked } from './linked.js';
import { Release } from './release.js';
import { Report } from './report.js';
import { activationsOf } from './request.js';
import { Run } from './run.js';
import { createSettings } from './settings.js';
import { count } from './words.js';

/** Most files of dropped folders. */
const FILES_MAX = 1_000;

/** Files that were dropped, all of them. @param {Promise<[string, File][]>} dropped */
async function whole(dropped) {
  const found = await dropped;
  // Some of a folder's activations would be scored for all.
  if (found.length > FILES_MAX)
    throw new Error(`there are more than ${count(FILES_MAX)} files; allowed: at most so many`);
  return found;
}

/** What becomes of the files, and what they are for where the page has not said it. @param {string | undefined} title */
const introduction = (title) =>
  el(
    'p',
    {},
    title ? '' : 'Score a dictionary or a sparse autoencoder of your own by the same measures. ',
    el('b', {}, 'Your files never leave this page.'),
  );

/**
 * Offers the example: to be scored here, or kept.
 *
 * @param {object} parts
 * @param {ReturnType<typeof createChooser>} parts.chooser
 * @param {OwnClient} parts.client
 * @param {(made: Awaited<ReturnType<OwnClient['example']>>) => Promise<void>} parts.take in the place of what is there
 * @param {(work: () => Promise<void>) => void} parts.later when the files before are taken in
 * @param {(text: string) => void} parts.say
 * @param {(text: string) => void} parts.announce
 */
function offerExample({ chooser, client, take, later, say, announce }) {
  chooser.example.addEventListener('click', () =>
    later(async () => {
      try {
        say('Making an example …');
        await take(await client.example());
        chooser.keepExample.hidden = false;
      } catch (error) {
        say(`There is no example: ${reason(error)}`);
      }
    }),
  );
  chooser.keepExample.addEventListener('click', async () => {
    try {
      const { name, bytes } = await client.exampleZip();
      save(name, new Blob([bytes], { type: 'application/zip' }));
      announce(`Saved as ${name}.`);
    } catch (error) {
      say(`The example could not be saved: ${reason(error)}`);
    }
  });
}

/**
 * Takes files in: those that are chosen, dropped anywhere, or the example's.
 *
 * @param {object} parts
 * @param {HTMLElement} parts.container
 * @param {ReturnType<typeof createChooser>} parts.chooser
 * @param {OwnClient} parts.client
 * @param {FileList} parts.files
 * @param {import('./settings.js').Settings} parts.settings
 * @param {HTMLElement} parts.said
 * @param {(work: () => Promise<void>) => void} parts.later
 * @param {(text: string) => void} parts.announce
 * @param {() => boolean} parts.busy
 * @param {() => Promise<void>} parts.makeWay takes an example away that nobody asked for
 * @param {() => void} parts.start scores what is there
 */
function createIntake({ container, chooser, client, files, settings, said, later, announce, busy, makeWay, start }) {
  /** @param {string} text */
  function say(text) {
    said.textContent = text;
    if (text) announce(text);
  }

  /** Takes files in, when those before are. @param {[string, File][] | Promise<[string, File][]>} more */
  const take = (more) =>
    later(async () => {
      try {
        await makeWay();
        say(await files.take(await more));
      } catch (error) {
        say(`What was dropped could not be read: ${reason(error)}`);
      }
    });

  chooser.onPicked(take);
  takeDropped(
    (dropped) => {
      take(whole(dropped));
      container.scrollIntoView({ block: 'nearest' });
    },
    // In one file, pages with a place of their own for files take what is dropped on them.
    () => busy() || (inOneFile() && ['fade', 'ce-bench', 'mui'].some(isShown)),
    FILES_MAX + 1,
  );
  /** Scores the example, whose roles are its own. @param {Awaited<ReturnType<OwnClient['example']>>} made @param {string} words */
  async function scoreExample(made, words) {
    files.forgetRoles();
    settings.chooseGrand();
    await files.take(made.map(({ role, file }) => [file.name, file, role]));
    say(`${words} the paper’s standard network: its activations, 48 singular directions, their codes at λ = 0.85, and the layer that follows.`);
    start();
  }
  offerExample({
    ...{ chooser, client, later, say, announce },
    async take(made) {
      await makeWay();
      await scoreExample(made, 'The example is');
    },
  });
  /** Scores what somebody has made, in the place of what is there. @param {readonly File[]} made */
  function score(made) {
    if (busy()) {
      say('Something else is being scored: wait for its end, or cancel it.');
      return;
    }
    files.forgetRoles();
    take(made.map((file) => [file.name, file]));
    later(async () => start());
  }
  return { take, score, scoreExample };
}

/**
 * Builds it in a place of any page.
 *
 * @param {object} parts
 * @param {HTMLElement} parts.container
 * @param {'h1' | 'h2'} [parts.heading]
 * @param {string} [parts.title] its words, where the page has said what it is for
 * @param {Lab} parts.core
 * @param {() => Weights} parts.weights of the page, at the moment
 * @param {(program: string, file: string, words: string) => void} parts.script shows a program
 * @param {(text: string) => void} parts.announce
 * @param {string | null} parts.linked the files that a link is of; null: of none
 * @param {() => void} parts.onChange the link is another one
 */
export function createOwn({ container, heading = 'h2', title, core, weights, script, announce, linked, onChange }) {
  const client = new OwnClient();
  /** Files are taken in one after the other. @type {Promise<unknown>} */
  let queue = Promise.resolve();
  const later = (/** @type {() => Promise<void>} */ work) => void (queue = queue.then(work, work));

  const chooser = createChooser();
  const controls = createRunControls();
  const said = el('p', { class: 'help', id: 'own-said' });
  const report = new Report({ core, script, announce });
  const files = new FileList({ core, client, announce, onChange: () => replan() });
  files.fallback = chooser.chooseFiles;
  const settings = createSettings({
    core,
    onAxes() {
      report.rescore({ axes: settings.axes() });
      replan();
      link.rename();
    },
    onChange: () => replan(),
  });
  const link = new Linked({ core, settings, announce, onChange });
  /** Whether what is shown is the example that nobody asked for: it makes way for the reader's files, and no link is of it. */
  let unasked = false;
  /** Until it is scored, or was ended. @type {Promise<unknown>} */
  let scored = Promise.resolve();
  const around = controls.around(files.element, settings.element);
  const run = new Run({
    ...{ client, files, settings, controls, report, weights, announce, later },
    axes: () => settings.axes(),
    onRunning(on) {
      controls.setRunning(on);
      setBusy(on);
      release.setBusy(on);
    },
    onFound(found, program) {
      report.show(found, program, weights(), settings.axes());
      if (!unasked) link.show(found, !!files.chosen('dictionary') && !files.chosen('codes'));
    },
  });
  const release = new Release({
    ...{ core, client, files, settings, weights, announce },
    busy: () => run.running,
    onRunning(on) {
      setBusy(on);
      controls.start.disabled = on;
      if (!on) run.plan();
    },
  });
  container.append(
    el(heading, { id: 'own-title' }, title ?? 'Your own decomposition'),
    introduction(title),
    ...[chooser.element, link.element, said, release.element, around, report.element],
  );

  function replan() {
    around.hidden = files.empty || unasked;
    run.plan();
    later(() => release.look());
  }

  /** Nothing is changed while something is computed. @param {boolean} on */
  function setBusy(on) {
    container.dataset.state = on ? 'running' : 'idle';
    settings.element.disabled = on;
    chooser.setBusy(on);
    files.setBusy(on);
  }

  /** Takes the example that nobody asked for away. */
  async function makeWay() {
    if (!unasked) return;
    if (run.running) client.end();
    await scored;
    unasked = false;
    files.clear();
    report.clear();
  }

  const busy = () => (run.running && !unasked) || release.running;
  const { take, score, scoreExample } = createIntake({
    ...{ container, chooser, client, files, settings, said, later, announce, busy, makeWay },
    start() {
      scored = run.start();
    },
  });
  controls.start.addEventListener('click', () => {
    if (!release.running) run.start();
  });
  controls.cancel.addEventListener('click', () => client.end());

  link.choose(linked);
  return {
    /** Shows the example, so that there is something to see, until files come; not where a link is of others, or some are there. */
    begin: () =>
      later(async () => {
        if (link.text !== null || !files.empty) return;
        unasked = true;
        await scoreExample(await client.example(), 'Until you drop files, here is an example,');
      }),
    /** Takes what a link says. @param {string | null} text */
    choose(text) {
      if (link.choose(text)) report.rescore({ axes: settings.axes() });
    },
    /** What a link says of the files; null: nothing. */
    text: () => link.text,
    /** Scores what is there anew. @param {Weights} wish */
    weigh(wish) {
      report.rescore({ weights: wish });
      release.rescore(wish);
    },
    redraw: () => [report, release].forEach((one) => one.redraw()),
    /** Takes files in, as if they had been dropped: others' outputs. @param {[string, File][]} more */
    take,
    /** Scores what somebody has made, in the place of what is there. */
    score,
    /** What was given, for training. */
    given: activationsOf(files, client),
  };
}
