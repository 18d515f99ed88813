// @ts-check
/** The paper: its settings, runs, reports, figures, links and programs. */

import { plain } from '../given.js';
import { asked, SfcBenchError } from '../refusal.js';
import { figureTable, figureText, weighed } from './views.js';

/** @typedef {import('../../types/sfc-bench.d.ts').Api} Api */

/** @param {Lab} core @param {Draft} draft @returns {Settings} */
function configured(core, draft) {
  const { settings, problems } = core.validate(plain('settings', draft));
  if (settings) return settings;
  throw new SfcBenchError(/** @type {Problem} */ (problems[0]), problems);
}

/** @param {Lab} core @param {Report} report */
const opened = (core, report) => core.Study.open('sfc', plain('report', report));

/**
 * @param {import('./checks.js').Tools} tools
 * @returns {Pick<Api, 'defaults' | 'profiles' | 'limits' | 'figures' | 'validate' | 'configure' | 'run' | 'rescore' | 'compare' | 'digest' | 'checkDigest' | 'figure' | 'table' | 'printLink' | 'parseLink' | 'script'>}
 */
export function createPaperApi({ withCore, open, submit }) {
  return {
    defaults: () => withCore((core) => core.defaults()),
    profiles: () => withCore((core) => core.profiles()),
    limits: () => withCore((core) => core.limits()),
    figures: () => withCore((core) => core.figure_names('sfc')),

    validate: (draft = {}) => withCore((core) => core.validate(plain('settings', draft))),
    configure: (draft = {}) => withCore((core) => configured(core, draft)),

    async run(draft = {}, { onProgress, signal } = {}) {
      signal?.throwIfAborted();
      const core = await open();
      const settings = asked(() => configured(core, draft));
      /** @type {{ report: Report, ms: number }} */
      const done = await submit(
        { kind: 'run', settings },
        { tries: 2, signal, onProgress: (stage, fraction) => onProgress?.(stage, fraction) },
      );
      return asked(() =>
        weighed(opened(core, done.report), undefined, (view) => ({
          report: done.report,
          verdict: view.verdict(),
          digest: view.digest(),
          ms: done.ms,
        })),
      );
    },

    rescore: (report, weights) =>
      withCore((core) => weighed(opened(core, report), weights, (view) => view.rescored())),
    compare: (report) =>
      withCore((core) =>
        weighed(opened(core, report), undefined, (view) => ({
          verdict: view.verdict(),
          cells: view.printed_cells(),
        })),
      ),
    digest: (report) => withCore((core) => weighed(opened(core, report), undefined, (view) => view.digest())),
    checkDigest: (report, digest, made) =>
      withCore((core) =>
        weighed(opened(core, report), undefined, (view) =>
          view.check_digest(String(digest), made === undefined ? undefined : String(made)),
        ),
      ),
    figure: (report, name, options) =>
      withCore((core) => figureText(core, 'sfc', opened(core, report), name, options)),
    table: (report, name, options) =>
      withCore((core) => figureTable(core, 'sfc', opened(core, report), name, options)),

    printLink: (state = {}) => withCore((core) => core.print_state(plain('state', state))),
    parseLink: (query) => withCore((core) => core.parse_state(String(query))),
    script: (draft = {}) => withCore((core) => core.numpy_script(configured(core, draft))),
  };
}
