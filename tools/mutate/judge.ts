import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Selection, Trial, Verdict } from './kept-vitest.ts';
import type { Mutant } from './mutants.ts';
import type { Reached } from './reach.ts';
import { FILE_MS, namesOf, Reaching, timeOf, Words } from './reaching.ts';
import type { Verdicts } from './verdicts.ts';

export type Outcome = 'killed' | 'survived' | 'not reached';

/**
 * Longest duration of a trial in ms. It starts with the tests most likely to fail; what these let pass, the rest rarely
 * notice.
 */
const MOST_MS = 90_000;
const MOST_FILES = 12;
/** If a part of a file fails alone, the whole file is run if it takes at most this long, in ms. */
const MOST_WHOLE_MS = 20_000;
/** A trial without an answer is ended after this time, and its mutant counts as killed. */
const PATIENCE_MS = 400_000;

interface Candidate extends Selection {
  took: number;
  /** Duration of all the file's tests, in ms. */
  whole: number;
}

/** Returns the estimated duration of the candidates' files, in ms. */
const timeOfAll = (candidates: readonly Candidate[]): number => timeOf(candidates) + FILE_MS * candidates.length;

const textOf = (file: string): string => readFileSync(join(import.meta.dirname, '../..', file), 'utf8');

const selectionOf = ({ project, file, names }: Candidate): Selection => ({ project, file, names });

/** Time allowed per file besides its tests, and how many times slower these may run on a busy machine. */
const START_MS = 40_000;
const SLOWER = 10;

/** The process of kept-vitest.ts. It starts on demand and is killed if it does not answer. */
class KeptVitest {
  #process: ChildProcess | undefined;

  /** Runs a trial. `took` is the expected time without an endless loop, in ms. */
  async ask(trial: Trial, took: number): Promise<Verdict | 'for ever'> {
    if (!this.#process?.connected) {
      this.end();
      // A process group of its own, so that its workerd is killed too.
      this.#process = spawn(process.execPath, [join(import.meta.dirname, 'kept-vitest.ts')], {
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
        env: { ...process.env, CLOUDFLARE_CF_FETCH_ENABLED: 'false' },
        detached: true,
      });
    }
    return this.#answer(this.#process, trial, Math.min(PATIENCE_MS, START_MS + SLOWER * took));
  }

  end(): void {
    if (this.#process?.pid && this.#process.exitCode === null) process.kill(-this.#process.pid, 'SIGKILL');
    this.#process = undefined;
  }

  async #answer(child: ChildProcess, trial: Trial, patience: number): Promise<Verdict | 'for ever'> {
    const over = new AbortController();
    const { signal } = over;
    child.send(trial);
    const answer = await Promise.race([
      once(child, 'message', { signal }).then(([message]) => message as Verdict),
      once(child, 'exit', { signal }).then(() => 'for ever' as const),
      setTimeout(patience, 'for ever' as const, { signal }),
    ]);
    over.abort();
    if (answer === 'for ever') this.end();
    return answer;
  }
}

/** Judges mutants one after the other in a persistent Vitest process. */
export class Judge {
  #reach: readonly Reached[];
  #reaching: Reaching;
  #words: Words;
  #verdicts: Verdicts;
  #vitest = new KeptVitest();
  /** Selections run without a mutant, and whether they passed. */
  #sound = new Map<string, boolean>();

  constructor(reach: readonly Reached[], verdicts: Verdicts) {
    this.#reach = reach;
    this.#reaching = new Reaching(reach);
    this.#words = new Words(reach.map(({ file }) => [file, textOf(file)]));
    this.#verdicts = verdicts;
  }

  /**
   * Judges a mutant. Returns null if the deadline `until` (epoch milliseconds) has passed; partial results are stored.
   */
  async judge(mutant: Mutant, until: number): Promise<{ outcome: Outcome; by: string } | null> {
    const all = this.#candidates(mutant);
    if (all.length === 0) return { outcome: 'not reached', by: '' };
    let open = all.filter(({ file }) => !this.#verdicts.hasPassed(mutant, file));
    while (open.length > 0) {
      if (Date.now() > until) return null;
      // One runtime for the group, because starting it takes longer than most files.
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
      const tests = this.#reaching.testsTo(each, mutant);
      const inHooks = this.#reaching.isInHooks(each, mutant);
      if (tests.length === 0 && !inHooks) return [];
      const names = inHooks ? null : namesOf(tests, each.tests);
      const whole = timeOf(each.tests);
      const took = names ? timeOf(tests) : whole;
      const worth = Math.max(this.#reaching.worthOf(each, mutant), inHooks ? 1e-3 / (whole + FILE_MS) : 0);
      return [{ project: each.project, file: each.file, names, took, whole, worth }];
    });
    found.sort((one, other) => other.worth - one.worth);
    // If every test reaches the code, those that mention its words are most likely to notice.
    const near = this.#words.nearness(textOf(mutant.file), mutant);
    const spoken = found.toSorted((one, other) => (near.get(other.file) ?? 0) - (near.get(one.file) ?? 0));
    const inTurn = [...new Set(found.flatMap((each, index) => [each, spoken[index] ?? each]))];
    const isAffordable = (_: Candidate, index: number, all: readonly Candidate[]): boolean =>
      index === 0 || (index < MOST_FILES && timeOfAll(all.slice(0, index + 1)) < MOST_MS);
    return inTurn.filter(isAffordable);
  }

  /**
   * Returns whether a selection passes without a mutant. A test that depends on an earlier one also fails alone, which
   * proves nothing.
   */
  async #isSound(candidate: Candidate): Promise<boolean> {
    const selection = selectionOf(candidate);
    const key = JSON.stringify(selection);
    const known = this.#sound.get(key);
    if (known !== undefined) return known;
    const verdict = await this.#vitest.ask({ mutant: null, selections: [selection] }, timeOfAll([candidate]));
    const isSound = verdict !== 'for ever' && verdict.failed === null;
    this.#sound.set(key, isSound);
    if (!isSound) console.log(`ignored, because it fails without a mutant too: ${key}`);
    return isSound;
  }
}
