import { join } from 'node:path';
import { Child } from './child.ts';
import { isFor, type Reached } from './reach.ts';
import { namesOf, Reaching, timeOf } from './reaching.ts';
import type { Switched } from './switches.ts';
import type { Asked, Noticed } from './trial.ts';
import type { Verdicts } from './verdicts.ts';

/** After this many tests without a kill, a mutant is left to the individual trials. */
const MOST_PASSED = 12;
/** How many of a file's tests try a mutant, nearest ones first; more if the file is about the mutant's file. */
const MOST_OF_A_FILE = 4;
const MOST_OF_ITS_OWN = 12;

/** After this many files in a row without a kill, judging one by one is faster. */
const MOST_IN_VAIN = 6;

/** Time after which a file without an answer is ended, because a mutant may loop forever. */
const PATIENCE_MS = 300_000;

/** Approximate number of repetitions of each test in a file. */
const TRIES = 4;

/**
 * Tries mutants together until the deadline `until` (epoch milliseconds). Unless `all` is set, it also stops once few
 * more are killed. Returns mutant id → file that killed it.
 */
export async function killedTogether(
  reach: readonly Reached[],
  mutants: readonly Switched[],
  { until, all, verdicts }: { until: number; all: boolean; verdicts: Verdicts },
): Promise<Map<number, string>> {
  const [killed, passed] = [new Map<number, string>(), new Map<number, number>()];
  const reaching = new Reaching(reach);
  const isSettled = ({ id }: Switched): boolean => killed.has(id) || (passed.get(id) ?? 0) >= MOST_PASSED;
  const worths = new Map(
    reach.map((each) => [
      each,
      new Map(
        mutants
          .filter((mutant) => mutant.within > 0 && !verdicts.hasPassedTogether(mutant, each.file))
          .map((mutant) => [mutant, reaching.worthOf(each, mutant)])
          .filter((pair): pair is [Switched, number] => Number(pair[1]) > 0),
      ),
    ]),
  );
  // A mutant's chances are shared between its files, so that files with mutants that few others reach come first.
  const whole = new Map<Switched, number>();
  for (const of of worths.values())
    for (const [mutant, worth] of of) whole.set(mutant, (whole.get(mutant) ?? 0) + worth);
  const openTo = (each: Reached): Switched[] => [...(worths.get(each)?.keys() ?? [])].filter((one) => !isSettled(one));
  const worthOf = (each: Reached): number =>
    openTo(each).reduce((sum, mutant) => sum + (worths.get(each)?.get(mutant) ?? 0) / (whole.get(mutant) ?? 1), 0);
  const child = new Child<Asked, Noticed>(join(import.meta.dirname, 'trial.ts'), PATIENCE_MS, {
    mutants: [...mutants],
  });
  // Chosen again after each file, because the open mutants change.
  const next = (): Reached | undefined =>
    [...worths.keys()]
      .map((each) => ({ each, worth: worthOf(each) }))
      .filter(({ worth }) => worth > 0)
      .sort((one, other) => other.worth - one.worth)[0]?.each;
  let inVain = 0;
  for (let each = next(); each && Date.now() < until && (all || inVain < MOST_IN_VAIN); each = next()) {
    const open = openTo(each);
    worths.delete(each);
    const { project, file } = each;
    const most = open.some((mutant) => isFor(file, mutant.file)) ? MOST_OF_ITS_OWN : MOST_OF_A_FILE;
    const tests = reaching.nearestTo(each, open, most);
    const names = namesOf(tests, each.tests);
    const settled = mutants.filter((mutant) => !open.includes(mutant)).map(({ id }) => id);
    const took = timeOf(names ? tests : each.tests);
    const noticed = await child.ask({ selection: { project, file, names }, settled, most }, TRIES * took);
    if (noticed === 'for ever') {
      // Some mutant in this file loops forever and would again, so they are all tried individually.
      for (const { id } of open) passed.set(id, MOST_PASSED);
      console.log(`${file}: does not end`);
      continue;
    }
    if (noticed === null) continue;
    inVain = noticed.killed.length > 0 ? 0 : inVain + 1;
    for (const id of noticed.killed) killed.set(id, file);
    for (const id of noticed.passed) passed.set(id, (passed.get(id) ?? 0) + 1);
    for (const mutant of open) if (!killed.has(mutant.id)) verdicts.note(mutant, 'passedTogether', file);
    console.log(`${file}: ${killed.size} of ${mutants.length} killed`);
  }
  child.end();
  return killed;
}
