import { historyFrom, historyTable, verdictsOfDays } from '../../../domain/scans/history.ts';
import {
  addCounts,
  countQualities,
  type Quality,
  tellingColumns,
  withVerdicts,
} from '../../../domain/scans/quality.ts';
import type { Table } from '../../../domain/scans/rows.ts';
import type { Db } from '../../db/open.ts';
import { SnapshotWriter, writeSnapshot } from '../../files/parquet.ts';
import { putSnapshot, putWritten, snapshotKey } from '../../gateways/snapshot-store.ts';
import type { Bought } from '../../models/money/returns.ts';
import { daysOfGovernors, type HistoryItem, topGovernors } from '../../models/scans/history.ts';
import { recordAlone, recordSnapshot, snapshotToCompare } from '../../models/scans/snapshots.ts';
import { judge, readToCompare } from './judge-snapshot.ts';

export interface Capture {
  kingdom_id: number;
  /** Epoch milliseconds. */
  captured_at: number;
  source: string;
  /** What the key is made of: the item's id, or any other name that is its own. */
  id: string;
  item_id: string | null;
  version: number;
  /** Who paid for it; absent where nobody did. */
  bought?: Bought;
}

/** Makes a snapshot public, as `publishCompared` does, and looks up what it is compared with. */
export async function publishSnapshot(db: Db, store: R2Bucket, table: Table, capture: Capture): Promise<void> {
  const { game } = table;
  const compared = await snapshotToCompare(db, { game, ...capture });
  await publishCompared(db, store, table, capture, await readToCompare(store, compared, tellingColumns(game)));
}

/**
 * Makes a snapshot public: Parquet to R2, then what it means into D1. Its counters are compared with those of
 * `earlier`. Idempotent at every step: the key follows from the capture, and D1 takes each row
 * once.
 */
export async function publishCompared(
  db: Db,
  store: R2Bucket,
  table: Table,
  capture: Capture,
  earlier: Table | null,
): Promise<void> {
  const { kingdom_id, captured_at, source, id, item_id, version, bought } = capture;
  const { game } = table;
  const { judged, quality } = judge(table, earlier);
  const key = snapshotKey({ game, kingdom_id, captured_at, id, version });
  const bytes = writeSnapshot(judged, { game, kingdom_id, captured_at, source, quality });
  await putSnapshot(store, key, bytes);
  await recordSnapshot(db, judged, {
    key,
    game,
    kingdom_id,
    captured_at,
    source,
    rows: table.count,
    bytes: bytes.byteLength,
    quality,
    item_id,
    version,
    bought,
  });
}

/** Their 90 days fill half a row group, and are what is in memory at a time. */
const GOVERNORS_AT_ONCE = 50;

/**
 * Writes the history that an item bought: the stored days of its kingdom's top governors, one governor after the
 * other. False where nothing is stored. Idempotent as `publishSnapshot` is; of what scans left nothing is changed.
 */
export async function publishHistory(db: Db, store: R2Bucket, item: HistoryItem): Promise<boolean> {
  const { id: item_id, game, kingdom_id, version, asked_at: captured_at } = item;
  const kind = 'history';
  const source = 'stored history';
  const quality: Partial<Record<Quality, number>> = {};
  let rows = 0;
  let governors = 0;
  const from = historyFrom(captured_at);
  const ids = await topGovernors(db, game, kingdom_id, item.governors);
  if (ids.length === 0) return false;
  async function* written() {
    const writer = new SnapshotWriter({ game, kind });
    for (let at = 0; at < ids.length; at += GOVERNORS_AT_ONCE) {
      const days = await daysOfGovernors(db, game, ids.slice(at, at + GOVERNORS_AT_ONCE), from);
      const verdicts = verdictsOfDays(game, days);
      addCounts(quality, countQualities(verdicts));
      writer.append(withVerdicts(historyTable(game, days), verdicts));
      rows += days.length;
      governors += new Set(days.map(({ governor_id }) => governor_id)).size;
      yield writer.take();
    }
    yield writer.finish({ game, kind, kingdom_id, captured_at, source, quality });
  }
  const key = snapshotKey({ game, kind, kingdom_id, captured_at, id: item_id, version });
  const bytes = await putWritten(store, key, written());
  if (rows === 0) return false;
  const about = { key, game, kind, kingdom_id, captured_at, source, rows, bytes, quality } as const;
  await recordAlone(db, { ...about, item_id, version, bought: item }, governors);
  return true;
}
