import {
  type DifferenceSearch,
  differenceSearch,
  flag,
  text,
} from '../../../components/difference/difference-search.ts';

/** What the address says of a comparison: which scans, how it is scored, and how its table is looked at. */
export interface CompareSearch extends DifferenceSearch {
  /** Ids of scans, separated by commas. */
  from?: string | undefined;
  to?: string | undefined;
  /** Ids of fights that are added up instead. */
  fights?: string | undefined;
  /** Lines, as one types them: '40M: dkp 2M' (components/difference/lines.ts). */
  goals?: string | undefined;
  zeroed?: string | undefined;
  /** Percent of a farm's score that counts for its main; without it farms stand for themselves. */
  farms?: number | undefined;
  /** Points off for each power at the start. */
  off?: number | undefined;
  /** Charts are open. */
  charts?: true | undefined;
}

const share = (value: unknown, most: number): number | undefined => {
  const number = Number(value);
  return value !== '' && number >= 0 && number <= most ? number : undefined;
};

/** Reads an address that anyone may have written: what makes no sense is left out. */
export const compareSearch = (search: Record<string, unknown>): CompareSearch => ({
  ...differenceSearch(search),
  from: text(search.from),
  to: text(search.to),
  fights: text(search.fights),
  goals: text(search.goals),
  zeroed: text(search.zeroed),
  farms: share(search.farms, 100),
  off: share(search.off, 1000) || undefined,
  charts: flag(search.charts),
});
