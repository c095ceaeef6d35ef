import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, relative, resolve } from 'node:path';
import type { Reporter, TestCase, TestModule } from 'vitest/node';

const ROOT = resolve(import.meta.dirname, '../..');

/** What a test file reaches, as the mutants are chosen and its place in their queue. */
export interface Reached {
  project: string;
  /** From the clone's top. */
  file: string;
  passed: boolean;
  /** Mark of the file's text (`markOf`): one written since is read anew, one only checked out again is not. */
  text: string;
  /** Functions, by their keys (mutants.ts), that stand before or between its tests. */
  always: string[];
  tests: { name: string; took: number; functions: string[] }[];
}

/** A short mark of a file's text. */
export const markOf = (path: string): string =>
  createHash('sha256').update(readFileSync(path)).digest('hex').slice(0, 16);

const imports = new Map<string, ReadonlySet<string>>();

/** Our files that a test file imports itself. */
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

/** True where the test file is there for that file of ours: it imports it, or has its name. */
export const isFor = (test: string, file: string): boolean =>
  importedBy(test).has(file) || basename(test).replace(/\.test\.tsx?$/, '') === basename(file, '.ts');

/** As Vitest names a test in a selection: with what it stands in. */
const nameOf = (test: TestCase): string => {
  const names = [test.name];
  for (let { parent } = test; parent.type === 'suite'; { parent } = parent) names.unshift(parent.name);
  return names.join(' > ');
};

/** Writes down, for each test file, which of our functions its tests reach; `kept` are those not read anew. */
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
    // After each file: what was read stays read where the run is cut short.
    writeFileSync(this.#out, JSON.stringify(this.#all));
    console.log(`${module.ok() ? 'read' : 'FAILED'} ${file}: ${tests.length} tests`);
  }
}
