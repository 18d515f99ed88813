// @ts-check
/**
 * The sign by which a page knows that a worker lives, which goes with the worker, however that ends: a
 * lock; or where there are none, as in a frame without an origin or on a host without TLS, the pulse of a
 * worker of its own, which beats also while this one computes.
 *
 * The text of this function is also among the first lines of workers that come from a blob (assets.js),
 * so it names nothing but what browsers have.
 *
 * @param {string} lock
 * @returns {Promise<Sign>} nothing in it where neither was had in good time
 */
export function holdLivenessLock(lock) {
  return new Promise((resolve) => {
    const beat = () => {
      try {
        const { port1, port2 } = new MessageChannel();
        const text = 'onmessage = ({ data }) => setInterval(() => data.postMessage(0), 100);';
        const heart = new Worker(URL.createObjectURL(new Blob([text], { type: 'text/javascript' })));
        // Where it may not be, there is no pulse, which is no news.
        heart.onerror = (event) => event.preventDefault();
        heart.postMessage(port1, [port1]);
        resolve({ pulse: port2 });
      } catch {
        resolve({});
      }
    };
    if (!navigator.locks) {
      beat();
      return;
    }
    const late = setTimeout(beat, 500);
    const held = () => {
      clearTimeout(late);
      resolve({ lock });
      return new Promise(() => {});
    };
    navigator.locks.request(lock, held).catch(() => {
      clearTimeout(late);
      beat();
    });
  });
}
