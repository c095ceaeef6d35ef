/** What the address of a page of results says: how the table is looked at. Loads nothing: every route knows it. */
export interface ViewSearch {
  /** The id of a column. */
  sort?: string;
  ascending?: true;
  q?: string;
  /** Every digit in place of 12.4M. */
  digits?: true;
  /** Ids of the columns that show, with commas between them; without it, the specification's. */
  columns?: string;
  /** Tags of alliances; the empty one stands for none. */
  alliances?: string[];
  hallFrom?: number;
  hallTo?: number;
  powerFrom?: number;
  powerTo?: number;
  /** Only rows that were misread. */
  flawed?: true;
  chart?: Chart;
  /** Of results that come page by page, from 1 on. */
  page?: number;
  /** Of the many kingdoms of an order, the one whose sums are shown in full. */
  kingdom?: number;
  /** Of the results of several kingdoms: what they add up to, in place of the rows. */
  sums?: true;
}

/** How the results are looked at, and what changes that: the address of the page. */
export interface View {
  search: ViewSearch;
  /** Changes parts of the address in place. */
  change: (part: Partial<ViewSearch>) => void;
}

/** The charts beside the sums; the first one shows unless the address names another. */
export const CHARTS = ['rank', 'spread', 'kills'] as const;
export type Chart = (typeof CHARTS)[number];

/** Ids of columns are keys of the wire. */
const ID = /^[a-z0-9_]{1,40}$/;
const IDS = /^[a-z0-9_]{1,40}(,[a-z0-9_]{1,40}){0,99}$/;
const MOST_ALLIANCES = 200;

/** True for the ways in which people write a flag into an address. */
export const on = (value: unknown): boolean => value === true || value === 'true' || value === 1;

const matched = (value: unknown, pattern: RegExp): string | undefined =>
  typeof value === 'string' && pattern.test(value) ? value : undefined;

/** A figure from nothing on; an empty end of a range is no figure. */
const figure = (value: unknown): number | undefined => {
  const number = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value);
  return value !== null && Number.isFinite(number) && number >= 0 ? number : undefined;
};

/** A tag of digits comes as a number. */
const tags = (value: unknown): string[] | undefined => {
  if (value === undefined) return undefined;
  const all = (Array.isArray(value) ? value : [value]).filter((each) => ['string', 'number'].includes(typeof each));
  return all.length > 0 ? [...new Set(all.map(String))].slice(0, MOST_ALLIANCES) : undefined;
};

const pageOf = (value: unknown): number | undefined =>
  Number.isSafeInteger(Number(value)) && Number(value) > 1 ? Number(value) : undefined;

/** The view that an address asks for; what it asks for in vain is left out. */
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
