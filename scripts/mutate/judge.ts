import { join } from 'node:path';
import { Child } from './child.ts';
import type { Selection, Trial, Verdict } from './kept-vitest.ts';
import type { Mutant } from './mutants.ts';
import { importedBy, type Reached } from './reach.ts';

export type Outcome = 'killed' | 'survived' | 'not reached';

/** Milliseconds of a trial's tests at the most, quickest first: what all others let pass, the slow ones rarely notice. */
const MOST_MS = 60_000;
const MOST_FILES = 12;
/** A file whose tests take less is run whole: what a test does late (an alarm) may count as the next one's. */
const WHOLE_MS = 2_500;
/** What a file costs before its first test. */
const FILE_MS = 3_000;
/** Until a trial that does not end is ended, and its mutant counted as killed. */
const PATIENCE_MS = 240_000;

interface Candidate extends Selection {
  took: number;
}

const sum = (tests: readonly { took: number }[]): number => tests.reduce((all, { took }) => all + took, 0);

/** Milliseconds that their files take, as far as these can be told. */
const timeOf = (candidates: readonly Candidate[]): number => sum(candidates) + FILE_MS * candidates.length;

/** The tests that reach a function, as few as can be said. */
function candidateOf({ project, file, always, tests }: Reached, key: string): Candidate | null {
  const reaching = tests.filter(({ functions }) => functions.includes(key));
  const inHooks = always.includes(key);
  if (reaching.length === 0 && !inHooks) return null;
  const isWhole = inHooks || sum(tests) < WHOLE_MS || reaching.length === tests.length;
  if (isWhole) return { project, file, names: null, took: sum(tests) };
  return { project, file, names: reaching.map(({ name }) => name), took: sum(reaching) };
}

/** Judges mutants one after the other by a Vitest of its own that stays. */
export class Judge {
  #reach: readonly Reached[];
  #vitest = new Child<Trial, Verdict>(join(import.meta.dirname, 'kept-vitest.ts'), PATIENCE_MS);
  /** Selections that were run without a mutant, and whether they pass so. */
  #sound = new Map<string, boolean>();

  constructor(reach: readonly Reached[]) {
    this.#reach = reach;
  }

  async judge(mutant: Mutant): Promise<{ outcome: Outcome; by?: string }> {
    const key = `${mutant.file}:${mutant.within}`;
    const reaching = this.#reach.flatMap((each) => candidateOf(each, key) ?? []);
    if (reaching.length === 0) return { outcome: 'not reached' };
    // First what needs no workerd, then what is there for the mutant's file, then the quickest.
    const isPlain = ({ project }: Selection): number => Number(project === 'worker');
    const isOther = ({ file }: Selection): number => Number(!importedBy(file).has(mutant.file));
    reaching.sort(
      (one, other) => isPlain(one) - isPlain(other) || isOther(one) - isOther(other) || one.took - other.took,
    );
    const isAffordable = (_: Candidate, index: number): boolean =>
      index === 0 || (index < MOST_FILES && sum(reaching.slice(0, index + 1)) < MOST_MS);
    const affordable = reaching.filter(isAffordable);
    const selections = affordable.map(({ project, file, names }) => ({ project, file, names }));
    for (let first = 0; first < selections.length; first++) {
      const took = timeOf(affordable.slice(first));
      const verdict = await this.#vitest.ask({ mutant, selections: selections.slice(first) }, took);
      if (verdict === 'for ever') return { outcome: 'killed', by: 'turning for ever' };
      if (verdict.failed === null) break;
      first += verdict.failed;
      const selection = selections[first] as Selection;
      if (await this.#isSound(selection, timeOf(affordable.slice(first, first + 1))))
        return { outcome: 'killed', by: selection.file };
    }
    return { outcome: 'survived' };
  }

  end(): void {
    this.#vitest.end();
  }

  /** A test that needs the one before fails alone as well, and says nothing of the mutant. */
  async #isSound(selection: Selection, took: number): Promise<boolean> {
    const key = JSON.stringify(selection);
    const known = this.#sound.get(key);
    if (known !== undefined) return known;
    const verdict = await this.#vitest.ask({ mutant: null, selections: [selection] }, took);
    const isSound = verdict !== 'for ever' && verdict.failed === null;
    this.#sound.set(key, isSound);
    if (!isSound) console.log(`says nothing, since it fails without a mutant too: ${key}`);
    return isSound;
  }
}
