import { writeFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

const ROOT = resolve(import.meta.dirname, '../..');

/** What a test file reaches, as the mutants are chosen and its place in their queue. */
export interface Reached {
  project: string;
  /** From the clone's top. */
  file: string;
  /** Milliseconds of its tests. */
  took: number;
  passed: boolean;
  /** Functions, as `file:start`. */
  functions: string[];
}

/** Writes down, for each test file, which of our functions its tests reach. */
export class ReachReporter implements Reporter {
  #out: string;
  #all: Reached[] = [];

  constructor(out: string) {
    this.#out = out;
  }

  onTestModuleEnd(module: TestModule): void {
    const functions = new Set<string>();
    let took = 0;
    for (const test of module.children.allTests()) {
      for (const each of test.meta().reached ?? []) functions.add(each);
      took += test.diagnostic()?.duration ?? 0;
    }
    this.#all.push({
      project: module.project.name,
      file: relative(ROOT, module.moduleId),
      took,
      passed: module.ok(),
      functions: [...functions],
    });
    console.log(`${module.ok() ? 'read' : 'FAILED'} ${relative(ROOT, module.moduleId)}: ${functions.size} functions`);
  }

  onTestRunEnd(): void {
    writeFileSync(this.#out, JSON.stringify(this.#all));
  }
}
