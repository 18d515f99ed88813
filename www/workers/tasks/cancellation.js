// @ts-check
/**
 * Whether a task is still wanted, asked from within it: a worker that computes hears no message. Its page holds an address
 * of its own, a blob's, as long as it wants the task; a worker, which alone may wait for an answer, sees whether it is there.
 */

/** How often is asked, in milliseconds. */
const POLL_INTERVAL = 40;

/** @param {string} address */
function isReachable(address) {
  const request = new XMLHttpRequest();
  request.open('GET', address, false);
  try {
    request.send();
    return request.status === 200;
  } catch {
    return false;
  }
}

/** Whether addresses of blobs can be asked here: a content security policy may forbid it. @type {boolean | undefined} */
let canReachBlobs;

function canPoll() {
  if (canReachBlobs === undefined) {
    const address = URL.createObjectURL(new Blob(['here']));
    canReachBlobs = isReachable(address);
    URL.revokeObjectURL(address);
  }
  return canReachBlobs;
}

/** @returns {Problem} */
const cancelledError = () => ({ code: 'cancelled', message: 'it was cancelled' });

/** Asks now and then whether a task is no longer wanted. @param {string | undefined} sign the address; without one it always is */
function createCancelCheck(sign) {
  let asked = -Infinity;
  let gone = false;
  return () => {
    const now = performance.now();
    if (sign && !gone && canPoll() && now - asked > POLL_INTERVAL) {
      asked = now;
      gone = !isReachable(sign);
    }
    return gone;
  };
}

/** Whoever calls what comes back is refused where the task is no longer wanted. @param {string | undefined} sign */
export function createCancelGuard(sign) {
  const isGone = createCancelCheck(sign);
  return () => {
    if (isGone()) throw cancelledError();
  };
}

/**
 * Does something of which the core's pieces of work ask whether it is wanted, and which is refused where it no longer is.
 *
 * @template Result
 * @param {Pick<Lab, 'cancel_when'>} core
 * @param {string | undefined} sign the address
 * @param {() => Result} work
 * @returns {Result}
 */
export function runCancellable(core, sign, work) {
  if (!sign || !canPoll()) return work();
  const isGone = createCancelCheck(sign);
  if (isGone()) throw cancelledError();
  core.cancel_when(isGone);
  try {
    const found = work();
    // What ended early in silence is no answer.
    if (isGone()) throw cancelledError();
    return found;
  } finally {
    core.cancel_when(undefined);
  }
}
