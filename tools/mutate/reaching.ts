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

  /** Returns the key by which tests are looked up. Top-level code is noticed through the file's functions. */
  keyOf({ key, file, within }: Mutant): string {
    return within > 0 && this.#known.has(key) ? key : anyOf(file);
  }

  /** Returns a file's tests that reach one of the mutants. */
  testsTo({ tests }: Reached, mutants: readonly Mutant[]): Test[] {
    const keys = [...new Set(mutants.map((each) => this.keyOf(each)))];
    return tests.filter((test) => keys.some((key) => this.#of.get(test)?.has(key)));
  }

  /** Returns, for each mutant, up to `most` of these tests that are likely to notice it soonest. */
  nearestTo(each: Reached, mutants: readonly Mutant[], most: number): Test[] {
    const nearest = new Set(
      mutants.flatMap((mutant) =>
        this.testsTo(each, [mutant])
          .sort((one, other) => costOf(one) - costOf(other))
          .slice(0, most),
      ),
    );
    return each.tests.filter((test) => nearest.has(test));
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
    const tests = this.testsTo(each, [mutant]);
    const close = tests.reduce((all, test) => all + 1 / (test.functions.length + 20), 0);
    const own = isFor(each.file, mutant.file) ? OWN : 1;
    return (own * Math.sqrt(close)) / (timeOf(tests) + FILE_MS);
  }
}

/** A test that reaches much else is less likely to notice a mutant, and slower. */
const costOf = ({ functions, took }: Test): number => (functions.length + 20) * (took + 100);

const anyOf = (file: string): string => `${file} any`;
const fileOf = (key: string): string => key.slice(0, key.indexOf('#'));
