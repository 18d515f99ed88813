// @ts-check
/**
 * One run in several workers. The first deals pieces of work, does some itself, and adds what comes of them in the
 * order in which they were dealt: the result has the same bits however many workers there are. Where one of the others
 * is lost, its pieces are done by those that are left.
 */

import { RefusalError } from '../../workers/pool.js';
import { PieceQueue } from './work-queue.js';
import { CancelledError, WorkerLostError, RpcClient } from '../../workers/rpc-client.js';

/** Most pieces that are dealt and not yet taken, for each worker: what is done out of its turn waits in memory. */
const PENDING_PER_WORKER_MAX = 6;
/** What is found so far is asked for this often, in ms. */
const REPORT_INTERVAL = 500;

/**
 * @typedef {object} Hand
 * @property {RpcClient} rpc
 * @property {boolean} first
 * @property {boolean} knows what loading has found out
 */

/**
 * @param {object} parts
 * @param {RpcClient} parts.lead has planned the run
 * @param {number} parts.workers with the first
 * @param {ReadonlyMap<string, File>} parts.files
 * @param {OwnRequest} parts.request
 * @param {(progress: OwnProgress) => void} parts.tell
 * @param {(end: (why: Error) => void) => void} parts.onEnd is given what ends the others
 * @returns {Promise<{ report: OwnReport, script?: string }>}
 */
export async function runInWorkers({ lead, workers, files, request, tell, onEnd }) {
  const others = Array.from({ length: workers - 1 }, () => new RpcClient('sfc-bench files'));
  const end = (/** @type {Error} */ why) => others.forEach((rpc) => rpc.end(why));
  onEnd(end);
  try {
    await runPieces(lead, others, files, request, tell);
  } finally {
    end(new CancelledError('done'));
  }
  return lead.call({ kind: 'files-finish' }, tell);
}

/**
 * @param {RpcClient} lead
 * @param {RpcClient[]} others
 * @param {ReadonlyMap<string, File>} files
 * @param {OwnRequest} request
 * @param {(progress: OwnProgress) => void} tell
 * @returns {Promise<void>}
 */
function runPieces(lead, others, files, request, tell) {
  const all = others.length + 1;
  return new Promise((resolve, reject) => {
    const pieces = new PieceQueue();
    /** What was refused first, in the order of pieces. @type {{ number: number, error: unknown } | null} */
    let refused = null;
    /** @type {Uint8Array<ArrayBuffer> | undefined} */
    let basis;
    let over = false;
    let asking = false;
    /** Whether the first has nothing to deal until something is taken. */
    let barren = false;
    let lastFound = performance.now();

    /** @param {() => void} settle */
    function finish(settle) {
      over = true;
      pieces.close();
      settle();
    }

    function next() {
      const piece = pieces.next();
      assignPieces();
      return piece;
    }

    /** Gives finished parts to the coordinator, which assigns the next pieces. */
    async function assignPieces() {
      if (asking || over) return;
      asking = true;
      try {
        for (;;) {
          const parts = pieces.takeReady();
          if (refused && pieces.takenCount >= refused.number) {
            const { error } = refused;
            finish(() => reject(error));
            return;
          }
          const wanted = refused ? 0 : Math.max(0, PENDING_PER_WORKER_MAX * all - pieces.pendingCount);
          if (parts.length === 0 && (barren || wanted === 0 || pieces.queuedCount >= all)) break;
          const now = performance.now();
          const found = now - lastFound >= REPORT_INTERVAL;
          if (found) lastFound = now;
          /** @type {OwnDealt} */
          const answer = await lead.call({ kind: 'files-deal', parts, wanted, found });
          if (over) return;
          for (const bytes of answer.jobs) pieces.add(bytes);
          barren = wanted > 0 && answer.jobs.length === 0;
          basis ??= answer.basis;
          if (parts.length > 0) tell(answer.progress);
          if (answer.progress.phase === 'done') {
            finish(resolve);
            return;
          }
          pieces.dispatch();
        }
      } catch (error) {
        finish(() => reject(error));
      } finally {
        asking = false;
      }
    }

    /** Does pieces, one after the other. @param {Hand} of */
    async function processPieces(of) {
      for (;;) {
        const piece = await next();
        if (!piece) return;
        try {
          if (!of.first && !of.knows && basis) {
            of.knows = true;
            // Messages come in the order in which they were sent.
            of.rpc.call({ kind: 'files-adopt', basis }).catch(() => {});
          }
          pieces.setResult(piece, await of.rpc.call({ kind: 'files-work', job: piece.bytes }));
        } catch (error) {
          if (over) return;
          if (error instanceof RefusalError) {
            if (!refused || piece.number < refused.number) refused = { number: piece.number, error };
          } else if (of.first) {
            finish(() => reject(error));
            return;
          } else {
            // It is lost, and somebody else does this.
            of.rpc.end(new WorkerLostError('its worker ended'));
            pieces.requeue(piece);
            return;
          }
        }
        assignPieces();
      }
    }

    /** @param {RpcClient} rpc */
    async function startHelper(rpc) {
      for (const [name, file] of files) await rpc.call({ kind: 'files-add', name, file });
      await rpc.call({ kind: 'files-help', request });
      const of = { rpc, first: false, knows: false };
      // While one piece is on its way back there is another to do.
      for (let i = 0; i < 2; i += 1) processPieces(of);
    }

    processPieces({ rpc: lead, first: true, knows: true });
    // Without one of the others the rest go on.
    for (const rpc of others) startHelper(rpc).catch(() => rpc.end(new WorkerLostError('it could not help')));
  });
}
