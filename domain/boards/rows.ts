// The schemas are types here: pages read this file, and a visitor's first one has no use for zod.
import type * as z from 'zod';
import type { allianceRow, boardInfo, governorRow, kingdomRow, rowDay } from './contract.ts';
import { METRIC_IDS, type Metric, typesOfMetric } from './leaderboard.ts';

/** What is in a board. */

export type GovernorRow = z.infer<typeof governorRow>;
export type AllianceRow = z.infer<typeof allianceRow>;
export type KingdomRow = z.infer<typeof kingdomRow>;
export type BoardRow = GovernorRow | AllianceRow | KingdomRow;

/** What tells one row of a board from another, also on another day. */
export function keyOfRow(row: BoardRow): string | number {
  if ('governor_id' in row) return row.governor_id;
  return 'alliance_tag' in row ? `${row.kingdom_id}/${row.alliance_tag}` : row.kingdom_id;
}

const KEYS = Object.fromEntries(METRIC_IDS.map((metric) => [metric, typesOfMetric(metric)])) as Record<
  Metric,
  readonly string[]
>;

/** A row's figure that boards rank by, null where it is unknown: of a kingdom the sum over its governors. */
export function metricIn(row: BoardRow, metric: Metric): number | null {
  const figures = row as unknown as Record<string, number | null | undefined>;
  const sum = 'total_power' in row ? 'total_' : '';
  return KEYS[metric].map((key) => figures[sum + key]).find((figure) => figure != null) ?? null;
}

export type BoardInfo = z.infer<typeof boardInfo>;

export type RowDay = z.infer<typeof rowDay>;

export interface BoardAnswer<Row extends BoardRow = BoardRow> {
  rankings: Row[];
  info: BoardInfo;
}

/** Rows in order, made when they are asked for: all of a board at once would be most of an isolate's memory. */
export interface Ranking {
  readonly length: number;
  at(index: number): BoardRow | undefined;
}
