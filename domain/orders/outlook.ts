import { DAY_MS } from '../days.ts';

/** What a customer is told of a kingdom before he orders it. */

/**
 * `known`: scanned before. `new`: never scanned, so bots may have to get there first, which can take hours. `missing`:
 * the last ones that looked for it, lately, came back without a row.
 */
export const OUTLOOKS = ['known', 'new', 'missing'] as const;
export type Outlook = (typeof OUTLOOKS)[number];

/** How long it counts that bots found nothing. */
const MISSED_MS = 7 * DAY_MS;

/** The first moment that `missed_at` is looked for from. */
export const missedSince = (now: number): number => now - MISSED_MS;

/** What to expect of a kingdom: moments of its newest scan, and of the newest that brought nothing (epoch milliseconds). */
export function outlookOf({ scanned_at, missed_at }: { scanned_at: number | null; missed_at: number | null }): Outlook {
  if (missed_at !== null && missed_at > (scanned_at ?? 0)) return 'missing';
  return scanned_at === null ? 'new' : 'known';
}

/** How many kingdoms one call asks about; of a history, what is stored is counted, which takes longer. */
export const MAX_LOOKED_UP = { scan: 500, history: 25 } as const;
