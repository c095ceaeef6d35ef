import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { keepTemporaryInMemory } from './temporary.ts';
import { inOrder, readAndBuild, vitest } from './tools.ts';

/**
 * `npm run check` runs lint, types, every test in Node, and the tests inside workerd that relate to files changed since
 * main's last commit. It takes under a minute; `npm test` runs everything.
 */

const lines = (...command: string[]): string[] =>
  execFileSync('git', command, { encoding: 'utf8' }).split('\n').filter(Boolean);

/** Returns the files that differ from main, committed or not. */
function changedFiles(): string[] {
  const main = ['origin/main', 'main', 'HEAD'].find((name) => {
    try {
      return lines('rev-parse', '--verify', '--quiet', name).length > 0;
    } catch {
      return false;
    }
  });
  const base = lines('merge-base', 'HEAD', main ?? 'HEAD')[0] ?? 'HEAD';
  return [...lines('diff', '--name-only', base), ...lines('ls-files', '--others', '--exclude-standard')];
}

const TESTS = globSync(['test/worker/**/*.test.ts', 'test/durable-objects/**/*.test.ts']).map(normalize);

/** Returns our own files in a file's imports. */
const importsOf = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/from '(\.[^']+)'/g)].map(([, name = '']) =>
    normalize(join(dirname(file), name)),
  );

const wordOf = (file: string): string => basename(file).replace(/(\.test)?\.tsx?$/, '');

/** Returns the tests inside workerd that changed, import a changed file, or share its name. */
function testsOf(changed: readonly string[]): string[] {
  const words = new Set(changed.filter((file) => /^(worker|durable-objects)\//.test(file)).map(wordOf));
  return TESTS.filter(
    (test) =>
      changed.includes(test) || words.has(wordOf(test)) || importsOf(test).some((file) => changed.includes(file)),
  );
}

const tests = testsOf(changedFiles());

/** Runs the tests in Node and in workerd in parallel, because both wait at times. */
async function everyTest(): Promise<boolean> {
  const inNode = vitest(['domain', 'fleet', 'house', 'web'].flatMap((name) => ['--project', name]));
  const inWorkerd = tests.length === 0 || vitest(['--project', 'worker', ...tests], { later: true });
  return (await Promise.all([inNode, inWorkerd])).every(Boolean);
}

keepTemporaryInMemory();
await inOrder([readAndBuild, everyTest], `, ${tests.length} test files inside workerd`);
