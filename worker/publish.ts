import { countQualities, qualitiesOf } from '../domain/quality.ts';
import type { Table } from '../domain/rows.ts';
import type { Db } from './db/open.ts';
import { writeSnapshot } from './files/parquet.ts';
import { putSnapshot, snapshotKey } from './gateways/snapshot-store.ts';
import { recordSnapshot } from './models/snapshots.ts';

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
  const quality = countQualities(qualitiesOf(table));
  const key = snapshotKey({ game, kingdom_id, captured_at, id, version });
  const bytes = writeSnapshot(table, { game, kingdom_id, captured_at, source, quality });
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
