import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Mutant } from './mutants.ts';
import type { Reached } from './reach.ts';

/** Test files by name, each with the hash of its text; a verdict holds while that is unchanged. */
interface Verdict {
  killedBy?: Record<string, string>;
  /** Test files that passed with this mutant, in full or by the tests that reach it. */
  passed: Record<string, string>;
}

/** Stores verdicts on mutants, so that an interrupted run can continue. */
export class Verdicts {
  #path: string;
  #textOf: (file: string) => string;
  #texts: Map<string, string>;
  #all: Record<string, Verdict>;
  #names = new WeakMap<Mutant, string>();

  constructor(path: string, textOf: (file: string) => string, reach: readonly Reached[]) {
    this.#path = path;
    this.#textOf = textOf;
    this.#texts = new Map(reach.map(({ file, text }) => [file, text]));
    this.#all = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
  }

  /** Returns the test file that killed the mutant. */
  killer(mutant: Mutant): string | undefined {
    return Object.entries(this.#of(mutant).killedBy ?? {}).find((each) => this.#isSo(each))?.[0];
  }

  hasPassed(mutant: Mutant, file: string): boolean {
    return this.#isSo([file, this.#of(mutant).passed[file]]);
  }

  note(mutant: Mutant, what: keyof Verdict, file: string): void {
    const verdict = this.#of(mutant);
    verdict[what] = { ...verdict[what], [file]: this.#texts.get(file) ?? '' };
    this.#all[this.#nameOf(mutant)] = verdict;
    writeFileSync(this.#path, JSON.stringify(this.#all));
  }

  #isSo([file, text]: [string, string | undefined]): boolean {
    return text !== undefined && this.#texts.get(file) === text;
  }

  #of(mutant: Mutant): Verdict {
    return this.#all[this.#nameOf(mutant)] ?? { passed: {} };
  }

  /** Hashes the mutant's file after the change. */
  #nameOf(mutant: Mutant): string {
    const known = this.#names.get(mutant);
    if (known) return known;
    const { file, start, end, replacement } = mutant;
    const text = this.#textOf(file);
    const bent = `${file}\n${text.slice(0, start)}${replacement}${text.slice(end)}`;
    const name = createHash('sha1').update(bent).digest('hex');
    this.#names.set(mutant, name);
    return name;
  }
}
