// What the benchmarks share: NumPy waiting to be told, medians with quartiles, tables.

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const PYTHON = process.env.PYTHON ?? 'python3';
const NUMPY = fileURLToPath(new URL('../../tests/numpy/', import.meta.url));

/**
 * A script of tests/numpy that does a job for each line it is sent and answers how long that took, in
 * ms.
 *
 * @param {string} script
 * @param {...string} args
 */
export function python(script, ...args) {
  return lined(PYTHON, [NUMPY + script, ...args], `${script} ended: is NumPy installed for ${PYTHON}?`);
}

/** The same with another Python. @param {string} by @param {string} script @param {...string} args */
python.with = (by, script, ...args) =>
  lined(by, [NUMPY + script, ...args], `${script} ended: is what it needs installed for ${by}?`);

/** A program of this project that does the same. @param {string} path @param {...string} args */
export const program = (path, ...args) => lined(path, args, `${path} ended`);

/** @param {string} path @param {string[]} args @param {string} ended what is said where it ends early */
function lined(path, args, ended) {
  const child = spawn(path, args, {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async once(line = '') {
      child.stdin.write(`${line}\n`);
      return Number(await this.line());
    },
    async line() {
      const { value, done } = await lines.next();
      if (done) throw new Error(ended);
      return value;
    },
    end: () => child.stdin.end(),
  };
}

/** A program's output, once it has ended well. @param {string} program @param {string[]} args */
export function output(program, args, env = {}) {
  return new Promise((resolve, reject) => {
    const stdio = /** @type {const} */ (['ignore', 'pipe', 'inherit']);
    const child = spawn(program, args, { stdio, env: { ...process.env, ...env } });
    let text = '';
    child.stdout.on('data', (part) => (text += part));
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve(text) : reject(new Error(`${program} ended with ${code}`)),
    );
  });
}

/** @param {number[]} values @param {number} share */
function at(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.round(share * (sorted.length - 1))];
}

/** Median (quartiles). @param {number[]} values @param {number} digits */
export function show(values, digits) {
  const [median, low, high] = [0.5, 0.25, 0.75].map((share) => at(values, share).toFixed(digits));
  return `${median} (${low}–${high})`;
}

/** Each value over its neighbour. @param {number[]} values @param {number[]} others */
export const ratios = (values, others) => values.map((value, i) => value / others[i]);

/** Prints a table for the README. @param {string[]} head @param {string[][]} rows */
export function table(head, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  console.log([line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n'));
}
