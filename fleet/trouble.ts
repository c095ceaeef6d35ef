/** Logs a process's problems. A repeated problem is logged again only after it was over, or after a while. */
export interface SourceTrouble {
  tell(text: string): void;
  /** Called when work succeeds, so that the next problem is logged. */
  over(): void;
}

/** How long a logged problem is not repeated, in ms. */
const TOLD_FOR = 10 * 60_000;
/** A problem that comes and goes within this time counts as one, in ms. */
const OVER_AFTER = 30_000;

/** Creates a log that passes lines to `write`. */
export function troubleLog(write: (line: string) => void, now: () => number = Date.now): SourceTrouble {
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
