/** What a process says of its troubles: one line each, and the same one not again until it was over or is long ago. */
export interface Trouble {
  tell(text: string): void;
  /** Work went on: the next trouble is news again. */
  over(): void;
}

/** How long a trouble stays told, in milliseconds. */
const TOLD_FOR = 10 * 60_000;
/** A trouble that comes and goes every second is still one trouble. */
const OVER_AFTER = 30_000;

/** Troubles as lines to `write`. */
export function troubleLog(write: (line: string) => void, now: () => number = Date.now): Trouble {
  const told = new Map<string, number>();
  return {
    tell(text) {
      const last = told.get(text);
      if (last !== undefined && now() - last < TOLD_FOR) return;
      told.set(text, now());
      write(text);
    },
    over() {
      for (const [text, at] of told) if (now() - at > OVER_AFTER) told.delete(text);
    },
  };
}
