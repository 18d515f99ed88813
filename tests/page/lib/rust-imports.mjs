// Which of the Rust files uses which: paths as they are written, followed through re-exports to the file that
// defines what they name. Enough for folders and circles; what macros make is not seen.

import { readdir, readFile } from 'node:fs/promises';

/** Comments, strings and characters out; what a test alone compiles, too. */
function stripNonCode(/** @type {string} */ text) {
  const code = text.replace(
    /\/\/[^\n]*|\/\*[\s\S]*?\*\/|\bb?r(#*)"[\s\S]*?"\1|b?"(?:\\[\s\S]|[^"\\])*"|b?'(?:\\(?:x..|u\{[^}]*\}|.)|[^'\\])'/g,
    (found) => (found.startsWith('/') ? ' ' : '""'),
  );
  let kept = '';
  let from = 0;
  for (const match of code.matchAll(/#\[cfg\(test\)\]/g)) {
    if (match.index < from) continue;
    kept += code.slice(from, match.index);
    from = findItemEnd(code, match.index + match[0].length);
  }
  return kept + code.slice(from);
}

/** Where an item ends that begins here: after its semicolon, or its braces. */
function findItemEnd(/** @type {string} */ code, /** @type {number} */ from) {
  let depth = 0;
  for (let i = from; i < code.length; i += 1) {
    const c = code[i];
    if (c === '{' || c === '(' || c === '[') depth += 1;
    if (c === '}' || c === ')' || c === ']') {
      depth -= 1;
      if (depth === 0 && c === '}') return i + 1;
    }
    if (c === ';' && depth === 0) return i + 1;
  }
  return code.length;
}

/** `a::{b, c::{self, d as e}}` as its paths, each with the name it is used by. */
function parseUseTree(/** @type {string} */ tree) {
  const tokens = tree.match(/::|\w+|[{},*]/g) ?? [];
  /** @type {{ path: string[], as: string }[]} */
  const found = [];
  let at = 0;
  const walk = (/** @type {string[]} */ before) => {
    let path = before;
    for (;;) {
      const token = tokens[at];
      if (token === '{') {
        at += 1;
        while (tokens[at] !== '}' && at < tokens.length) {
          walk(path);
          if (tokens[at] === ',') at += 1;
        }
        at += 1;
        return;
      }
      at += 1;
      if (token === 'self' && path.length > 0) break;
      path = [...path, token];
      if (tokens[at] !== '::') break;
      at += 1;
    }
    let as = path.at(-1) ?? '';
    if (tokens[at] === 'as') {
      as = tokens[at + 1];
      at += 2;
    }
    found.push({ path, as });
  };
  walk([]);
  return found;
}

/** What lies in and below folders, each with its folder. */
async function listFiles(/** @type {URL[]} */ folders) {
  /** @type {[URL, string][]} */
  const found = [];
  for (const folder of folders) {
    for (const entry of await readdir(folder, { recursive: true })) found.push([folder, entry]);
  }
  return found;
}

/**
 * The files of a crate, each with those that it uses.
 *
 * @param {URL[]} folders the first with its root; modules of the crates in the others are taken for its own, as it
 *   hands them on
 * @param {string} root such as `lib.rs`
 * @param {(path: string) => boolean} [isOut] files that belong to another crate
 */
export async function readRustImports(folders, root, isOut = () => false) {
  /** @type {Map<string, { file: string, names: Map<string, { path: string[], isPublic: boolean }>, uses: string[][] }>} */
  const modules = new Map();
  for (const [folder, entry] of await listFiles(folders)) {
    const file = entry.replaceAll('\\', '/');
    if (!file.endsWith('.rs') || isOut(file)) continue;
    const module = file === root ? [] : file.replace(/\.rs$/, '').split('/');
    const code = stripNonCode(await readFile(new URL(file, folder), 'utf8'));
    const names = new Map();
    const uses = [];
    const rest = code.replace(/(\bpub(?:\([^)]*\))?\s+)?\buse\s+([^;]+);/g, (_, isPublic, tree) => {
      for (const { path, as } of parseUseTree(tree)) {
        if (as !== '*') names.set(as, { path, isPublic: isPublic !== undefined });
        else if (!isPublic) uses.push(path.slice(0, -1));
      }
      return '';
    });
    // What a file only hands on, it does not use.
    const words = new Set(rest.match(/\w+/g));
    for (const [as, { path, isPublic }] of names) if (!isPublic || words.has(as)) uses.push(path);
    for (const [path] of rest.matchAll(/\b\w+(?:::\w+)+/g)) uses.push(path.split('::'));
    const ours = modules.get(module.join('::'));
    // The root of a crate whose modules are taken for ours: so are the names that it gives what is below it.
    if (ours) for (const [as, name] of names) ours.names.set(as, name);
    else modules.set(module.join('::'), { file, names, uses });
  }

  /** The file that defines what a path names, seen from a module. */
  const resolve = (
    /** @type {string[]} */ here,
    /** @type {string[]} */ path,
    /** @type {Set<string>} */ seen = new Set(),
  ) => {
    const key = `${here.join('::')} ${path.join('::')}`;
    if (seen.has(key)) return null;
    seen.add(key);
    let [first, ...rest] = path;
    let at;
    if (first === 'crate') at = [];
    else if (first === 'self') at = here;
    else if (first === 'super') {
      at = here.slice(0, -1);
      while (rest[0] === 'super') {
        at = at.slice(0, -1);
        rest = rest.slice(1);
      }
    } else {
      at = here;
      rest = path;
    }
    while (rest.length > 0 && modules.has([...at, rest[0]].join('::'))) {
      at = [...at, rest[0]];
      rest = rest.slice(1);
    }
    const module = modules.get(at.join('::'));
    if (!module) return null;
    // A relative path names a module below, or what is in scope here.
    const relative = !['crate', 'self', 'super'].includes(first);
    if (relative && at === here) {
      const used = module.names.get(path[0]);
      return used && used.path[0] !== path[0] ? resolve(here, [...used.path, ...path.slice(1)], seen) : null;
    }
    if (rest.length === 0) return module.file;
    const used = module.names.get(rest[0]);
    if (used) return resolve(at, [...used.path, ...rest.slice(1)], seen) ?? module.file;
    return module.file;
  };

  /** @type {Map<string, Set<string>>} */
  const found = new Map();
  for (const [name, { file, uses }] of modules) {
    const here = name === '' ? [] : name.split('::');
    const to = new Set(uses.map((path) => resolve(here, path)).filter((path) => path !== null && path !== file));
    found.set(file, /** @type {Set<string>} */ (to));
  }
  return found;
}
