// @ts-check
/** The overview of the other metrics: of each one finding and one chart, computed when the reader comes near. */

import { loadAutoencoderFiles, loadToyModelFiles } from '../toy-model/model-files.js';
import { createTransientButton } from '../study/one-time-button.js';
import { ProgressLine } from '../study/progress-line.js';
import { countsSentence, createCountsTable } from '../papers/audit/counts.js';
import { faithfulnessSentence } from '../papers/fade/claim.js';
import { FadeSession } from '../papers/fade/session.js';
import { claimCountsSentence } from '../papers/mui/claims.js';
import { stripFullStop, requireElement, describeError } from '../shell/dom.js';
import { Figures } from '../shell/figures.js';
import { whenNearViewport } from '../shell/near-viewport.js';
import { nextTask } from '../shell/schedule.js';
import { canPrecompute } from '../shell/data-saver.js';
import { isSingleFile } from '../shell/views.js';
import { openAuditFile } from '../workers/audit-file.js';
import { addToReport, createJobs } from '../workers/study-jobs.js';
import { openCoreAndPool, startPage } from './start.js';

/**
 * @typedef {object} Section
 * @property {(view: Exportable, claim: string, below?: Node[]) => void} show
 * @property {(text: string) => void} say how far it is
 */

/**
 * How each is computed.
 *
 * @typedef {{ core: Lab, pool: import('../workers/pool.js').Pool } & Section} Given
 * @type {Record<string, (given: Given) => Promise<void>>}
 */
const STUDY_RUNNERS = {
  fade: ({ core, pool, show, say }) =>
    new Promise((resolve, reject) => {
      const session = new FadeSession({
        core,
        pool,
        onReport: () => session.held && show(session.held.view, session.held.view.headline()),
        onSteered() {
          const { done, all } = session.progress;
          say(`Faithfulness: ${done} of ${all} features.`);
        },
        onStage() {
          const { held, stage, error } = session;
          if (stage === 'failed') reject(error);
          if (stage !== 'done' || !held) return;
          show(held.view, faithfulnessSentence(held.report, core.language()) ?? held.view.headline());
          resolve();
        },
      });
      session.run(session.settings);
    }),
  async 'ce-bench'({ core, pool, show }) {
    const settings = core.study_defaults('ce-bench');
    const given = await loadAutoencoderFiles(core, 'ce-bench', settings.sae);
    const { report } = await pool.submit({ kind: 'study-run', call: 'study_run', args: ['ce-bench', settings], ...given });
    const view = core.Study.open('ce-bench', report);
    show(view, view.summary('ce-definitions'));
  },
  async mui({ core, show }) {
    const counts = claimCountsSentence(core.mui_claims());
    await nextTask();
    const view = core.Study.open('mui', core.study_empty_report('mui', core.study_defaults('mui')));
    await nextTask();
    show(view, `${view.headline()} ${counts}`);
  },
  async measurement({ core, pool, show, say }) {
    const settings = core.study_defaults('measurement');
    const report = core.study_empty_report('measurement', settings);
    const jobs = createJobs(core, 'measurement', settings);
    let done = 0;
    await Promise.all(
      jobs.map(async (job) => {
        addToReport(report, await pool.submit(job.task(await loadToyModelFiles(core, job.needs))));
        done += 1;
        say(done < jobs.length ? `${done} of ${jobs.length} parts are measured.` : '');
      }),
    );
    const view = core.Study.open('measurement', report);
    show(view, view.headline());
  },
  async audit({ core, pool, show }) {
    if (isSingleFile()) throw new Error('the report of ten models is not in this file');
    const response = await fetch(new URL('../audit/full.json.gz', import.meta.url));
    if (!response.ok) throw new Error(`the report of ten models did not arrive (status ${response.status})`);
    const view = (await openAuditFile(core, pool, new Uint8Array(await response.arrayBuffer()))).open();
    const counts = view.audit_counts();
    show(view, counts ? countsSentence(counts) : view.headline(), counts ? createCountsTable(counts) : []);
  },
};

startPage('metrics', async ({ view, announce }) => {
  const { core, pool } = await openCoreAndPool(true);
  /** @type {Figures[]} */
  const all = [];
  for (const section of view.querySelectorAll(/** @type {'section'} */ ('section[data-study]'))) {
    const study = section.dataset.study ?? '';
    const line = new ProgressLine(requireElement('.ensemble-status', section));
    const claim = requireElement('.claim', section);
    /** @type {Exportable | null} */
    let shown = null;
    const figures = new Figures(section.querySelectorAll('figure'), announce, () => shown);
    all.push(figures);
    const place = /** @type {HTMLElement | null} */ (section.querySelector('.counts'));
    const begin = async () => {
      line.setContent('Computing…');
      try {
        await STUDY_RUNNERS[study]?.({
          core,
          pool,
          say: (text) => line.setContent(text),
          show(next, text, below = []) {
            shown = next;
            claim.textContent = text;
            place?.replaceChildren(...below);
            line.setContent();
            figures.show(next);
          },
        });
        section.dataset.state = 'done';
      } catch (error) {
        section.dataset.state = 'failed';
        line.showUnfinished(`Not computed: ${stripFullStop(describeError(error))}. `, begin);
      } finally {
        place?.removeAttribute('data-coming');
      }
    };
    if (canPrecompute()) whenNearViewport(section, begin);
    else {
      place?.removeAttribute('data-coming');
      line.setContent(createTransientButton('Compute this', begin));
    }
  }
  return { redraw: () => all.forEach((figures) => figures.redraw()) };
});
