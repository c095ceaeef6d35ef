import { join } from 'node:path';
import { Child } from './child.ts';
import { importedBy, type Reached } from './reach.ts';
import type { Switched } from './switches.ts';
import type { Asked, Noticed } from './trial.ts';

/** Tests that let a mutant pass until it is left to the trials one by one. */
const MOST_PASSED = 30;
/** Until a file that does not end is ended: a mutant may turn for ever. */
const PATIENCE_MS = 300_000;

/** How often each test of a file is run again, about. */
const TRIES = 4;

/** In how many tests of a file a mutant is tried at most; in more where the file is there for the mutant's. */
const MOST_IN_A_FILE = 12;
const MOST_IN_ITS_OWN = 100;

/** So many files in a row that kill nothing, and what is left is quicker judged one by one. */
const MOST_IN_VAIN = 10;

/** What a file costs before its first test. */
const START_MS = 3_000;

/** How much more a function counts that stands in a file which the test file imports itself. */
const OWN = 10;

/** Test files by what they come to for their time; what few files come to counts most, and what they are there for. */
function inOrder(reach: readonly Reached[], mutants: readonly Switched[]): Reached[] {
  const wanted = new Set(mutants.map(({ file, within }) => `${file}:${within}`));
  const found = new Map(
    reach.map((each) => [
      each,
      new Set(each.tests.flatMap(({ functions }) => functions.filter((one) => wanted.has(one)))),
    ]),
  );
  const files = new Map<string, number>();
  for (const functions of found.values()) for (const one of functions) files.set(one, (files.get(one) ?? 0) + 1);
  const worth = (each: Reached): number => {
    const imported = importedBy(each.file);
    const weight = (one: string): number => (imported.has(one.slice(0, one.lastIndexOf(':'))) ? OWN : 1);
    const sum = [...(found.get(each) ?? [])].reduce((all, one) => all + weight(one) / (files.get(one) ?? 1), 0);
    return sum / each.tests.reduce((all, { took }) => all + took, START_MS);
  };
  const worths = new Map(reach.map((each) => [each, worth(each)]));
  const worthOf = (each: Reached): number => worths.get(each) ?? 0;
  return reach.filter((each) => worthOf(each) > 0).sort((one, other) => worthOf(other) - worthOf(one));
}

/**
 * Tries these mutants together, until the time (epoch milliseconds) is over, or, unless it is `all` that is done with
 * them, until hardly any more are killed; answers which file killed which.
 */
export async function killedTogether(
  reach: readonly Reached[],
  mutants: readonly Switched[],
  until: number,
  all: boolean,
): Promise<Map<number, string>> {
  const [killed, passed] = [new Map<number, string>(), new Map<number, number>()];
  const isSettled = ({ id }: Switched): boolean => killed.has(id) || (passed.get(id) ?? 0) >= MOST_PASSED;
  const child = new Child<Asked, Noticed>(join(import.meta.dirname, 'trial.ts'), PATIENCE_MS, {
    mutants: [...mutants],
  });
  let inVain = 0;
  for (const { project, file, tests } of inOrder(reach, mutants)) {
    if (Date.now() > until || (!all && inVain >= MOST_IN_VAIN)) break;
    const open = new Set(mutants.filter((each) => !isSettled(each)).map((each) => `${each.file}:${each.within}`));
    if (!tests.some(({ functions }) => functions.some((each) => open.has(each)))) continue;
    const settled = mutants.filter(isSettled).map(({ id }) => id);
    const took = tests.reduce((all, test) => all + test.took, 0);
    const imported = importedBy(file);
    const most = mutants.some((each) => imported.has(each.file)) ? MOST_IN_ITS_OWN : MOST_IN_A_FILE;
    const noticed = await child.ask({ selection: { project, file, names: null }, settled, most }, TRIES * took);
    if (noticed === 'for ever') {
      // One of those that it comes to turns for ever, and would again: they are tried one by one.
      const reached = new Set(tests.flatMap(({ functions }) => functions));
      for (const { id, ...each } of mutants)
        if (reached.has(`${each.file}:${each.within}`)) passed.set(id, MOST_PASSED);
      console.log(`${file}: does not end`);
      continue;
    }
    if (noticed === null) continue;
    inVain = noticed.killed.length > 0 ? 0 : inVain + 1;
    for (const id of noticed.killed) killed.set(id, file);
    for (const id of noticed.passed) passed.set(id, (passed.get(id) ?? 0) + 1);
    console.log(`${file}: ${killed.size} of ${mutants.length} killed`);
  }
  child.end();
  return killed;
}
