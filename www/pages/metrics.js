// @ts-check
/** The overview of the other metrics: of each one finding and one chart, computed when the reader comes near. */

import { autoencoderFiles, littleFiles } from '../little/files.js';
import { passingButton } from '../little/passing-button.js';
import { ProgressLine } from '../little/progress-line.js';
import { countsClaim, countsTable } from '../papers/audit/counts.js';
import { faithfulClaim } from '../papers/fade/claim.js';
import { Session } from '../papers/fade/session.js';
import { claimCounts } from '../papers/mui/claims.js';
import { clause, need, reason } from '../shell/dom.js';
import { Figures } from '../shell/figures.js';
import { whenNearViewport } from '../shell/near-viewport.js';
import { nextTask } from '../shell/schedule.js';
import { mayCompute } from '../shell/unasked.js';
import { inOneFile } from '../shell/views.js';
import { openAudit } from '../workers/audit.js';
import { noReport as noMeasurement, partJob } from '../workers/measurement.js';
import { noReport as noTables } from '../workers/mui.js';
import { openBench, startPage } from './start.js';

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
const STUDIES = {
  fade: ({ core, pool, show, say }) =>
    new Promise((resolve, reject) => {
      const session = new Session({
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
          show(held.view, faithfulClaim(held.report, core.language()) ?? held.view.headline());
          resolve();
        },
      });
      session.run(session.settings);
    }),
  async 'ce-bench'({ core, pool, show }) {
    const settings = core.study_defaults('ce-bench');
    const given = await autoencoderFiles(core, 'ce-bench', settings.sae);
    const { report } = await pool.submit({ kind: 'study-run', call: 'study_run', args: ['ce-bench', settings], ...given });
    const view = core.Study.open('ce-bench', report);
    show(view, view.summary('ce-definitions'));
  },
  async mui({ core, show }) {
    const counts = claimCounts(core.mui_claims());
    await nextTask();
    const view = core.Study.open('mui', noTables(core, core.study_defaults('mui')));
    await nextTask();
    show(view, `${view.headline()} ${counts}`);
  },
  async measurement({ core, pool, show, say }) {
    const settings = core.study_defaults('measurement');
    const report = noMeasurement(core, settings);
    const jobs = core.measure_parts(settings).map((name) => partJob(core, settings, name));
    let done = 0;
    await Promise.all(
      jobs.map(async (job) => {
        job.take(report, await pool.submit(job.task(await littleFiles(core, job.needs))));
        done += 1;
        say(done < jobs.length ? `${done} of ${jobs.length} parts are measured.` : '');
      }),
    );
    const view = core.Study.open('measurement', report);
    show(view, view.headline());
  },
  async audit({ core, pool, show }) {
    if (inOneFile()) throw new Error('the report of ten models is not in this file');
    const response = await fetch(new URL('../audit/full.json.gz', import.meta.url));
    if (!response.ok) throw new Error(`the report of ten models did not arrive (status ${response.status})`);
    const view = (await openAudit(core, pool, new Uint8Array(await response.arrayBuffer()))).open();
    const counts = view.audit_counts();
    show(view, counts ? countsClaim(counts) : view.headline(), counts ? countsTable(counts) : []);
  },
};

startPage('metrics', async ({ view, announce }) => {
  const { core, pool } = await openBench(true);
  /** @type {Figures[]} */
  const all = [];
  for (const section of view.querySelectorAll(/** @type {'section'} */ ('section[data-study]'))) {
    const study = section.dataset.study ?? '';
    const line = new ProgressLine(need('.ensemble-status', section));
    const claim = need('.claim', section);
    /** @type {Exportable | null} */
    let shown = null;
    const figures = new Figures(section.querySelectorAll('figure'), announce, () => shown);
    all.push(figures);
    const place = /** @type {HTMLElement | null} */ (section.querySelector('.counts'));
    const begin = async () => {
      line.say('Computing…');
      try {
        await STUDIES[study]?.({
          core,
          pool,
          say: (text) => line.say(text),
          show(next, text, below = []) {
            shown = next;
            claim.textContent = text;
            place?.replaceChildren(...below);
            line.say();
            figures.show(next);
          },
        });
        section.dataset.state = 'done';
      } catch (error) {
        section.dataset.state = 'failed';
        line.unfinished(`Not computed: ${clause(reason(error))}. `, begin);
      } finally {
        place?.removeAttribute('data-coming');
      }
    };
    if (mayCompute()) whenNearViewport(section, begin);
    else {
      place?.removeAttribute('data-coming');
      line.say(passingButton('Compute this', begin));
    }
  }
  return { redraw: () => all.forEach((figures) => figures.redraw()) };
});
