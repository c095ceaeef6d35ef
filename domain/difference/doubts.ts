import { message } from '../language/text.ts';

/**
 * Reasons to exclude a gain from guarded figures. A doubt belongs to a figure of a pair of readings, never to the whole
 * governor. Real files show why: lifetime counters never fall, and a reading without any kills next to one with kills
 * proves nothing.
 */
export const DOUBTS = ['fell', 'one_empty', 'impossible'] as const;
export type Doubt = (typeof DOUBTS)[number];

/** Short label for a mark next to a figure. */
export const DOUBT_TITLE: Readonly<Record<Doubt, string>> = {
  fell: message('Counter fell'),
  one_empty: message('One reading is empty'),
  impossible: message('Impossible figure'),
};

export const DOUBT_TEXT: Readonly<Record<Doubt, string>> = {
  fell: message('This counter never falls, but it is lower than before. One of the two readings is wrong.'),
  one_empty: message('One of the two readings is empty here, so the gain would be the lifetime total.'),
  impossible: message('One of the two readings cannot be right, because it shows no power at all.'),
};

/** Doubts of many rows as bytes: 0 for none, else the position in DOUBTS, starting at 1. */
export type Doubts = Uint8Array;

export const NO_DOUBT = 0;
export const FELL = 1;
export const ONE_EMPTY = 2;
export const IMPOSSIBLE = 3;

/** Returns a row's doubt, or null. */
export const doubtAt = (doubts: Doubts, row: number): Doubt | null => DOUBTS[(doubts[row] ?? NO_DOUBT) - 1] ?? null;
