import { join } from 'node:path';
import { Child } from './child.ts';
import type { Reached } from './reach.ts';
import type { Switched } from './switches.ts';
import type { Asked, Noticed } from './trial.ts';

/** Tests that let a mutant pass until it is left to the trials one by one. */
const MOST_PASSED = 30;
/** Until a file that does not end is ended: a mutant may turn for ever. */
const PATIENCE_MS = 300_000;

/** What a file costs before its first test. */
const START_MS = 3_000;

/** Test files that come to most of these mutants for the least time first. */
function inOrder(reach: readonly Reached[], mutants: readonly Switched[]): Reached[] {
  const functions = new Set(mutants.map(({ file, within }) => `${file}:${within}`));
  const worth = ({ tests }: Reached): number => {
    const found = new Set(tests.flatMap(({ functions: all }) => all.filter((each) => functions.has(each))));
    return found.size / tests.reduce((sum, { took }) => sum + took, START_MS);
  };
  const worths = new Map(reach.map((each) => [each, worth(each)]));
  return reach
    .filter((each) => worths.get(each) !== 0)
    .sort((one, other) => (worths.get(other) ?? 0) - (worths.get(one) ?? 0));
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
    const noticed = await child.ask({ selection: { project, file, names: null }, settled });
    if (noticed === 'for ever' || noticed === null) continue;
    for (const id of noticed.killed) killed.set(id, file);
    for (const id of noticed.passed) passed.set(id, (passed.get(id) ?? 0) + 1);
    console.log(`${file}: ${killed.size} of ${mutants.length} killed`);
  }
  child.end();
  return killed;
}
