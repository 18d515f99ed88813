// @ts-check
/**
 * One run in several workers. The first deals pieces of work, does some itself, and adds what comes of them in the
 * order in which they were dealt: the result has the same bits however many workers there are. Where one of the others
 * is lost, its pieces are done by those that are left.
 */

import { Refusal } from '../../workers/pool.js';
import { Pieces } from './pieces.js';
import { Cancelled, Lost, RpcClient } from '../../workers/rpc-client.js';

/** Most pieces that are dealt and not yet taken, for each worker: what is done out of its turn waits in memory. */
const WINDOW = 6;
/** What is found so far is asked for this often, in ms. */
const FOUND = 500;

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
export async function together({ lead, workers, files, request, tell, onEnd }) {
  const others = Array.from({ length: workers - 1 }, () => new RpcClient('sfc-bench files'));
  const end = (/** @type {Error} */ why) => others.forEach((rpc) => rpc.end(why));
  onEnd(end);
  try {
    await work(lead, others, files, request, tell);
  } finally {
    end(new Cancelled('done'));
  }
  return lead.ask({ kind: 'files-finish' }, tell);
}

/**
 * @param {RpcClient} lead
 * @param {RpcClient[]} others
 * @param {ReadonlyMap<string, File>} files
 * @param {OwnRequest} request
 * @param {(progress: OwnProgress) => void} tell
 * @returns {Promise<void>}
 */
function work(lead, others, files, request, tell) {
  const all = others.length + 1;
  return new Promise((resolve, reject) => {
    const pieces = new Pieces();
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
      deal();
      return piece;
    }

    /** Has the first take what is done, and deal anew. */
    async function deal() {
      if (asking || over) return;
      asking = true;
      try {
        for (;;) {
          const parts = pieces.ready();
          if (refused && pieces.taken >= refused.number) {
            const { error } = refused;
            finish(() => reject(error));
            return;
          }
          const wanted = refused ? 0 : Math.max(0, WINDOW * all - pieces.away);
          if (parts.length === 0 && (barren || wanted === 0 || pieces.waiting >= all)) break;
          const now = performance.now();
          const found = now - lastFound >= FOUND;
          if (found) lastFound = now;
          /** @type {OwnDealt} */
          const answer = await lead.ask({ kind: 'files-deal', parts, wanted, found });
          if (over) return;
          for (const bytes of answer.jobs) pieces.add(bytes);
          barren = wanted > 0 && answer.jobs.length === 0;
          basis ??= answer.basis;
          if (parts.length > 0) tell(answer.progress);
          if (answer.progress.phase === 'done') {
            finish(resolve);
            return;
          }
          pieces.hand();
        }
      } catch (error) {
        finish(() => reject(error));
      } finally {
        asking = false;
      }
    }

    /** Does pieces, one after the other. @param {Hand} of */
    async function serve(of) {
      for (;;) {
        const piece = await next();
        if (!piece) return;
        try {
          if (!of.first && !of.knows && basis) {
            of.knows = true;
            // Messages come in the order in which they were sent.
            of.rpc.ask({ kind: 'files-adopt', basis }).catch(() => {});
          }
          pieces.done(piece, await of.rpc.ask({ kind: 'files-work', job: piece.bytes }));
        } catch (error) {
          if (over) return;
          if (error instanceof Refusal) {
            if (!refused || piece.number < refused.number) refused = { number: piece.number, error };
          } else if (of.first) {
            finish(() => reject(error));
            return;
          } else {
            // It is lost, and somebody else does this.
            of.rpc.end(new Lost('its worker ended'));
            pieces.back(piece);
            return;
          }
        }
        deal();
      }
    }

    /** @param {RpcClient} rpc */
    async function join(rpc) {
      for (const [name, file] of files) await rpc.ask({ kind: 'files-add', name, file });
      await rpc.ask({ kind: 'files-help', request });
      const of = { rpc, first: false, knows: false };
      // While one piece is on its way back there is another to do.
      for (let i = 0; i < 2; i += 1) serve(of);
    }

    serve({ rpc: lead, first: true, knows: true });
    // Without one of the others the rest go on.
    for (const rpc of others) join(rpc).catch(() => rpc.end(new Lost('it could not help')));
  });
}
