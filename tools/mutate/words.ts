import type { Mutant } from './mutants.ts';

/** Lines before and after a mutant that describe its subject. */
const AROUND = 2;

/** Splits into words: `emptyBy`, `empty_by` and 'empty by' are the same two. */
const wordsOf = (text: string): Set<string> =>
  new Set(
    text
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .match(/[a-z]{3,}/g),
  );

/** Measures how many words a test file shares with the code around a mutant. Words in few test files count more. */
export class Words {
  #of: Map<string, Set<string>>;
  #files = new Map<string, number>();

  /** `tests` are names of test files, each with its text. */
  constructor(tests: readonly (readonly [file: string, text: string])[]) {
    this.#of = new Map(tests.map(([file, text]) => [file, wordsOf(text)]));
    for (const words of this.#of.values())
      for (const word of words) this.#files.set(word, (this.#files.get(word) ?? 0) + 1);
  }

  /** Returns the measure by test file name. `text` is that of the mutant's file. */
  nearness(text: string, { start, end }: Mutant): Map<string, number> {
    const before = text.slice(0, start).split('\n').slice(-AROUND).join('\n');
    const after = text.slice(end).split('\n', AROUND).join('\n');
    const around = wordsOf(before + text.slice(start, end) + after);
    return new Map(
      [...this.#of].map(([file, words]) => {
        const shared = [...around].filter((word) => words.has(word));
        return [file, shared.reduce((sum, word) => sum + 1 / (this.#files.get(word) ?? 1), 0)];
      }),
    );
  }
}
