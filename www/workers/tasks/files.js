// @ts-check
/**
 * A reader's own files: opened, planned and measured here, away from the page's own thread. Only what
 * the core asks for is read of them. Whoever cancels ends this worker and opens the files in another,
 * which reads their headers only.
 */

import { measure, partsOf } from './evaluation.js';

/** @type {InstanceType<Lab['OwnFiles']> | null} */
let files = null;
/** The last plan, or its run. @type {InstanceType<Lab['OwnSession']> | null} */
let planned = null;

/** @param {Lab} core */
const opened = (core) => (files ??= new core.OwnFiles());

/** @type {Handlers} */
export const handlers = {
  /** @param {Lab} core @param {{ name: string, file: Blob }} task */
  'files-add'(core, { name, file }) {
    return opened(core).addFile(name, file.size, partsOf(file));
  },
  /** @param {Lab} core @param {{ name: string }} task */
  'files-remove'(core, { name }) {
    opened(core).remove(name);
  },
  /** @param {Lab} core @param {{ request: OwnRequest }} task */
  'files-plan'(core, { request }) {
    planned?.free();
    planned = null;
    planned = opened(core).plan(request);
    return planned.describe();
  },
  /** Activations as a world; and rows of it, where they are asked for. @param {Lab} core @param {{ request: OwnGiven, rows?: number }} task */
  'files-given'(core, { request, rows }) {
    const given = opened(core).given(request);
    try {
      return rows === undefined ? given.world(true) : given.draw(rows);
    } finally {
      given.free();
    }
  },
  'files-run'(_core, _task, tell) {
    const run = planned;
    if (!run) throw new Error('nothing is planned');
    const found = measure(run, tell);
    planned = null;
    run.free();
    return found;
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
