import type { Mutant } from './mutants.ts';
import { isFor, type Reached } from './reach.ts';

/** A file whose tests take less is run whole: what a test does late (an alarm) may count as the next one's. */
const WHOLE_MS = 2_500;
/** What a file costs before its first test, in a runtime that others have used before it. */
export const FILE_MS = 1_500;

/** How much more likely a file notices what it is there for, where others only pass by. */
const OWN = 10;

type Test = Reached['tests'][number];

export const timeOf = (tests: readonly { took: number }[]): number => tests.reduce((all, { took }) => all + took, 0);

/** Which of a file's tests are run for those that were asked for: null for all of them. */
export const namesOf = (wanted: readonly Test[], all: readonly Test[]): string[] | null =>
  wanted.length === all.length || timeOf(all) < WHOLE_MS ? null : wanted.map(({ name }) => name);

/** Says which tests come to a mutant. */
export class Reaching {
  /** For each test, what it reaches: by functions, and by files for what was written since. */
  #of = new Map<Test, Set<string>>();
  #known: Set<string>;
  /** Files of which some test comes to a function. */
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

  /** What a file does when it is read is noticed by what its functions then do. */
  keyOf({ key, file, within }: Mutant): string {
    return within > 0 && this.#known.has(key) ? key : anyOf(file);
  }

  /** The tests of a file that come to one of these mutants. */
  testsTo({ tests }: Reached, mutants: readonly Mutant[]): Test[] {
    const keys = [...new Set(mutants.map((each) => this.keyOf(each)))];
    return tests.filter((test) => keys.some((key) => this.#of.get(test)?.has(key)));
  }

  /** Those of them that notice each of the mutants soonest, at most so many of each. */
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

  /** Whether the file comes to it before or between its tests. */
  isInHooks({ always }: Reached, mutant: Mutant): boolean {
    return always.includes(mutant.key) && (mutant.within > 0 || !this.#files.has(mutant.file));
  }

  /**
   * How likely it seems that the file notices the mutant, for the time it takes: by many tests that do little else
   * rather than by a walk through the whole service, and most by those that are there for the mutant's file.
   */
  worthOf(each: Reached, mutant: Mutant): number {
    const tests = this.testsTo(each, [mutant]);
    const close = tests.reduce((all, test) => all + 1 / (test.functions.length + 20), 0);
    const own = isFor(each.file, mutant.file) ? OWN : 1;
    return (own * Math.sqrt(close)) / (timeOf(tests) + FILE_MS);
  }
}

/** A test that does much else says less of a mutant, and later. */
const costOf = ({ functions, took }: Test): number => (functions.length + 20) * (took + 100);

const anyOf = (file: string): string => `${file} any`;
const fileOf = (key: string): string => key.slice(0, key.indexOf('#'));
