// @ts-check
/** What takes the little model longer than a frame: its tasks, its heads, an autoencoder's training. */

import { giveLittle } from './given.js';

/** @type {Handlers} */
export const handlers = {
  /** How well each task is done, with some heads ablated. @param {Lab} core @param {LittleTasks['little-tasks']['task']} task */
  'little-tasks'(core, task) {
    giveLittle(core, task);
    return core.little_tasks(task.checkpoint, Uint32Array.from(task.ablated), task.count);
  },
  /** What each head does to each task. @param {Lab} core @param {LittleTasks['little-effects']['task']} task */
  'little-effects'(core, task) {
    giveLittle(core, task);
    return core.little_effects(task.checkpoint, task.count);
  },
  /** An autoencoder from its first step to its last. @param {Lab} core @param {LittleTasks['little-train']['task']} task @param {Tell} tell */
  'little-train'(core, task, tell) {
    giveLittle(core, task);
    const { config, points } = task;
    const trainer = new core.LittleTrainer(config);
    const curve = [];
    let taken = 0;
    for (let point = 1; point <= points; point += 1) {
      const until = Math.floor((config.steps * point) / points);
      if (until === taken) continue;
      const metrics = trainer.step(until - taken);
      taken = until;
      curve.push(metrics);
      tell('training', taken / config.steps, metrics);
    }
    const bytes = trainer.weights();
    trainer.free();
    return { curve, bytes };
  },
};
