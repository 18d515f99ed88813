// @ts-check
/** Where the package runs: its entry says so before anything can be called. */

/**
 * @typedef {object} Host
 * @property {() => Promise<Lab>} open the core on this thread
 * @property {() => Promise<import('../workers/pool.js').Pool>} pool the workers
 * @property {() => boolean} lazy whether workers can read a Blob where it is
 * @property {(file: string) => Promise<ArrayBuffer>} readToyModelFile a file of the toy model
 * @property {() => void} close
 */

/** @type {Host | undefined} */
let registeredHost;

/** @param {Host} host */
export function setHost(host) {
  registeredHost = host;
}

function requireHost() {
  if (!registeredHost) throw new Error('the package is entered by package.js, or package-node.js in Node');
  return registeredHost;
}

/** Of whichever entry there was. @type {Host} */
export const hostProxy = {
  open: () => requireHost().open(),
  pool: () => requireHost().pool(),
  lazy: () => requireHost().lazy(),
  readToyModelFile: (file) => requireHost().readToyModelFile(file),
  close: () => requireHost().close(),
};
