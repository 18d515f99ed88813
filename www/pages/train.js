// @ts-check
/** One autoencoder, trained. */

import { collect, handOver } from '../shell/handover.js';
import { TrainingSection } from '../lab/training.js';
import { need } from '../shell/dom.js';
import { mayCompute } from '../shell/unasked.js';
import { ownFiles, showOwnWhenAsked } from './own-files.js';
import { openBench, startPage } from './start.js';

startPage('train', async ({ view, announce }) => {
  const tools = { ...(await openBench()), announce };
  const own = ownFiles(tools.core, announce);
  const element = need('#train', view);
  const training = new TrainingSection({
    ...tools,
    element,
    given: own.given,
    onScore: (files) => handOver('own', files.map((file) => [file.name, file])),
  });
  showOwnWhenAsked(element);
  /** Is to train on what another page made. */
  async function takeHanded() {
    const files = await collect('train');
    if (files.length === 0) return false;
    own.replace(files);
    training.form.chooseGiven();
    return true;
  }
  const handed = await takeHanded();
  view.toggleAttribute('data-unasked', mayCompute() && !handed);
  // Nothing comes where a training was left unfinished, or cannot begin: its place is not kept.
  if (mayCompute() && !handed) training.begin().then((began) => view.toggleAttribute('data-unasked', began));
  return {
    redraw() {
      training.redraw();
      own.redraw();
    },
    shown() {
      takeHanded();
    },
  };
});
