/** When a bot without work asks again. */

/** While subtasks of a game are under way: leases run out, and failed ones come back. In milliseconds. */
const AT_WORK_MS = 5000;
const LEAST_MS = 1000;
/** 22,000 calls of an idle bot a month: less than 0.01 USD (docs/costs.md). In milliseconds. */
const MOST_MS = 120_000;
/** A bot waits for this part of the time since the last order: who has just ordered may order again. */
const PART = 10;

/**
 * How long a bot that was leased nothing waits at most, in milliseconds. `open`: subtasks of its games are under way.
 * `placed_at`: when the last order was placed, or null if none was.
 */
export function askAgainMs({ open, placed_at }: { open: boolean; placed_at: number | null }, now: number): number {
  if (open) return AT_WORK_MS;
  const quiet = placed_at === null ? Number.POSITIVE_INFINITY : now - placed_at;
  return Math.min(MOST_MS, Math.max(LEAST_MS, Math.floor(quiet / PART)));
}
