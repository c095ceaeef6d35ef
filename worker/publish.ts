import { countQualities, qualitiesOf, tellingColumns, withQualities } from '../domain/quality.ts';
import type { Table } from '../domain/rows.ts';
import type { Db } from './db/open.ts';
import { wholeTable, writeSnapshot } from './files/parquet.ts';
import { openStored, putSnapshot, snapshotKey } from './gateways/snapshot-store.ts';
import { recordSnapshot, snapshotToCompare } from './models/snapshots.ts';

export interface Capture {
  kingdom_id: number;
  /** Epoch milliseconds. */
  captured_at: number;
  source: string;
  /** What the key is made of: the item's id, or any other name that is its own. */
  id: string;
  item_id: string | null;
  version: number;
}

/**
 * Makes a snapshot public: Parquet to R2, then what it means into D1. Idempotent at every step: the key follows from
 * the capture, and D1 takes each row once.
 */
export async function publishSnapshot(db: Db, store: R2Bucket, table: Table, capture: Capture): Promise<void> {
  const { kingdom_id, captured_at, source, id, item_id, version } = capture;
  const { game } = table;
  const before = await snapshotToCompare(db, { game, kingdom_id, captured_at, item_id });
  const earlier = before ? await wholeTable(await openStored(store, before), tellingColumns(game)) : undefined;
  const qualities = qualitiesOf(table, earlier);
  const quality = countQualities(qualities);
  const key = snapshotKey({ game, kingdom_id, captured_at, id, version });
  const bytes = writeSnapshot(withQualities(table, qualities), { game, kingdom_id, captured_at, source, quality });
  await putSnapshot(store, key, bytes);
  await recordSnapshot(db, table, {
    key,
    game,
    kingdom_id,
    captured_at,
    source,
    bytes: bytes.byteLength,
    quality,
    item_id,
    version,
  });
}
