// @ts-check
/** What takes the toy model longer than a frame: its tasks, its heads, an autoencoder's training. */

import { giveToyModelFiles } from './toy-model-files.js';
import { trainCurve } from './train.js';

/** @type {Handlers} */
export const handlers = {
  /** How well each task is done, with some heads ablated. */
  'toy-tasks'(core, task) {
    giveToyModelFiles(core, task);
    return core.little_tasks(task.checkpoint, Uint32Array.from(task.ablated), task.count);
  },
  /** What each head does to each task. */
  'toy-effects'(core, task) {
    giveToyModelFiles(core, task);
    return core.little_effects(task.checkpoint, task.count);
  },
  /** An autoencoder from its first step to its last. */
  'toy-train'(core, task, tell) {
    giveToyModelFiles(core, task);
    const { wanted, points } = task;
    const trainer = new core.LittleTrainer(wanted);
    const curve = trainCurve(trainer, 0, { steps: wanted.config.steps, points }, tell);
    const autoencoder = trainer.autoencoder();
    trainer.free();
    return { curve, autoencoder };
  },
};
