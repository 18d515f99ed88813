// A worker of the page's own that does a job for each message and answers how long that took.

/**
 * Starts a module worker in an opened page. It needs an address of the page's own, which is answered here and not by the
 * host. Its source answers each message with what came of it, or with `{ error }`.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} path
 * @param {string} source
 */
export async function worker(page, path, source) {
  await page.route(`**/${path}`, (route) => route.fulfill({ contentType: 'text/javascript', body: source }));
  const started = await page.evaluateHandle(
    (path) => new Worker(new URL(path, document.baseURI), { type: 'module' }),
    path,
  );
  /** @param {unknown} message a value, or an input whose files are meant @returns {Promise<any>} */
  const ask = (message) =>
    started.evaluate(
      (worker, message) =>
        new Promise((resolve, reject) => {
          worker.onmessage = ({ data }) => (data.error ? reject(new Error(data.error)) : resolve(data));
          worker.onerror = () => reject(new Error('the worker did not start'));
          worker.postMessage(message instanceof HTMLInputElement ? [...(message.files ?? [])] : message);
        }),
      message,
    );
  return {
    ask,
    /** Hands over files of this machine, too large to be answered as an address. @param {string[]} paths */
    async give(paths) {
      const input = await page.evaluateHandle(() =>
        Object.assign(document.createElement('input'), { type: 'file', multiple: true }),
      );
      await input.setInputFiles(paths);
      return ask(input);
    },
    end: () => started.evaluate((worker) => worker.terminate()),
  };
}
