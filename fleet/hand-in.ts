import {
  type HandIn,
  MAX_BODY_BYTES,
  MAX_ROWS_PER_HAND_IN,
  MAX_SUBTASKS_PER_LEASE,
  type Task,
} from '../domain/fleet/contract.ts';
import { GAMES, type GameId } from '../domain/games/games.ts';
import type { Row, WireColumns } from '../domain/scans/rows.ts';
import type { Scan } from './sources/source.ts';

/** Turns a source's scan of a kingdom into the results of subtasks. */

export type Result = HandIn['results'][number];

/** Returns the rows on a subtask's ranks; empty if the kingdom has fewer. `rows` are in rank order. */
export const rowsWithin = (rows: readonly Row[], task: Pick<Task, 'from_rank' | 'to_rank'>): Row[] =>
  rows.slice(task.from_rank - 1, task.to_rank);

/** Converts rows to columns, omitting empty ones. Without a full profile only columns of the ranking list remain. */
export function columnsOf(game: GameId, rows: readonly Row[], fullProfile: boolean): WireColumns {
  const columns: WireColumns = {};
  for (const { key, profile } of GAMES[game].columns) {
    if (profile && !fullProfile) continue;
    const values = rows.map((row) => row[key] ?? null);
    if (values.some((value) => value !== null)) columns[key] = values;
  }
  return columns;
}

/** Returns a subtask's result from a scan of its kingdom. */
export const resultOf = (task: Task, scan: Scan): Result => ({
  subtask_id: task.subtask_id,
  lease: task.lease,
  captured_at: scan.captured_at,
  source: scan.source,
  columns: columnsOf(task.game, rowsWithin(scan.rows, task), task.full_profile),
});

const rowsIn = ({ columns }: Result): number => Object.values(columns)[0]?.length ?? 0;

/** Generous size of the body around the results. */
const FRAME_BYTES = 1000;

/** Groups results into as few calls as the limits allow: 5 subtasks, 500 rows and 1 MB each. */
export function batchesOf(results: readonly Result[]): Result[][] {
  const batches: Result[][] = [];
  let rows = 0;
  let bytes = 0;
  for (const result of results) {
    const size = Buffer.byteLength(JSON.stringify(result)) + 1;
    const last = batches.at(-1);
    const fits =
      last &&
      last.length < MAX_SUBTASKS_PER_LEASE &&
      rows + rowsIn(result) <= MAX_ROWS_PER_HAND_IN &&
      bytes + size <= MAX_BODY_BYTES - FRAME_BYTES;
    if (fits) last.push(result);
    else batches.push([result]);
    rows = (fits ? rows : 0) + rowsIn(result);
    bytes = (fits ? bytes : 0) + size;
  }
  return batches;
}
