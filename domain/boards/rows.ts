// Type-only import: pages read this file, and a first visit should not load zod.
import type * as z from 'zod';
import type { allianceRow, boardInfo, governorRow, kingdomRow, rowDay } from './contract.ts';
import { METRIC_IDS, type Metric, typesOfMetric } from './leaderboard.ts';

export type GovernorRow = z.infer<typeof governorRow>;
export type AllianceRow = z.infer<typeof allianceRow>;
export type KingdomRow = z.infer<typeof kingdomRow>;
export type BoardRow = GovernorRow | AllianceRow | KingdomRow;

/** Returns a key that identifies a row across days. */
export function keyOfRow(row: BoardRow): string | number {
  // Governors who asked not to be shown have no id (HIDDEN_ID).
  if ('governor_id' in row) return row.governor_id || `hidden ${row.rank}`;
  return 'alliance_tag' in row ? `${row.kingdom_id}/${row.alliance_tag}` : row.kingdom_id;
}

const KEYS = Object.fromEntries(METRIC_IDS.map((metric) => [metric, typesOfMetric(metric)])) as Record<
  Metric,
  readonly string[]
>;

/** Returns the figure that boards rank a row by; null if unknown. For a kingdom it is the sum over its governors. */
export function metricIn(row: BoardRow, metric: Metric): number | null {
  const figures = row as unknown as Record<string, number | null | undefined>;
  const sum = 'total_power' in row ? 'total_' : '';
  return KEYS[metric].map((key) => figures[sum + key]).find((figure) => figure != null) ?? null;
}

/** Sum of the known values of rows; null if none is known. */
export interface Total {
  sum: number | null;
  /** Rows that the sum includes. */
  known: number;
}

/** Adds a row's figure to a total. */
export function addRow(total: Total, row: BoardRow, metric: Metric): void {
  const value = metricIn(row, metric);
  if (value === null) return;
  total.sum = (total.sum ?? 0) + value;
  total.known += 1;
}

export type BoardInfo = z.infer<typeof boardInfo>;

export type RowDay = z.infer<typeof rowDay>;

export interface BoardAnswer<Row extends BoardRow = BoardRow> {
  rankings: Row[];
  info: BoardInfo;
}

/** Rows in order, made on demand, because a whole board would fill most of an isolate's memory. */
export interface Ranking {
  readonly length: number;
  at(index: number): BoardRow | undefined;
  /** Frees its memory at once. It must not be read afterwards. */
  free?(): void;
}
