/**
 * What a kingdom's scan adds up to beside power, score, deads, halls and governors. Each is said here once; the totals of
 * a scan, the kingdom's page, the board of kingdoms and the contract read it. Days and boards that were kept before one
 * was added do not know it.
 */

interface KingdomMetric {
  /** Its key in a scan's totals. */
  key: string;
  /** Its key in a row of the board (specification, section 5). */
  row: string;
  /** Columns of a scan that tell it, in the words of either game: the first one that the scan has. */
  columns: readonly string[];
  /** What is made of the values that were read: `kinds` is how many different ones there are. */
  made: 'sum' | 'average' | 'kinds';
  /** How it is written: every digit, in millions, or in billions and trillions. */
  unit: 'exact' | 'millions' | 'billions';
  /** Over a column of the board. */
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
    short: 'Domains',
    title: 'Domains',
  },
  {
    key: 'rss_given',
    row: 'total_rss_given',
    columns: ['rss_given', 'resources_given'],
    made: 'sum',
    unit: 'billions',
    short: 'RSS given',
    title: 'Resources given',
  },
  {
    key: 'rss_gathered',
    row: 'total_rss_gathered',
    columns: ['rss_gathered'],
    made: 'sum',
    unit: 'billions',
    short: 'RSS gathered',
    title: 'Resources gathered',
  },
  {
    key: 'lost_kingdom_most_killed_average',
    row: 'lost_kingdom_most_killed_average',
    columns: ['lost_kingdom_most_killed'],
    made: 'average',
    unit: 'millions',
    short: 'LK killed',
    title: 'Most killed in a Lost Kingdom, on average',
  },
  {
    key: 'lost_kingdom_most_lost_average',
    row: 'lost_kingdom_most_lost_average',
    columns: ['lost_kingdom_most_lost'],
    made: 'average',
    unit: 'millions',
    short: 'LK lost',
    title: 'Most lost in a Lost Kingdom, on average',
  },
] as const satisfies readonly KingdomMetric[];

type Metric = (typeof KINGDOM_METRICS)[number];

/** A value for each metric, by its key in totals. */
export type ByKey<Value> = Record<Metric['key'], Value>;

/** A value for each metric, by its key in a row of the board. */
export type ByRow<Value> = Record<Metric['row'], Value>;

/** Makes a value for each metric. */
export const byKey = <Value>(make: (metric: Metric) => Value): ByKey<Value> =>
  Object.fromEntries(KINGDOM_METRICS.map((metric) => [metric.key, make(metric)])) as ByKey<Value>;

export const byRow = <Value>(make: (metric: Metric) => Value): ByRow<Value> =>
  Object.fromEntries(KINGDOM_METRICS.map((metric) => [metric.row, make(metric)])) as ByRow<Value>;
