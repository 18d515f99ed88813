// @ts-check
/** What readers bring: results that CE-Bench's program left, and activations of their own story pairs. */

import { el, reason, setScrolling } from '../../shell/dom.js';
import { filesOf } from '../../shell/dropped.js';
import { buildTable } from '../../shell/tables.js';

/** @typedef {import('../../types/core.d.ts').CeBenchResultsReport} Results */
/** @typedef {import('../../types/core.d.ts').CeBenchOwnReport} Own */
/** @typedef {import('../../types/core.d.ts').GivenRow} GivenRow */

/** Most files of a folder that are looked at: the published results are some hundreds. */
const MOST = 5_000;

/** @param {number | null | undefined} value */
const three = (value) => (value === null || value === undefined ? '–' : value.toFixed(3));
/** @param {number | null | undefined} value */
const whole = (value) => (value === null || value === undefined ? '–' : String(value));
/** @param {boolean | null} value */
const yes = (value) => (value === null ? '–' : value ? 'yes' : 'no');

/**
 * A table that scrolls within itself.
 *
 * @param {string} name @param {[title: string, align: 'left' | 'right'][]} columns @param {string[][]} rows
 */
function table(name, columns, rows) {
  const data = {
    columns: columns.map(([title, align]) => ({ title, align })),
    rows: rows.map((row) => row.map((text) => ({ text }))),
  };
  const element = el('div', { class: 'ce-table' }, buildTable(/** @type {DataTable} */ (data), name));
  setScrolling(element, name);
  return element;
}

/** What was not read, and why; what else a reader must know. @param {readonly GivenRow[]} files @param {readonly string[]} notes */
function remarks(files, notes) {
  const refused = files.flatMap(({ file, refused: why }) => (why ? [`${file}: ${why.message}`] : []));
  const all = [...refused.map((text) => el('li', { class: 'error' }, text)), ...notes.map((text) => el('li', {}, text))];
  return all.length > 0 ? [el('ul', { class: 'ce-notes' }, ...all)] : [];
}

/** @param {Results} report */
function resultsOf({ rows, claim, files, notes }) {
  const { files: all, holds, above_both: above } = claim;
  const range =
    claim.least === null || claim.greatest === null
      ? ''
      : ` It differs from that sum by ${three(claim.greatest)} to ${three(claim.least)}.`;
  const beyond = claim.above_bound > 0 ? ` In ${claim.above_bound} a score is above what its width allows.` : '';
  const claimed = `The sum holds in ${holds} of ${all} file${all === 1 ? '' : 's'}: there interpretability is contrastive plus independence. In ${above} it is above the larger of the two.${range}${beyond}`;
  return [
    el('p', { class: 'ce-claim' }, claimed),
    ...remarks(files, notes),
    table(
      'Results, the largest share of their bound first',
      [
        ['rank', 'right'],
        ['autoencoder', 'left'],
        ['latents', 'right'],
        ['pairs', 'right'],
        ['contrastive', 'right'],
        ['independence', 'right'],
        ['interpretability', 'right'],
        ['sum of the two', 'right'],
        ['sum holds', 'left'],
        ['bound', 'right'],
        ['interpretability ÷ bound', 'right'],
      ],
      rows.map((row) => [
        whole(row.rank),
        row.sae,
        whole(row.latents),
        whole(row.pairs),
        three(row.contrastive),
        three(row.independence),
        three(row.interpretability),
        three(row.sum),
        yes(row.sum_holds),
        three(row.bound),
        three(row.interpretability_share),
      ]),
    ),
  ];
}

/** @param {Own} report */
function ownOf({ readings, pairs, files, notes, latents }) {
  const scored = pairs.length === 1 ? '1 pair' : `${pairs.length} pairs`;
  return [
    el('p', { class: 'ce-claim' }, `${scored} of ${latents} latents, in every reading that the files allow.`),
    ...remarks(files, notes),
    table(
      'Your scores, means over the pairs',
      [
        ['reading', 'left'],
        ['pairs', 'right'],
        ['contrastive', 'right'],
        ['independence', 'right'],
        ['interpretability', 'right'],
        ['bound', 'right'],
        ['interpretability ÷ bound', 'right'],
        ['', 'left'],
      ],
      readings.map((row) => [
        row.reading,
        whole(row.pairs),
        three(row.contrastive),
        three(row.independence),
        three(row.interpretability),
        three(row.bound),
        three(row.interpretability_share),
        row.why ?? '',
      ]),
    ),
    table(
      'Every pair of yours',
      [
        ['pair', 'left'],
        ['subject', 'left'],
        ['tokens', 'right'],
        ['marked', 'right'],
        ['reading', 'left'],
        ['contrastive', 'right'],
        ['independence', 'right'],
        ['interpretability', 'right'],
        ['winning latent', 'right'],
      ],
      pairs.flatMap((pair) =>
        pair.scores.map((of) => [
          pair.pair || '1',
          pair.subject ?? '–',
          pair.tokens.join(' + '),
          pair.marked ? pair.marked.join(' + ') : '–',
          of.reading,
          three(of.contrastive),
          three(of.independence),
          three(of.interpretability),
          String(of.contrastive_latent),
        ]),
      ),
    ),
  ];
}

/** A file's name with its folders. @param {File} file @returns {[string, File]} */
const named = (file) => [file.webkitRelativePath || file.name, file];

/**
 * A place to drop files on, with buttons that choose them.
 *
 * @param {object} parts
 * @param {string} parts.id
 * @param {string} parts.words
 * @param {string} parts.accept
 * @param {(files: [string, File][]) => void} parts.take
 */
function createDrop({ id, words, accept, take }) {
  const files = el('input', { type: 'file', id: `${id}-files`, multiple: true, accept, class: 'visually-hidden', tabindex: '-1', 'aria-hidden': 'true' });
  const folder = el('input', { type: 'file', id: `${id}-folder`, webkitdirectory: true, class: 'visually-hidden', tabindex: '-1', 'aria-hidden': 'true' });
  const choose = el('button', { type: 'button' }, 'Choose files');
  const browse = el('button', { type: 'button' }, 'Choose a folder');
  const place = el(
    'div',
    { class: 'own-drop', id },
    el('p', {}, words),
    el('p', { class: 'families-go' }, choose, browse),
    files,
    folder,
  );
  for (const [button, input] of /** @type {const} */ ([[choose, files], [browse, folder]])) {
    button.addEventListener('click', () => input.click());
    input.addEventListener('change', () => {
      const found = [...(input.files ?? [])].map(named);
      input.value = '';
      if (found.length > 0) take(found);
    });
  }
  for (const type of /** @type {const} */ (['dragenter', 'dragover', 'dragleave', 'drop']))
    place.addEventListener(type, (event) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      // Another page of the same document takes what is dropped anywhere else.
      event.stopPropagation();
      event.preventDefault();
      place.classList.toggle('over', type === 'dragenter' || type === 'dragover');
      if (type === 'drop') filesOf(event.dataTransfer, MOST).then(take);
    });
  return place;
}

/**
 * Files in, a report out: one place on the page.
 *
 * @template Report
 * @param {object} parts
 * @param {HTMLElement} parts.place empty
 * @param {string} parts.id
 * @param {string} parts.words
 * @param {RegExp} parts.wanted names of files that are looked at
 * @param {string} parts.accept
 * @param {'ce_results' | 'ce_own'} parts.call
 * @param {(report: Report) => HTMLElement[]} parts.show
 * @param {import('../../workers/pool.js').Pool} parts.pool
 * @param {(text: string) => void} parts.announce
 */
function createGiven({ place, id, words, wanted, accept, call, show, pool, announce }) {
  const status = el('p', { class: 'ensemble-status', id: `${id}-status` }, 'Nothing was given yet.');
  const cancel = el('button', { type: 'button', class: 'quiet', hidden: true }, 'Cancel');
  const result = el('div', { id: `${id}-result` });
  /** @type {AbortController | null} */
  let running = null;

  /** @param {string} text */
  function say(text) {
    status.replaceChildren(text, ' ', cancel);
    announce(text);
  }
  cancel.addEventListener('click', () => running?.abort());

  /** @param {[string, File][]} all */
  async function take(all) {
    running?.abort();
    const { signal } = (running = new AbortController());
    const chosen = all.filter(([name]) => wanted.test(name));
    cancel.hidden = false;
    say(`Reading ${chosen.length} file${chosen.length === 1 ? '' : 's'} …`);
    try {
      if (chosen.length === 0) throw new Error(`none of ${all.length} files is one of ${accept}`);
      const files = await Promise.all(
        chosen.map(async ([name, file]) => ({ name, bytes: new Uint8Array(await file.arrayBuffer()) })),
      );
      const report = await pool.submit({ kind: 'study-given', call, files }, { signal, priority: 1 });
      cancel.hidden = true;
      result.replaceChildren(...show(report));
      say(`${chosen.length} file${chosen.length === 1 ? '' : 's'} read.`);
    } catch (error) {
      if (running?.signal !== signal) return;
      cancel.hidden = true;
      say(signal.aborted ? 'Cancelled.' : `Not possible: ${reason(error)}`);
    }
  }
  place.append(createDrop({ id, words, accept, take }), status, result);
}

/**
 * @param {object} parts
 * @param {HTMLElement} parts.leaderboard empty
 * @param {HTMLElement} parts.own empty
 * @param {import('../../workers/pool.js').Pool} parts.pool
 * @param {(text: string) => void} parts.announce
 */
export function createGivenPlaces({ leaderboard, own, pool, announce }) {
  createGiven({
    place: leaderboard,
    id: 'ce-bench-results-drop',
    words: 'Drop results.json files, or the folder interpretability_eval: they stay in this page.',
    wanted: /\.json$/i,
    accept: '.json',
    call: 'ce_results',
    show: resultsOf,
    pool,
    announce,
  });
  createGiven({
    place: own,
    id: 'ce-bench-own-drop',
    words: 'Drop activations of your story pairs, with marks or stories: they stay in this page.',
    wanted: /\.(npy|npz|safetensors|csv|jsonl?)$/i,
    accept: '.npy,.npz,.safetensors,.csv,.json,.jsonl',
    call: 'ce_own',
    show: ownOf,
    pool,
    announce,
  });
}
