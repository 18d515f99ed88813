// @ts-check
/** Studies on the toy model: a run, and what of one streams in after it. */

import { partsOf } from './evaluation.js';
import { giveLittle } from './given.js';

/**
 * Files that the core reads piece by piece.
 *
 * @param {[name: string, file: Blob | Uint8Array][]} files
 */
const inParts = (files) =>
  files.map(([name, file]) => ({ name, size: file instanceof Uint8Array ? file.byteLength : file.size, read: partsOf(file) }));

/** Trainings under way in this worker, by what they are of, and how far each is. @type {Map<string, { session: MuiTrainer, step: number }>} */
const trainings = new Map();
/** No more are kept: another worker may have gone on with the first. */
const MOST = 3;

/**
 * The training to go on with: the worker's own where it has come as far, and else one from what the page kept.
 *
 * @param {Lab} core @param {StudyTasks['study-train']['task']} task
 */
function trainingOf(core, { settings, wanted, state, numbers }) {
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
    if (trainings.size <= MOST) break;
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
let opened = null;

/** @param {Lab} core @param {SynthGiven} given */
function openedOf(core, { id, files }) {
  if (opened?.id === id) return opened;
  for (const former of [opened?.evaluation, opened?.model, opened?.files]) former?.free();
  opened = { id, files: new core.OwnFiles() };
  for (const { name, size, read } of inParts(files)) opened.files.addFile(name, size, read);
  return opened;
}

/** @param {Lab} core @param {SynthGiven} given @param {SynthMember} member @param {import('../../types/core.d.ts').SynthEvaluationOptions} options */
function evaluationOf(core, given, { name, sae }, options) {
  const there = openedOf(core, given);
  const of = JSON.stringify([name, options]);
  if (there.of === of && there.evaluation) return there.evaluation;
  there.evaluation?.free();
  there.evaluation = undefined;
  there.model ??= there.files.synthModel();
  there.evaluation = there.model.evaluation(there.files, name, sae, options);
  there.of = of;
  return there.evaluation;
}

/** @type {Handlers} */
export const handlers = {
  /** @param {Lab} core @param {StudyTasks['study-run']['task']} task @param {Tell} tell */
  'study-run'(core, task, tell) {
    const start = performance.now();
    giveLittle(core, task);
    const report = core.study_run(task.name, task.settings, tell);
    return { report, ms: performance.now() - start };
  },
  /** CE-Bench, each autoencoder told as it is scored. @param {Lab} core @param {StudyTasks['study-stream']['task']} task @param {Tell} tell */
  'study-stream'(core, task, tell) {
    const start = performance.now();
    giveLittle(core, task);
    const report = core.ce_bench_stream(task.settings, tell);
    return { report, ms: performance.now() - start };
  },
  /** CE-Bench's scores of one autoencoder. @param {Lab} core @param {StudyTasks['study-subject']['task']} task */
  'study-subject'(core, task) {
    giveLittle(core, task);
    return core.ce_bench_subject(task.settings);
  },
  /** MUI of the toy model at a checkpoint. @param {Lab} core @param {StudyTasks['study-checkpoint']['task']} task */
  'study-checkpoint'(core, task) {
    giveLittle(core, task);
    return core.mui_checkpoint(task.settings, task.checkpoint);
  },
  /** How it grows with the number of answers. @param {Lab} core @param {StudyTasks['study-growth']['task']} task */
  'study-growth'(core, task) {
    giveLittle(core, task);
    return core.mui_growth(task.settings);
  },
  /** What the paper's corollaries ask of it. @param {Lab} core @param {StudyTasks['study-experiment']['task']} task */
  'study-experiment'(core, task) {
    giveLittle(core, task);
    return core.mui_experiment(task.settings, task.name);
  },
  /** One of measurement theory's metrics, opened. @param {Lab} core @param {StudyTasks['study-picture']['task']} task */
  'study-picture'(core, task) {
    giveLittle(core, task);
    return core.measure_picture(task.settings);
  },
  /** Every edge of the toy model, cut. @param {Lab} core @param {StudyTasks['study-edges']['task']} task @param {Tell} tell */
  'study-edges'(core, task, tell) {
    giveLittle(core, task);
    return core.measure_edges(task.settings, tell);
  },
  /** A part of measurement theory's fifteen metrics. @param {Lab} core @param {StudyTasks['study-part']['task']} task */
  'study-part'(core, task) {
    giveLittle(core, task);
    return core.measure_part(task.settings, task.name);
  },
  /** All subjects of a world under a seed, for the audit. @param {Lab} core @param {StudyTasks['study-audit']['task']} task */
  'study-audit'(core, task) {
    giveLittle(core, task);
    return core.audit_job(task.settings, task.name);
  },
  /** An autoencoder of SynthSAEBench, trained and measured. @param {Lab} core @param {StudyTasks['study-synth']['task']} task @param {Tell} tell */
  'study-synth': (core, { settings, name }, tell) => core.synth_job(settings, name, tell),
  /** The autoencoders among a reader's files. @param {Lab} core @param {StudyTasks['study-synth-open']['task']} task */
  'study-synth-open': (core, { given }) => openedOf(core, given).files.autoencoders(),
  /** A job of an autoencoder's evaluation. @param {Lab} core @param {StudyTasks['study-synth-part']['task']} task */
  'study-synth-part': (core, { given, member, options, job }) => evaluationOf(core, given, member, options).run(job),
  /** What its jobs come to. @param {Lab} core @param {StudyTasks['study-synth-found']['task']} task */
  'study-synth-found': (core, { given, member, options, parts }) => evaluationOf(core, given, member, options).found(parts),
  /** Some steps of a training, up to its next look. @param {Lab} core @param {StudyTasks['study-train']['task']} task @returns {StudyTasks['study-train']['answer']} */
  'study-train'(core, task) {
    giveLittle(core, task);
    const { key, mine } = trainingOf(core, task);
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
  /** What a reader brings. @param {Lab} core @param {StudyTasks['study-given']['task']} task */
  'study-given'(core, task) {
    return core[task.call](task.files);
  },
  /** What a reader of MUI brings, read piece by piece. @param {Lab} core @param {StudyTasks['study-mui-own']['task']} task @param {Tell} tell */
  'study-mui-own': (core, { files, wanted }, tell) => core.mui_own(inParts(files), wanted, tell),
  /** What a reader of the audit brings, read piece by piece. @param {Lab} core @param {StudyTasks['study-audit-own']['task']} task @param {Tell} tell */
  'study-audit-own': (core, { files, settings }, tell) => core.audit_own(inParts(files), settings, tell),
  /** One feature of FADE, steered. @param {Lab} core @param {StudyTasks['study-steered']['task']} task */
  'study-steered'(core, task) {
    giveLittle(core, task);
    return core.fade_steered(task.settings, task.feature);
  },
  /** The means of FADE's scores. @param {Lab} core @param {StudyTasks['study-means']['task']} task */
  'study-means'(core, task) {
    giveLittle(core, task);
    return core.fade_means(task.settings, task.steer);
  },
  /** What a reader of FADE brings. @param {Lab} core @param {StudyTasks['study-fade-own']['task']} task */
  'study-fade-own': (core, task) => core.fade_own(task.files, task.draft),
  /** CE-Bench's scores under other settings. @param {Lab} core @param {StudyTasks['study-subjects']['task']} task */
  'study-subjects'(core, task) {
    giveLittle(core, task);
    return core.ce_bench_subjects(task.settings);
  },
};
