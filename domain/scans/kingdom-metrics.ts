import { message } from '../language/text.ts';

/**
 * Totals of a kingdom's scan besides power, score, deads, halls and governors. Each is declared once here, and used by
 * a scan's totals, the kingdom page, the kingdom board and the contract. Days and boards stored before one was added
 * lack it.
 */

interface KingdomMetric {
  /** Key in a scan's totals. */
  key: string;
  /** Key in a row of the board (specification, section 5). */
  row: string;
  /** Columns that contain it, by either game's key. The first one in the scan counts. */
  columns: readonly string[];
  /** How the values are combined: `kinds` counts distinct values. */
  made: 'sum' | 'average' | 'kinds';
  /** How it is formatted: all digits, in millions, or in billions and trillions. */
  unit: 'exact' | 'millions' | 'billions';
  /** Column heading on the board. */
  short: string;
  title: string;
}

export const KINGDOM_METRICS = [
  {
    key: 'domain_count',
    row: 'domain_count',
    columns: ['domain'],
    made: 'kinds',
    unit: 'exact',
    short: message('Domains'),
    title: message('Domains'),
  },
  {
    key: 'rss_given',
    row: 'total_rss_given',
    columns: ['rss_given', 'resources_given'],
    made: 'sum',
    unit: 'billions',
    short: message('RSS given'),
    title: message('Resources given'),
  },
  {
    key: 'rss_gathered',
    row: 'total_rss_gathered',
    columns: ['rss_gathered'],
    made: 'sum',
    unit: 'billions',
    short: message('RSS gathered'),
    title: message('Resources gathered'),
  },
  {
    key: 'lost_kingdom_most_killed_average',
    row: 'lost_kingdom_most_killed_average',
    columns: ['lost_kingdom_most_killed'],
    made: 'average',
    unit: 'millions',
    short: message('LK killed'),
    title: message('Most killed in a Lost Kingdom, on average'),
  },
  {
    key: 'lost_kingdom_most_lost_average',
    row: 'lost_kingdom_most_lost_average',
    columns: ['lost_kingdom_most_lost'],
    made: 'average',
    unit: 'millions',
    short: message('LK lost'),
    title: message('Most lost in a Lost Kingdom, on average'),
  },
] as const satisfies readonly KingdomMetric[];

type Metric = (typeof KINGDOM_METRICS)[number];

/** Values by key in totals. */
export type ByKey<Value> = Record<Metric['key'], Value>;

/** Values by key in a row of the board. */
type ByRow<Value> = Record<Metric['row'], Value>;

export const byKey = <Value>(make: (metric: Metric) => Value): ByKey<Value> =>
  Object.fromEntries(KINGDOM_METRICS.map((metric) => [metric.key, make(metric)])) as ByKey<Value>;

export const byRow = <Value>(make: (metric: Metric) => Value): ByRow<Value> =>
  Object.fromEntries(KINGDOM_METRICS.map((metric) => [metric.row, make(metric)])) as ByRow<Value>;
