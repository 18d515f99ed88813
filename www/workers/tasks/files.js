// @ts-check
/**
 * A reader's own files: opened, planned and measured here, away from the page's own thread. Only what
 * the core asks for is read of them. Whoever cancels ends this worker and opens the files in another,
 * which reads their headers only.
 */

import { finishEvaluation, runEvaluation, createPartReader, withProvisional } from './evaluation.js';

/** @type {InstanceType<Lab['OwnFiles']> | null} */
let files = null;
/** The last plan, or its run. @type {InstanceType<Lab['OwnSession']> | null} */
let plannedSession = null;

/** What this worker helps with, where it is not the first. @type {InstanceType<Lab['OwnHand']> | null} */
let helperSession = null;
/** Whether the others have been told what they must know. */
let isBasisSent = false;

function requirePlan() {
  if (!plannedSession) throw new Error('nothing is planned');
  return plannedSession;
}

/** What came of the plan, which is over with it. @template T @param {T} found */
function releasePlan(found) {
  plannedSession?.free();
  plannedSession = null;
  return found;
}

/** @param {Lab} core */
const getFiles = (core) => (files ??= new core.OwnFiles());

/** @type {Handlers} */
export const handlers = {
  'files-add'(core, { name, file }) {
    return getFiles(core).addFile(name, file.size, createPartReader(file));
  },
  'files-remove'(core, { name }) {
    getFiles(core).remove(name);
  },
  'files-autoencoders': (core) => getFiles(core).autoencoders(),
  'files-compare': (core, { request }, tell) =>
    getFiles(core).compare(request, (row, share) => tell(row, share, { row, share })),
  'files-plan'(core, { request }) {
    plannedSession?.free();
    plannedSession = null;
    isBasisSent = false;
    plannedSession = getFiles(core).plan(request);
    return plannedSession.describe();
  },
  /** Activations as a world; and rows of it, where they are asked for. */
  'files-given'(core, { request, rows }) {
    const given = getFiles(core).given(request);
    try {
      return rows === undefined ? given.world(true) : given.draw(rows);
    } finally {
      given.free();
    }
  },
  'files-run': (_core, _task, tell) => releasePlan(runEvaluation(requirePlan(), tell)),
  /** @returns {OwnDealt} */
  'files-deal'(_core, { parts, wanted, found }) {
    /** @type {OwnProgress} */
    let progress = { phase: 'loading', done: 0, total: 0 };
    for (const part of parts) progress = requirePlan().take(part);
    const jobs = [];
    while (jobs.length < wanted) {
      const job = requirePlan().deal();
      if (!job) break;
      jobs.push(job);
    }
    const basis = isBasisSent || progress.phase === 'loading' ? undefined : requirePlan().basis();
    if (basis) isBasisSent = true;
    return { jobs, progress: found ? withProvisional(requirePlan(), progress) : progress, basis };
  },
  'files-work': (_core, { job }) => (helperSession ?? requirePlan()).work(job),
  'files-finish': (_core, _task, tell) => releasePlan(finishEvaluation(requirePlan(), (progress) => tell(progress.phase, 0, progress))),
  'files-help'(core, { request }) {
    const plan = getFiles(core).plan(request);
    helperSession?.free();
    helperSession = plan.help();
    plan.free();
  },
  'files-adopt'(_core, { basis }) {
    helperSession?.adopt(basis);
  },
  'files-example-zip': (core) => ({
    name: 'sfc-bench-example.zip',
    bytes: core.evaluate_example_zip(),
  }),
  'files-example': (core) =>
    core
      .evaluate_example()
      .map(({ role, name, bytes }) => ({ role, file: new File([bytes], name) })),
};
