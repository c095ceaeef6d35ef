import { join } from 'node:path';
import { Child } from './child.ts';
import type { Reached } from './reach.ts';
import type { Switched } from './switches.ts';
import type { Asked, Noticed } from './trial.ts';

/** Tests that let a mutant pass until it is left to the trials one by one. */
const MOST_PASSED = 30;
/** Until a file that does not end is ended: a mutant may turn for ever. */
const PATIENCE_MS = 300_000;

/** How often each test of a file is run again, about. */
const TRIES = 4;

/** What a file costs before its first test. */
const START_MS = 3_000;

/** Test files by what they come to for their time; what few files come to counts most. */
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
    const sum = [...(found.get(each) ?? [])].reduce((all, one) => all + 1 / (files.get(one) ?? 1), 0);
    return sum / each.tests.reduce((all, { took }) => all + took, START_MS);
  };
  return reach.filter((each) => worth(each) > 0).sort((one, other) => worth(other) - worth(one));
}

/** Tries these mutants together, until the time (epoch milliseconds) is over; answers which file killed which. */
export async function killedTogether(
  reach: readonly Reached[],
  mutants: readonly Switched[],
  until: number,
): Promise<Map<number, string>> {
  const [killed, passed] = [new Map<number, string>(), new Map<number, number>()];
  const isSettled = ({ id }: Switched): boolean => killed.has(id) || (passed.get(id) ?? 0) >= MOST_PASSED;
  const child = new Child<Asked, Noticed>(join(import.meta.dirname, 'trial.ts'), PATIENCE_MS, {
    mutants: [...mutants],
  });
  for (const { project, file, tests } of inOrder(reach, mutants)) {
    if (Date.now() > until) break;
    const open = new Set(mutants.filter((each) => !isSettled(each)).map((each) => `${each.file}:${each.within}`));
    if (!tests.some(({ functions }) => functions.some((each) => open.has(each)))) continue;
    const settled = mutants.filter(isSettled).map(({ id }) => id);
    const took = tests.reduce((all, test) => all + test.took, 0);
    const noticed = await child.ask({ selection: { project, file, names: null }, settled }, TRIES * took);
    if (noticed === 'for ever') {
      // One of those that it comes to turns for ever, and would again: they are tried one by one.
      const reached = new Set(tests.flatMap(({ functions }) => functions));
      for (const { id, ...each } of mutants)
        if (reached.has(`${each.file}:${each.within}`)) passed.set(id, MOST_PASSED);
      console.log(`${file}: does not end`);
      continue;
    }
    if (noticed === null) continue;
    for (const id of noticed.killed) killed.set(id, file);
    for (const id of noticed.passed) passed.set(id, (passed.get(id) ?? 0) + 1);
    console.log(`${file}: ${killed.size} of ${mutants.length} killed`);
  }
  child.end();
  return killed;
}
