import type { Db } from '../../db/open.ts';
import { notFound } from '../../errors.ts';
import { exportStream } from '../../files/export.ts';
import { openStored } from '../../gateways/snapshot-store.ts';
import { partsOf } from '../../models/events/event-snapshots.ts';
import { storedParts } from './load-moment.ts';

/** The rows of one of an event's snapshots as a file, kingdom after kingdom. */
export async function snapshotFile(
  db: Db,
  store: R2Bucket,
  { event_id, ts, type }: { event_id: number; ts: number; type: 'csv' | 'xlsx' },
): Promise<ReadableStream<Uint8Array>> {
  const found = await partsOf(db, event_id, [ts]);
  const parts = storedParts(found?.parts ?? [], ts);
  if (parts.length === 0) throw notFound('snapshot');
  return exportStream(
    type,
    parts.map(({ key }) => ({ open: () => openStored(store, key) })),
  );
}
