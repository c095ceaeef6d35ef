/** Search parameters of a results page. This file imports nothing heavy, because every route loads it. */
export interface ViewSearch {
  /** Column id. */
  sort?: string;
  ascending?: true;
  q?: string;
  /** Exact figures instead of 12.4M. */
  digits?: true;
  /** Comma-separated ids of the shown columns; defaults to the specification's. */
  columns?: string;
  /** Alliance tags; the empty tag means no alliance. */
  alliances?: string[];
  hallFrom?: number;
  hallTo?: number;
  powerFrom?: number;
  powerTo?: number;
  /** Only misread rows. */
  flawed?: true;
  chart?: Chart;
  /** Page of paged results, from 1. */
  page?: number;
  /** For orders of many kingdoms: the one whose totals are expanded. */
  kingdom?: number;
  /** For results of several kingdoms: show totals instead of rows. */
  sums?: true;
}

/** The current view and a way to change it, both in the page's URL. */
export interface View {
  search: ViewSearch;
  /** Updates search parameters in place. */
  change: (part: Partial<ViewSearch>) => void;
}

/** Charts beside the totals; the first is the default. */
export const CHARTS = ['rank', 'spread', 'kills'] as const;
export type Chart = (typeof CHARTS)[number];

/** Column ids are API keys. */
const ID = /^[a-z0-9_]{1,40}$/;
const IDS = /^[a-z0-9_]{1,40}(,[a-z0-9_]{1,40}){0,99}$/;
const MOST_ALLIANCES = 200;

/** Returns whether a URL value means true. */
export const on = (value: unknown): boolean => value === true || value === 'true' || value === 1;

const matched = (value: unknown, pattern: RegExp): string | undefined =>
  typeof value === 'string' && pattern.test(value) ? value : undefined;

/** Parses a figure from 0; an empty value means no limit. */
const figure = (value: unknown): number | undefined => {
  const number = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value);
  return value !== null && Number.isFinite(number) && number >= 0 ? number : undefined;
};

/** The router parses a tag of digits as a number. */
const tags = (value: unknown): string[] | undefined => {
  if (value === undefined) return undefined;
  const all = (Array.isArray(value) ? value : [value]).filter((each) => ['string', 'number'].includes(typeof each));
  return all.length > 0 ? [...new Set(all.map(String))].slice(0, MOST_ALLIANCES) : undefined;
};

const pageOf = (value: unknown): number | undefined =>
  Number.isSafeInteger(Number(value)) && Number(value) > 1 ? Number(value) : undefined;

/** Parses search parameters and ignores invalid ones. */
export const viewSearch = (search: Record<string, unknown>): ViewSearch => ({
  sort: matched(search.sort, ID),
  ascending: on(search.ascending) || undefined,
  q: search.q === undefined ? undefined : String(search.q),
  digits: on(search.digits) || undefined,
  columns: matched(search.columns, IDS),
  alliances: tags(search.alliances),
  hallFrom: figure(search.hallFrom),
  hallTo: figure(search.hallTo),
  powerFrom: figure(search.powerFrom),
  powerTo: figure(search.powerTo),
  flawed: on(search.flawed) || undefined,
  page: pageOf(search.page),
  kingdom: figure(search.kingdom),
  sums: on(search.sums) || undefined,
  chart: CHARTS.find((chart) => chart === search.chart),
});
