import { figure, flag, matching, oneOf, searchReader, TABLE } from '../../search-params.ts';

/** Charts beside the totals; the first is the default. */
export const CHARTS = ['rank', 'spread', 'kills'] as const;
export type Chart = (typeof CHARTS)[number];

const COLUMN_IDS = /^[a-z0-9_]{1,40}(,[a-z0-9_]{1,40}){0,99}$/;
const MOST_ALLIANCES = 200;

/** The router parses a tag of digits as a number. */
const tags = (value: unknown): string[] | undefined => {
  if (value === undefined) return undefined;
  const all = (Array.isArray(value) ? value : [value]).filter((each) => ['string', 'number'].includes(typeof each));
  return all.length > 0 ? [...new Set(all.map(String))].slice(0, MOST_ALLIANCES) : undefined;
};

/** Search parameters of a results page. This file imports nothing heavy, because every route loads it. */
export const VIEW = {
  ...TABLE,
  /** Exact figures instead of 12.4M. */
  digits: flag,
  /** Comma-separated ids of the shown columns; defaults to the specification's. */
  columns: matching(COLUMN_IDS),
  /** Alliance tags; the empty tag means no alliance. */
  alliances: tags,
  hallFrom: figure,
  hallTo: figure,
  powerFrom: figure,
  powerTo: figure,
  /** Only misread rows. */
  flawed: flag,
  chart: oneOf(CHARTS),
  /** For orders of many kingdoms: the one whose totals are expanded. */
  kingdom: figure,
  /** For results of several kingdoms: show totals instead of rows. */
  sums: flag,
};

export const viewSearch = searchReader(VIEW);
export type ViewSearch = ReturnType<typeof viewSearch>;

/** The current view and a way to change it, both in the page's URL. */
export interface View {
  search: ViewSearch;
  /** Updates search parameters in place. */
  change: (part: Partial<ViewSearch>) => void;
}
