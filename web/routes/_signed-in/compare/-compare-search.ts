import {
  type DifferenceSearch,
  differenceSearch,
  flag,
  text,
} from '../../../components/difference/difference-search.ts';

/** Search parameters of a comparison: scans, scoring and table view. */
export interface CompareSearch extends DifferenceSearch {
  /** Comma-separated scan ids. */
  from?: string | undefined;
  to?: string | undefined;
  /** Comma-separated ids of fights to add up instead. */
  fights?: string | undefined;
  /** Lines as typed, such as '40M: dkp 2M' (components/difference/lines.ts). */
  goals?: string | undefined;
  zeroed?: string | undefined;
  /** Percent of a farm's score that counts for its main; if omitted, farms count separately. */
  farms?: number | undefined;
  /** Points deducted per power at the start. */
  off?: number | undefined;
  /** Whether the charts are open. */
  charts?: true | undefined;
}

const share = (value: unknown, most: number): number | undefined => {
  const number = Number(value);
  return value !== '' && number >= 0 && number <= most ? number : undefined;
};

/** Parses search parameters and ignores invalid ones. */
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
