// @ts-check
/** One autoencoder, trained. */

import { takeHandedOverFiles, handOverFiles } from '../shell/file-handover.js';
import { TrainingSection } from '../lab/training.js';
import { requireElement } from '../shell/dom.js';
import { canPrecompute } from '../shell/data-saver.js';
import { openUserFiles, showUserFilesWhenChosen } from './user-files.js';
import { openCoreAndPool, startPage } from './start.js';

startPage('train', async ({ view, announce }) => {
  const tools = { ...(await openCoreAndPool()), announce };
  const own = openUserFiles(tools.core, announce);
  const element = requireElement('#train', view);
  const training = new TrainingSection({
    ...tools,
    element,
    given: own.given,
    onScore: (files) => handOverFiles('own', files.map((file) => [file.name, file])),
  });
  showUserFilesWhenChosen(element);
  /** Is to train on what another page made. */
  async function takeHanded() {
    const files = await takeHandedOverFiles('train');
    if (files.length === 0) return false;
    own.replace(files);
    training.form.chooseGiven();
    return true;
  }
  const handed = await takeHanded();
  view.toggleAttribute('data-unasked', canPrecompute() && !handed);
  // Nothing comes where a training was left unfinished, or cannot begin: its place is not kept.
  if (canPrecompute() && !handed) training.startAutomatically().then((began) => view.toggleAttribute('data-unasked', began));
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
