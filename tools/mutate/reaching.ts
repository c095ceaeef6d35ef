import type { Mutant } from './mutants.ts';
import { isFor, type Reached } from './reach.ts';

/**
 * A file with shorter tests is run whole, because late effects of a test (an alarm) may be attributed to the next. In
 * ms.
 */
const WHOLE_MS = 2_500;
/** Cost of a file before its first test, in a runtime that other files have used, in ms. */
export const FILE_MS = 1_500;

/** How much more a test file counts if it is about the mutant's source file. */
const OWN = 10;

type Test = Reached['tests'][number];

export const timeOf = (tests: readonly { took: number }[]): number => tests.reduce((all, { took }) => all + took, 0);

/** Returns the names of the tests to run for the wanted ones, or null to run all. */
export const namesOf = (wanted: readonly Test[], all: readonly Test[]): string[] | null =>
  wanted.length === all.length || timeOf(all) < WHOLE_MS ? null : wanted.map(({ name }) => name);

/** Finds the tests that reach a mutant. */
export class Reaching {
  /** Test → what it reaches: functions, and files as a fallback for code written since. */
  #of = new Map<Test, Set<string>>();
  #known: Set<string>;
  /** Files with a function that some test reaches. */
  #files: Set<string>;

  constructor(reach: readonly Reached[]) {
    this.#known = new Set(
      reach.flatMap(({ always, tests }) => [...always, ...tests.flatMap((test) => test.functions)]),
    );
    this.#files = new Set(reach.flatMap(({ tests }) => tests.flatMap((test) => test.functions.map(fileOf))));
    for (const { tests } of reach)
      for (const test of tests)
        this.#of.set(test, new Set([...test.functions, ...test.functions.map((key) => anyOf(fileOf(key)))]));
  }

  /** Returns a file's tests that reach the mutant. Top-level code is noticed through the file's functions. */
  testsTo({ tests }: Reached, { key, file, within }: Mutant): Test[] {
    const wanted = within > 0 && this.#known.has(key) ? key : anyOf(file);
    return tests.filter((test) => this.#of.get(test)?.has(wanted));
  }

  /** Returns whether the file reaches the mutant before or between its tests. */
  isInHooks({ always }: Reached, mutant: Mutant): boolean {
    return always.includes(mutant.key) && (mutant.within > 0 || !this.#files.has(mutant.file));
  }

  /**
   * Estimates how likely the file notices the mutant, per time it takes. Many focused tests count more than one that
   * walks through the whole service, and tests about the mutant's file count most.
   */
  worthOf(each: Reached, mutant: Mutant): number {
    const tests = this.testsTo(each, mutant);
    const close = tests.reduce((all, test) => all + 1 / (test.functions.length + 20), 0);
    const own = isFor(each.file, mutant.file) ? OWN : 1;
    return (own * Math.sqrt(close)) / (timeOf(tests) + FILE_MS);
  }
}

const anyOf = (file: string): string => `${file} any`;
const fileOf = (key: string): string => key.slice(0, key.indexOf('#'));

/** Lines before and after a mutant that describe its subject. */
const AROUND = 2;

/** Splits into words: `emptyBy`, `empty_by` and 'empty by' are the same two. */
const wordsOf = (text: string): Set<string> =>
  new Set(
    text
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .match(/[a-z]{3,}/g),
  );

/** Measures how many words a test file shares with the code around a mutant. Words in few test files count more. */
export class Words {
  #of: Map<string, Set<string>>;
  #files = new Map<string, number>();

  /** `tests` are names of test files, each with its text. */
  constructor(tests: readonly (readonly [file: string, text: string])[]) {
    this.#of = new Map(tests.map(([file, text]) => [file, wordsOf(text)]));
    for (const words of this.#of.values())
      for (const word of words) this.#files.set(word, (this.#files.get(word) ?? 0) + 1);
  }

  /** Returns the measure by test file name. `text` is that of the mutant's file. */
  nearness(text: string, { start, end }: Mutant): Map<string, number> {
    const before = text.slice(0, start).split('\n').slice(-AROUND).join('\n');
    const after = text.slice(end).split('\n', AROUND).join('\n');
    const around = wordsOf(before + text.slice(start, end) + after);
    return new Map(
      [...this.#of].map(([file, words]) => {
        const shared = [...around].filter((word) => words.has(word));
        return [file, shared.reduce((sum, word) => sum + 1 / (this.#files.get(word) ?? 1), 0)];
      }),
    );
  }
}
