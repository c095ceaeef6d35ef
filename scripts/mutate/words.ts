import type { Mutant } from './mutants.ts';

/** Lines before and after a mutant that say what it is about. */
const AROUND = 2;

/** `emptyBy`, `empty_by` and 'empty by' are the same two words. */
const wordsOf = (text: string): Set<string> =>
  new Set(
    text
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .match(/[a-z]{3,}/g),
  );

/** Says how much a test file speaks of what stands around a mutant: words that few test files have count for more. */
export class Words {
  #of: Map<string, Set<string>>;
  #files = new Map<string, number>();

  /** `tests`: the names of test files, each with its text. */
  constructor(tests: readonly (readonly [file: string, text: string])[]) {
    this.#of = new Map(tests.map(([file, text]) => [file, wordsOf(text)]));
    for (const words of this.#of.values())
      for (const word of words) this.#files.set(word, (this.#files.get(word) ?? 0) + 1);
  }

  /** By the name of each test file; `text` is that of the mutant's file. */
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
