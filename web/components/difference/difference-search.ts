import { oneOf, type SearchOf, TABLE, text, wholeFrom } from '../../search-params.ts';

export const PAGE_SIZES = [10, 25, 50, 100] as const;
export const DEFAULT_SIZE = 50;

/** Search parameters of a difference table. */
export const DIFFERENCE = {
  ...TABLE,
  size: oneOf<number>(PAGE_SIZES),
  camp: text,
  /** A kingdom, or one of its domains. */
  home: text,
  alliance: text,
  /** Minimum power in the first scan. */
  power: wholeFrom(1),
  /** Governors who joined, left, did not fight or missed a goal, or whose score is unverified. */
  who: oneOf(['joined', 'gone', 'idle', 'doubted', 'below']),
  /** The user's own weights, such as 'killcount_t4:10,killcount_t5:20'. */
  weights: text,
  /** The governor whose score explanation is open. */
  open: wholeFrom(1),
};

export type DifferenceSearch = SearchOf<typeof DIFFERENCE>;
