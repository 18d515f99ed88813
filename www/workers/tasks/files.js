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
let planned = null;

/** What this worker helps with, where it is not the first. @type {InstanceType<Lab['OwnHand']> | null} */
let hand = null;
/** Whether the others have been told what they must know. */
let told = false;

function requirePlan() {
  if (!planned) throw new Error('nothing is planned');
  return planned;
}

/** What came of the plan, which is over with it. @template T @param {T} found */
function releasePlan(found) {
  planned?.free();
  planned = null;
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
    planned?.free();
    planned = null;
    told = false;
    planned = getFiles(core).plan(request);
    return planned.describe();
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
    const basis = told || progress.phase === 'loading' ? undefined : requirePlan().basis();
    if (basis) told = true;
    return { jobs, progress: found ? withProvisional(requirePlan(), progress) : progress, basis };
  },
  'files-work': (_core, { job }) => (hand ?? requirePlan()).work(job),
  'files-finish': (_core, _task, tell) => releasePlan(finishEvaluation(requirePlan(), (progress) => tell(progress.phase, 0, progress))),
  'files-help'(core, { request }) {
    const plan = getFiles(core).plan(request);
    hand?.free();
    hand = plan.help();
    plan.free();
  },
  'files-adopt'(_core, { basis }) {
    hand?.adopt(basis);
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
