import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, relative, resolve } from 'node:path';
import type { Reporter, TestCase, TestModule } from 'vitest/node';

const ROOT = resolve(import.meta.dirname, '../..');

/** The functions that a test file reaches. Mutants are matched with tests by these. */
export interface Reached {
  project: string;
  /** Relative to the clone's top folder. */
  file: string;
  passed: boolean;
  /** Hash of the file's text (`markOf`). A changed file is measured again; one merely checked out again is not. */
  text: string;
  /** Functions, by their keys (mutants.ts), that run before or between its tests. */
  always: string[];
  tests: { name: string; took: number; functions: string[] }[];
}

/** Returns a short hash of a file's text. */
export const markOf = (path: string): string =>
  createHash('sha256').update(readFileSync(path)).digest('hex').slice(0, 16);

const imports = new Map<string, ReadonlySet<string>>();

/** Returns our own files that a test file imports directly. */
function importedBy(file: string): ReadonlySet<string> {
  const known = imports.get(file);
  if (known) return known;
  const path = resolve(ROOT, file);
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const paths = [...text.matchAll(/from '(\.[^']+)'/g)].map(([, path]) => resolve(ROOT, dirname(file), `${path}`));
  const found = new Set(paths.map((path) => relative(ROOT, path)));
  imports.set(file, found);
  return found;
}

/** Returns whether a test file is about a source file: it imports it or shares its name. */
export const isFor = (test: string, file: string): boolean =>
  importedBy(test).has(file) || basename(test).replace(/\.test\.tsx?$/, '') === basename(file, '.ts');

/** Returns a test's full name, with its suites, as Vitest's selection expects it. */
const nameOf = (test: TestCase): string => {
  const names = [test.name];
  for (let { parent } = test; parent.type === 'suite'; { parent } = parent) names.unshift(parent.name);
  return names.join(' > ');
};

/** Records which of our functions each test file reaches. `kept` are the records that are still valid. */
export class ReachReporter implements Reporter {
  #out: string;
  #all: Reached[];

  constructor(out: string, kept: readonly Reached[]) {
    this.#out = out;
    this.#all = [...kept];
  }

  onTestModuleEnd(module: TestModule): void {
    const file = relative(ROOT, module.moduleId);
    const tests = [...module.children.allTests()];
    const found: Reached = {
      project: module.project.name,
      file,
      passed: module.ok(),
      text: markOf(module.moduleId),
      always: [...new Set(tests.flatMap((test) => test.meta().reachedBefore ?? []))],
      tests: tests.map((test) => ({
        name: nameOf(test),
        took: Math.round(test.diagnostic()?.duration ?? 0),
        functions: test.meta().reached ?? [],
      })),
    };
    this.#all = [...this.#all.filter((each) => each.file !== file), found];
    // Written after each file, so that an interrupted run keeps its results.
    writeFileSync(this.#out, JSON.stringify(this.#all));
    console.log(`${module.ok() ? 'read' : 'FAILED'} ${file}: ${tests.length} tests`);
  }
}
