// @ts-check
/** Studies on the toy model: a run, and what of one streams in after it. */

import { createPartReader } from './evaluation.js';
import { giveToyModelFiles } from './toy-model-files.js';

/** @param {[name: string, file: Blob | Uint8Array][]} files @returns {FileSource[]} */
const toFileSources = (files) =>
  files.map(([name, file]) => ({ name, size: file instanceof Uint8Array ? file.byteLength : file.size, read: createPartReader(file) }));

/** Trainings under way in this worker, by what they are of, and how far each is. @type {Map<string, { session: MuiTrainer, step: number }>} */
const trainings = new Map();
/** No more are kept: another worker may have gone on with the first. */
const TRAININGS_MAX = 3;

/**
 * The training to go on with: the worker's own where it has come as far, and else one from what the page kept.
 *
 * @param {Lab} core @param {TaskOf<'study-train'>} task
 */
function resumeTraining(core, { settings, wanted, state, numbers }) {
  const key = JSON.stringify([settings, wanted]);
  const there = trainings.get(key);
  if (there && state && there.step === state.step) return { key, mine: there };
  there?.session.free();
  trainings.delete(key);
  const session =
    state && numbers ? core.MuiTrainer.resume(settings, wanted, state, numbers) : new core.MuiTrainer(settings, wanted);
  const mine = { session, step: state?.step ?? 0 };
  trainings.set(key, mine);
  for (const [old, { session: other }] of trainings) {
    if (trainings.size <= TRAININGS_MAX) break;
    other.free();
    trainings.delete(old);
  }
  return { key, mine };
}

/**
 * The reader's files, the model of SynthSAEBench among them, and the autoencoder that is being evaluated on it: what is opened
 * takes seconds and hundreds of megabytes.
 *
 * @type {{ id: number, files: InstanceType<Lab['OwnFiles']>, model?: InstanceType<Lab['SynthModel']>, of?: string, evaluation?: InstanceType<Lab['SynthEvaluation']> } | null}
 */
let openedFiles = null;

/** @param {Lab} core @param {SynthGiven} given */
function openUserFiles(core, { id, files }) {
  if (openedFiles?.id === id) return openedFiles;
  for (const former of [openedFiles?.evaluation, openedFiles?.model, openedFiles?.files]) former?.free();
  openedFiles = { id, files: new core.OwnFiles() };
  for (const { name, size, read } of toFileSources(files)) openedFiles.files.addFile(name, size, read);
  return openedFiles;
}

/** @param {Lab} core @param {SynthGiven} given @param {SynthMember} member @param {import('../../types/core.d.ts').SynthEvaluationOptions} options */
function openEvaluation(core, given, { name, sae }, options) {
  const there = openUserFiles(core, given);
  const of = JSON.stringify([name, options]);
  if (there.of === of && there.evaluation) return there.evaluation;
  there.evaluation?.free();
  there.evaluation = undefined;
  there.model ??= there.files.synthModel();
  there.evaluation = there.model.evaluation(there.files, name, sae, options);
  there.of = of;
  return there.evaluation;
}

/**
 * Asks the core by name; whatever does not tell how far it is takes no notice of who would hear it.
 *
 * @param {Lab} core @param {TaskOf<'study-call' | 'study-run'>} task @param {Tell} tell
 */
function callCore(core, task, tell) {
  giveToyModelFiles(core, task);
  return /** @type {any} */ (core[task.call])(...task.args, tell);
}

/** @type {Handlers} */
export const handlers = {
  /** What the core is asked by name. */
  'study-call': callCore,
  /** And how long it took. */
  'study-run'(core, task, tell) {
    const start = performance.now();
    const report = callCore(core, task, tell);
    return { report, ms: performance.now() - start };
  },
  /** What a reader brings, read piece by piece. */
  'study-own': (core, { call, files, wanted }, tell) => /** @type {any} */ (core[call])(toFileSources(files), wanted, tell),
  /** A file with a report of the audit, read and judged: intervals take long. */
  'study-audit-report': (core, { bytes }) => core.AuditFile.read(bytes).judged(),
  /** The autoencoders among a reader's files. */
  'study-synth-open': (core, { given }) => openUserFiles(core, given).files.autoencoders(),
  /** A job of an autoencoder's evaluation. */
  'study-synth-part': (core, { given, member, options, job }) => openEvaluation(core, given, member, options).run(job),
  /** What its jobs come to. */
  'study-synth-found': (core, { given, member, options, parts }) => openEvaluation(core, given, member, options).found(parts),
  /** Some steps of a training, up to its next look. */
  'study-train'(core, task) {
    giveToyModelFiles(core, task);
    const { key, mine } = resumeTraining(core, task);
    const end = performance.now() + task.share;
    const { session } = mine;
    let point = session.go(1);
    while (!point && !session.is_done() && performance.now() < end) point = session.go(1);
    const answer = { state: session.state(), numbers: session.numbers(), point, done: session.is_done() };
    mine.step = answer.state.step;
    if (answer.done) {
      session.free();
      trainings.delete(key);
    }
    return answer;
  },
};
