import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Selection, Trial, Verdict } from './kept-vitest.ts';
import type { Mutant } from './mutants.ts';
import type { Reached } from './reach.ts';

export type Outcome = 'killed' | 'survived' | 'not reached';

/** Milliseconds of a trial's tests at the most, quickest first: what all others let pass, the slow ones rarely notice. */
const MOST_MS = 60_000;
const MOST_FILES = 12;
/** A file whose tests take less is run whole: what a test does late (an alarm) may count as the next one's. */
const WHOLE_MS = 2_500;
/** Until a trial that does not end is ended, and its mutant counted as killed. */
const PATIENCE_MS = 240_000;

interface Candidate extends Selection {
  took: number;
}

const sum = (tests: readonly { took: number }[]): number => tests.reduce((all, { took }) => all + took, 0);

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
  #vitest: ChildProcess | undefined;
  /** Selections that were run without a mutant, and whether they pass so. */
  #sound = new Map<string, boolean>();

  constructor(reach: readonly Reached[]) {
    this.#reach = reach;
  }

  async judge(mutant: Mutant): Promise<{ outcome: Outcome; by?: string }> {
    const key = `${mutant.file}:${mutant.within}`;
    const reaching = this.#reach.flatMap((each) => candidateOf(each, key) ?? []);
    if (reaching.length === 0) return { outcome: 'not reached' };
    const isPlain = ({ project }: Selection): number => Number(project === 'worker');
    reaching.sort((one, other) => isPlain(one) - isPlain(other) || one.took - other.took);
    const isAffordable = (_: Candidate, index: number): boolean =>
      index === 0 || (index < MOST_FILES && sum(reaching.slice(0, index + 1)) < MOST_MS);
    const selections = reaching.filter(isAffordable).map(({ project, file, names }) => ({ project, file, names }));
    for (let first = 0; first < selections.length; first++) {
      const verdict = await this.#try({ mutant, selections: selections.slice(first) });
      if (verdict === 'for ever') return { outcome: 'killed', by: 'turning for ever' };
      if (verdict.failed === null) break;
      first += verdict.failed;
      const selection = selections[first] as Selection;
      if (await this.#isSound(selection)) return { outcome: 'killed', by: selection.file };
    }
    return { outcome: 'survived' };
  }

  end(): void {
    if (this.#vitest?.pid) process.kill(-this.#vitest.pid, 'SIGKILL');
    this.#vitest = undefined;
  }

  /** A test that needs the one before fails alone as well, and says nothing of the mutant. */
  async #isSound(selection: Selection): Promise<boolean> {
    const key = JSON.stringify(selection);
    const known = this.#sound.get(key);
    if (known !== undefined) return known;
    const verdict = await this.#try({ mutant: null, selections: [selection] });
    const isSound = verdict !== 'for ever' && verdict.failed === null;
    this.#sound.set(key, isSound);
    if (!isSound) console.log(`says nothing, since it fails without a mutant too: ${key}`);
    return isSound;
  }

  async #try(trial: Trial): Promise<Verdict | 'for ever'> {
    const vitest = await this.#started();
    const over = new AbortController();
    const { signal } = over;
    vitest.send(trial);
    const verdict = await Promise.race([
      once(vitest, 'message', { signal }).then(([message]) => message as Verdict),
      once(vitest, 'exit', { signal }).then(() => 'for ever' as const),
      setTimeout(PATIENCE_MS, 'for ever' as const, { signal }),
    ]);
    over.abort();
    if (verdict === 'for ever') this.end();
    return verdict;
  }

  async #started(): Promise<ChildProcess> {
    if (this.#vitest?.connected) return this.#vitest;
    // A group of its own: its workerd ends with it.
    const vitest = spawn(process.execPath, [join(import.meta.dirname, 'kept-vitest.ts')], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: { ...process.env, CLOUDFLARE_CF_FETCH_ENABLED: 'false' },
      detached: true,
    });
    this.#vitest = vitest;
    await once(vitest, 'message');
    return vitest;
  }
}
