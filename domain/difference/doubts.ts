/**
 * Why a gain is left out of guarded figures. A doubt is about figures of a pair of readings, never about the whole
 * governor (the truths of real files: lifetime counters never fall, and a reading without any kills beside one with
 * kills proves nothing).
 */
export const DOUBTS = ['fell', 'one_empty', 'impossible'] as const;
export type Doubt = (typeof DOUBTS)[number];

/** In a few words, for a mark beside a figure. */
export const DOUBT_TITLE: Readonly<Record<Doubt, string>> = {
  fell: 'Counter fell',
  one_empty: 'One reading is empty',
  impossible: 'Impossible figure',
};

export const DOUBT_TEXT: Readonly<Record<Doubt, string>> = {
  fell: 'A counter that never falls is lower than before: one of the two readings is wrong.',
  one_empty: 'One of the two readings has nothing here, so the gain would be a whole life.',
  impossible: 'One of the two readings cannot be: no power at all.',
};

/** Doubts of many rows as bytes: 0 for none, else the place in DOUBTS from 1. */
export type Doubts = Uint8Array;

export const NO_DOUBT = 0;
export const FELL = 1;
export const ONE_EMPTY = 2;
export const IMPOSSIBLE = 3;

/** The doubt behind a byte, or null. */
export const doubtAt = (doubts: Doubts, row: number): Doubt | null => DOUBTS[(doubts[row] ?? NO_DOUBT) - 1] ?? null;
