// @ts-check
/** An example of a reader's own decomposition: to be scored here, or kept; shown before anybody brings files. */

import { describeError } from '../../shell/dom.js';
import { saveBlob } from '../../shell/download.js';

/** @typedef {import('./files-client.js').FilesClient} OwnClient */

export class ExampleEvaluation {
  /** Whether what is shown is the example, and nobody asked for it: it makes way for the reader's files, and no link is of it. */
  unasked = false;
  /** Until it is scored, or was ended. @type {Promise<unknown>} */
  #scored = Promise.resolve();
  #parts;

  /**
   * @param {() => {
   *   client: OwnClient,
   *   files: import('./file-list.js').UserFiles,
   *   settings: import('./settings.js').Settings,
   *   report: import('./report.js').ReportSection,
   *   run: import('./run.js').ScoringRun,
   *   say: (text: string) => void,
   * }} parts of the page, once they are there
   */
  constructor(parts) {
    this.#parts = parts;
  }

  /** Goes away, where nobody asked for it. */
  async dismiss() {
    if (!this.unasked) return;
    const { client, files, report, run } = this.#parts();
    if (run.running) client.cancel();
    await this.#scored;
    this.unasked = false;
    files.clear();
    report.clear();
  }

  /** Scores its files, whose roles are its own. @param {Awaited<ReturnType<OwnClient['createExample']>>} made @param {string} words */
  async scoreFiles(made, words) {
    const { files, settings, run, say } = this.#parts();
    files.clearRoles();
    settings.chooseGrand();
    await files.addFiles(made.map(({ role, file }) => [file.name, file, role]));
    say(`${words} the paper’s standard network: its activations, 48 singular directions, their codes at λ = 0.85, and the layer that follows.`);
    this.#scored = run.start();
  }

  /** Is shown, so that there is something to see, until files come; not where some are there. @param {string | null} linked files that a link is of */
  async showInitially(linked) {
    const { client, files, say } = this.#parts();
    if (linked !== null || !files.isEmpty) return;
    this.unasked = true;
    try {
      await this.scoreFiles(await client.createExample(), 'Until you drop files, here is an example,');
    } catch (error) {
      this.unasked = false;
      say(`There is no example: ${describeError(error)}`);
    }
  }
  /**
   * Has buttons score it, or keep its files.
   *
   * @param {Pick<ReturnType<typeof import('./page-elements.js')['createFileChooser']>, 'example' | 'keepExample'>} buttons
   * @param {(work: () => Promise<void>) => void} later when the files before are taken in
   * @param {(text: string) => void} announce
   */
  bindButtons({ example, keepExample }, later, announce) {
    example.addEventListener('click', () =>
      later(async () => {
        const { client, say } = this.#parts();
        try {
          say('Making an example …');
          const made = await client.createExample();
          await this.dismiss();
          await this.scoreFiles(made, 'The example is');
          keepExample.hidden = false;
        } catch (error) {
          say(`There is no example: ${describeError(error)}`);
        }
      }),
    );
    keepExample.addEventListener('click', async () => {
      const { client, say } = this.#parts();
      try {
        const { name, bytes } = await client.createExampleZip();
        saveBlob(name, new Blob([bytes], { type: 'application/zip' }));
        announce(`Saved as ${name}.`);
      } catch (error) {
        say(`The example could not be saved: ${describeError(error)}`);
      }
    });
  }
}
