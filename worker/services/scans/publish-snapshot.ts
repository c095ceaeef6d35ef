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
import { isPacked } from '../../models/kingdoms/directory.ts';
import { kingdomHistory } from '../../models/kingdoms/histories.ts';
import { kingdomStanding } from '../../models/kingdoms/standing.ts';
import type { Bought } from '../../models/money/returns.ts';
import { daysOfGovernors, type HistoryItem, topGovernors } from '../../models/scans/history.ts';
import { recordAlone, recordSnapshot, snapshotToCompare } from '../../models/scans/snapshots.ts';
import { keepHistory } from '../histories/keep-history.ts';
import { packKingdom } from '../histories/pack-histories.ts';
import { judge, readToCompare } from './judge-snapshot.ts';

export interface Capture {
  kingdom_id: number;
  /** Epoch ms. */
  captured_at: number;
  source: string;
  /** Unique part of the key: the item's id or another unique name. */
  id: string;
  item_id: string | null;
  version: number;
  /** Who paid for it; undefined if nobody did. */
  bought?: Bought;
}

/** Publishes a snapshot like `publishCompared`, but finds the earlier snapshot itself. */
export async function publishSnapshot(db: Db, store: R2Bucket, table: Table, capture: Capture): Promise<void> {
  const { game } = table;
  const compared = await snapshotToCompare(db, { game, ...capture });
  await publishCompared(db, store, table, capture, await readToCompare(store, compared, tellingColumns(game)));
}

/**
 * Publishes a snapshot: Parquet to R2, what it shows to the packed history, then what it changes to D1. Counters are
 * checked against `earlier`. Every step is idempotent: the key derives from the capture, the history knows its scans,
 * and D1 accepts each row once.
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
  const changes = await keepHistory(db, store, judged, { kingdom_id, captured_at, source });
  const record = {
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
  };
  await recordSnapshot(db, judged, record, changes);
}

/** Number of governors in memory at a time; their 90 days fill half a row group. */
const GOVERNORS_AT_ONCE = 50;

/**
 * Writes a bought history: the stored days of the kingdom's strongest governors, by governor. Returns false if nothing
 * is stored. Idempotent like `publishSnapshot`; changes no scan data.
 */
export async function publishHistory(db: Db, store: R2Bucket, item: HistoryItem): Promise<boolean> {
  const { id: item_id, game, kingdom_id, version, asked_at: captured_at } = item;
  const kind = 'history';
  const source = 'stored history';
  const quality: Partial<Record<Quality, number>> = {};
  let rows = 0;
  let governors = 0;
  const from = historyFrom(captured_at);
  const standing = await kingdomStanding(db, game, kingdom_id);
  if (!standing) return false;
  if (!(await isPacked(db, item))) await packKingdom(db, store, item, captured_at);
  const history = await kingdomHistory(db, store, item);
  const ids = topGovernors(history, standing, item.governors);
  if (ids.length === 0) return false;
  async function* written() {
    const writer = new SnapshotWriter({ game, kind });
    for (let at = 0; at < ids.length; at += GOVERNORS_AT_ONCE) {
      const days = daysOfGovernors(history, ids.slice(at, at + GOVERNORS_AT_ONCE), from);
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
