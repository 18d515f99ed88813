// @ts-check
/** The same scores on other draws of the stories: they stream in, one seed after the other, and can be stopped. */

import { createButton, el, describeError, showError, handleSubmit } from '../../shell/dom.js';
import { createField } from '../../shell/fields.js';
import { swapButtons } from '../../shell/button-pair.js';

/** Seeds that are added at once where nobody says otherwise, and at most. */
const SEEDS_DEFAULT = 4;
const SEEDS_MAX = 50;
/** Seeds are unsigned words of 32 bits. */
const SEED_RANGE = 2 ** 32;

/** @param {number} count */
const formatSeedCount = (count) => `${count} more seed${count === 1 ? '' : 's'} of the stories`;

/**
 * @param {import('../../shell/page-setup.js').PageTools} tools
 * @param {object} parts
 * @param {HTMLElement} parts.form empty
 * @param {HTMLElement} parts.status
 * @param {(settings: StudySettings) => Promise<Task>} parts.taskOf scores of every shipped autoencoder
 * @param {() => StudySettings | null} parts.settings of what is shown; null as long as it is not complete
 * @param {(seed: number, subjects: any[]) => void} parts.onSeed
 */
export function createSeedsForm({ pool, announce }, { form, status, taskOf, settings, onSeed }) {
  const more = createField({
    ...{ kind: 'number', id: 'ce-bench-more', label: 'More seeds' },
    attributes: { min: 1, max: SEEDS_MAX, step: 1, value: SEEDS_DEFAULT },
  });
  const start = el('button', { type: 'submit', id: 'ce-bench-seeds-start' }, 'Score more seeds');
  const stop = createButton('Stop', { id: 'ce-bench-seeds-stop', hidden: true }, () => running?.abort('stopped'));
  form.append(more.element, el('span', { class: 'families-go' }, start, stop));
  /** What there is, by seed: of one number of pairs. @type {Map<number, any[]>} */
  let found = new Map();
  /** @type {AbortController | null} */
  let running = null;

  /** @param {string} text @param {boolean} [aloud] */
  function say(text, aloud = true) {
    status.textContent = text;
    if (aloud) announce(text);
  }
  const none = 'One seed so far: points have no bars.';
  status.textContent = none;

  /** Scores seeds that are not there yet. @param {StudySettings} of @param {number} count @param {AbortSignal} signal */
  async function scoreSeeds(of, count, signal) {
    let seed = Number(of.seed);
    for (let done = 0; done < count; done += 1) {
      do seed = (seed + 1) % SEED_RANGE;
      while (found.has(seed));
      say(`${formatSeedCount(found.size)} so far; scoring ${done + 1} of ${count} …`, false);
      const task = await taskOf({ ...of, seed });
      const subjects = await pool.submit(task, { signal });
      found.set(seed, subjects);
      onSeed(seed, subjects);
    }
  }

  async function startScoring() {
    const of = settings();
    if (running || !of) return;
    const count = more.value();
    const refused = !(Number.isInteger(count) && count >= 1 && count <= SEEDS_MAX);
    showError(more.error, refused ? `Allowed: 1 to ${SEEDS_MAX}, whole.` : '', more.inputs);
    if (refused) return;
    const { signal } = (running = new AbortController());
    swapButtons(start, stop, true);
    try {
      await scoreSeeds(of, count, signal);
      say(`Bars are over ${1 + found.size} seeds.`);
    } catch (thrown) {
      if (signal.reason === 'others') return;
      const far = found.size > 0 ? `bars are over ${1 + found.size} seeds` : 'no seed was added';
      if (signal.aborted) say(`Stopped: ${far}.`);
      else say(`Broke off (${describeError(thrown)}): ${far}. The button tries again.`);
    } finally {
      if (running?.signal === signal) {
        running = null;
        swapButtons(start, stop, false);
      }
    }
  }
  handleSubmit(form, startScoring);

  return {
    /** Other stories are asked for: what there is no longer belongs to them. */
    clear() {
      running?.abort('others');
      running = null;
      swapButtons(start, stop, false);
      found = new Map();
      status.textContent = none;
    },
    /** What there is. */
    all: () => [...found],
  };
}
