import { DAY_MS } from '../days.ts';

/** What a customer learns about a kingdom before ordering it. */

/**
 * `known`: scanned before. `new`: never scanned, so bots may first have to get there, which can take hours. `missing`:
 * bots looked for it recently and found nobody.
 */
export const OUTLOOKS = ['known', 'new', 'missing'] as const;
type Outlook = (typeof OUTLOOKS)[number];

/** How long a "not found" stays valid, in ms. */
const MISSED_MS = 7 * DAY_MS;

/** Returns the earliest `missed_at` that still counts. */
export const missedSince = (now: number): number => now - MISSED_MS;

/**
 * Returns what to expect of a kingdom. `scanned_at` is its newest scan, `missed_at` the newest attempt that found
 * nobody, both in epoch milliseconds.
 */
export function outlookOf({ scanned_at, missed_at }: { scanned_at: number | null; missed_at: number | null }): Outlook {
  if (missed_at !== null && missed_at > (scanned_at ?? 0)) return 'missing';
  return scanned_at === null ? 'new' : 'known';
}

/** Kingdoms per call. A history takes longer because its stored days are counted. */
export const MAX_LOOKED_UP = { scan: 500, history: 25 } as const;
