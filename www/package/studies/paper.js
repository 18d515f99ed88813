// @ts-check
/** The paper: its settings, runs, reports, figures, links and programs. */

import { clonePlain } from '../arguments.js';
import { callCore } from '../refusal.js';
import { requireSettings } from './checks.js';
import { createViews } from './views.js';

/** @param {Lab} core @param {Draft} draft @returns {Settings} */
const configureRun = (core, draft) => requireSettings(core.validate(clonePlain('settings', draft)));

/**
 * @param {import('./checks.js').Tools} tools
 * @returns {Pick<Api, 'defaults' | 'profiles' | 'limits' | 'figures' | 'validate' | 'configure' | 'run' | 'rescore' | 'compare' | 'digest' | 'checkDigest' | 'figure' | 'table' | 'printLink' | 'parseLink' | 'script'>}
 */
export function createPaperApi(tools) {
  const { withCore, open, submit } = tools;
  const { withView, figure, table } = createViews(tools, 'sfc', (core, report) =>
    core.Study.open('sfc', clonePlain('report', report)),
  );

  return {
    defaults: () => withCore((core) => core.defaults()),
    profiles: () => withCore((core) => core.profiles()),
    limits: () => withCore((core) => core.limits()),
    figures: () => withCore((core) => core.figure_names('sfc')),

    validate: (draft = {}) => withCore((core) => core.validate(clonePlain('settings', draft))),
    configure: (draft = {}) => withCore((core) => configureRun(core, draft)),

    async run(draft = {}, { onProgress, signal } = {}) {
      signal?.throwIfAborted();
      const core = await open();
      const settings = callCore(() => configureRun(core, draft));
      /** @type {{ report: Report, ms: number }} */
      const done = await submit(
        { kind: 'run', settings },
        { signal, onProgress: (stage, fraction) => onProgress?.(stage, fraction) },
      );
      return withView(done.report, (view) => ({
        report: done.report,
        verdict: view.verdict(),
        digest: view.digest(),
        ms: done.ms,
      }));
    },

    rescore: (report, weights) => withView(report, (view) => view.rescored(), { weights }),
    compare: (report) =>
      withView(report, (view) => ({ verdict: view.verdict(), cells: view.printed_cells() })),
    digest: (report) => withView(report, (view) => view.digest()),
    checkDigest: (report, digest, made) =>
      withView(report, (view) =>
        view.check_digest(String(digest), made === undefined ? undefined : String(made)),
      ),
    figure,
    table,

    printLink: (state = {}) => withCore((core) => core.print_state(clonePlain('state', state))),
    parseLink: (query) => withCore((core) => core.parse_state(String(query))),
    script: (draft = {}) => withCore((core) => core.numpy_script(configureRun(core, draft))),
  };
}
