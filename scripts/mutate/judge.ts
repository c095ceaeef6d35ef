import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Child } from './child.ts';
import type { Selection, Trial, Verdict } from './kept-vitest.ts';
import type { Mutant } from './mutants.ts';
import type { Reached } from './reach.ts';
import { FILE_MS, namesOf, Reaching, timeOf } from './reaching.ts';
import type { Verdicts } from './verdicts.ts';
import { Words } from './words.ts';

export type Outcome = 'killed' | 'survived' | 'not reached';

/** Milliseconds of a trial at the most, what notices soonest first: what all others let pass, the rest rarely notice. */
const MOST_MS = 90_000;
const MOST_FILES = 12;
/** Of these so many that let it pass when it was tried with others: a look at whether that was the trial's doing. */
const MOST_AGAIN = 2;
/** A file of which a part fails alone is run whole where it takes no longer. */
const MOST_WHOLE_MS = 20_000;
/** Until a trial that does not end is ended, and its mutant counted as killed. */
const PATIENCE_MS = 400_000;

interface Candidate extends Selection {
  took: number;
  /** All of its file's tests, in milliseconds. */
  whole: number;
}

/** Milliseconds that their files take, as far as these can be told. */
const timeOfAll = (candidates: readonly Candidate[]): number => timeOf(candidates) + FILE_MS * candidates.length;

const textOf = (file: string): string => readFileSync(join(import.meta.dirname, '../..', file), 'utf8');

const selectionOf = ({ project, file, names }: Candidate): Selection => ({ project, file, names });

/** Judges mutants one after the other by a Vitest of its own that stays. */
export class Judge {
  #reach: readonly Reached[];
  #reaching: Reaching;
  #words: Words;
  #verdicts: Verdicts;
  #vitest = new Child<Trial, Verdict>(join(import.meta.dirname, 'kept-vitest.ts'), PATIENCE_MS);
  /** Selections that were run without a mutant, and whether they pass so. */
  #sound = new Map<string, boolean>();

  constructor(reach: readonly Reached[], verdicts: Verdicts) {
    this.#reach = reach;
    this.#reaching = new Reaching(reach);
    this.#words = new Words(reach.map(({ file }) => [file, textOf(file)]));
    this.#verdicts = verdicts;
  }

  /** Answers null where the time (epoch milliseconds) is over; what was seen till then is kept. */
  async judge(mutant: Mutant, until: number): Promise<{ outcome: Outcome; by: string } | null> {
    const all = this.#candidates(mutant);
    if (all.length === 0) return { outcome: 'not reached', by: '' };
    let open = all.filter(({ file }) => !this.#verdicts.hasPassed(mutant, file));
    while (open.length > 0) {
      if (Date.now() > until) return null;
      // In one runtime, whose start takes longer than most files do.
      const group = open.filter(({ project }) => project === open[0]?.project);
      const verdict = await this.#vitest.ask({ mutant, selections: group.map(selectionOf) }, timeOfAll(group));
      if (verdict === 'for ever') {
        console.log(`does not end: ${mutant.file}:${mutant.line}`);
        return { outcome: 'killed', by: (group[0] as Candidate).file };
      }
      const passed = group.slice(0, verdict.failed ?? group.length);
      for (const { file } of passed) this.#verdicts.note(mutant, 'passed', file);
      open = open.filter((each) => !passed.includes(each));
      const failed = verdict.failed === null ? undefined : group[verdict.failed];
      if (!failed) continue;
      if (await this.#isSound(failed)) return { outcome: 'killed', by: failed.file };
      const again =
        failed.names && failed.whole < MOST_WHOLE_MS ? [{ ...failed, names: null, took: failed.whole }] : [];
      open = [...again, ...open.filter((each) => each !== failed)];
    }
    return { outcome: 'survived', by: `${all.length} files` };
  }

  end(): void {
    this.#vitest.end();
  }

  #candidates(mutant: Mutant): Candidate[] {
    const found = this.#reach.flatMap((each) => {
      const tests = this.#reaching.testsTo(each, [mutant]);
      const inHooks = this.#reaching.isInHooks(each, mutant);
      if (tests.length === 0 && !inHooks) return [];
      const names = inHooks ? null : namesOf(tests, each.tests);
      const whole = timeOf(each.tests);
      const took = names ? timeOf(tests) : whole;
      const worth = Math.max(this.#reaching.worthOf(each, mutant), inHooks ? 1e-3 / (whole + FILE_MS) : 0);
      const isAgain = this.#verdicts.hasPassedTogether(mutant, each.file);
      return [{ project: each.project, file: each.file, names, took, whole, worth, isAgain }];
    });
    found.sort((one, other) => other.worth - one.worth);
    // Of what all tests come to, those notice it that speak of it.
    const near = this.#words.nearness(textOf(mutant.file), mutant);
    const spoken = found.toSorted((one, other) => (near.get(other.file) ?? 0) - (near.get(one.file) ?? 0));
    const inTurn = [...new Set(found.flatMap((each, index) => [each, spoken[index] ?? each]))];
    const anew = inTurn.filter(({ isAgain }) => !isAgain);
    const again = inTurn.filter(({ isAgain }) => isAgain).slice(0, MOST_AGAIN);
    const isAffordable = (_: Candidate, index: number, all: readonly Candidate[]): boolean =>
      index === 0 || (index < MOST_FILES && timeOfAll(all.slice(0, index + 1)) < MOST_MS);
    return [...again, ...anew].filter(isAffordable);
  }

  /** A test that needs the one before fails alone as well, and says nothing of the mutant. */
  async #isSound(candidate: Candidate): Promise<boolean> {
    const selection = selectionOf(candidate);
    const key = JSON.stringify(selection);
    const known = this.#sound.get(key);
    if (known !== undefined) return known;
    const verdict = await this.#vitest.ask({ mutant: null, selections: [selection] }, timeOfAll([candidate]));
    const isSound = verdict !== 'for ever' && verdict.failed === null;
    this.#sound.set(key, isSound);
    if (!isSound) console.log(`says nothing, since it fails without a mutant too: ${key}`);
    return isSound;
  }
}
