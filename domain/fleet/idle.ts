/** Decides when a bot without work asks again. */

/** While subtasks of its games are open, because leases run out and failed subtasks return. In milliseconds. */
const AT_WORK_MS = 5000;
const LEAST_MS = 1000;
/** At this interval an idle bot costs less than 0.02 USD a month (docs/costs.md). In milliseconds. */
export const LONGEST_IDLE_MS = 240_000;
/**
 * A bot waits for this fraction of the time since the last order, because users who have just ordered may order again.
 */
const PART = 10;

/**
 * Returns how long a bot that was leased nothing waits at most, in milliseconds. `open` tells whether subtasks of its
 * games are open. `placed_at` is the time of the last order, or null if there was none.
 */
export function askAgainMs({ open, placed_at }: { open: boolean; placed_at: number | null }, now: number): number {
  if (open) return AT_WORK_MS;
  const quiet = placed_at === null ? Number.POSITIVE_INFINITY : now - placed_at;
  return Math.min(LONGEST_IDLE_MS, Math.max(LEAST_MS, Math.floor(quiet / PART)));
}
