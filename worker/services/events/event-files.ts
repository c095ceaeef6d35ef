import type * as z from 'zod';
import type { snapshotFileQuery } from '../../../domain/events/contract.ts';
import { withoutRemoved } from '../../../domain/events/removed.ts';
import type { Locale } from '../../../domain/language/locales.ts';
import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { notFound } from '../../errors.ts';
import { CONTENT_TYPE, exportStream } from '../../files/export.ts';
import type { Snapshot } from '../../files/parquet.ts';
import { ANSWERS_VERSION } from '../../gateways/dashboard-answers.ts';
import { exportTag, openStored } from '../../gateways/snapshot-store.ts';
import { attachment } from '../../http/attachment.ts';
import { sendMade } from '../../http/made-file.ts';
import type { Wanted } from '../../http/ranges.ts';
import { partsOf } from '../../models/events/event-snapshots.ts';
import { withHeaders } from '../service/speak.ts';
import { storedParts } from './load-moment.ts';
import type { EventMeta } from './public-event.ts';

interface EventFile {
  id: number;
  meta: EventMeta;
  type: 'csv' | 'xlsx';
  /** Language of the header row, if one is asked for. */
  headers?: Locale | undefined;
  /** Timestamps of the snapshots in the file. */
  span: readonly number[];
  /** The only kingdom whose governors it has. */
  kingdom?: string | undefined;
  /** Headers that say how long caches keep it. */
  caching: Readonly<Record<string, string>>;
}

/** Sends a file of an event, or the requested part of it. */
export const sendFile = (
  { id, meta, type, headers, span, kingdom, caching }: EventFile,
  wanted: Wanted,
  make: () => Promise<ReadableStream<Uint8Array>>,
): Promise<Response> =>
  sendMade(
    {
      etag: exportTag(
        [
          ...[`events-v${ANSWERS_VERSION}`, id, meta.revision, ...span],
          ...[...(kingdom ? [`k${kingdom}`] : []), headers ?? '', type],
        ].join('/'),
      ),
      headers: {
        'content-type': CONTENT_TYPE[type],
        'content-disposition': attachment(['kvk', meta.kvk_id, ...(kingdom ? [kingdom] : []), ...span].join('_'), type),
        ...caching,
      },
      make,
    },
    wanted,
  );

/** The rows of one of an event's snapshots as a file, kingdom after kingdom. */
export async function snapshotFile(
  db: Db,
  env: Env,
  { event_id, ts, type, headers }: { event_id: number; ts: number } & z.output<typeof snapshotFileQuery>,
): Promise<ReadableStream<Uint8Array>> {
  const found = await partsOf(db, event_id, [ts]);
  const parts = storedParts(found?.parts ?? [], ts);
  if (!found || parts.length === 0) throw notFound('snapshot');
  const opened = parts.map(({ key }) => ({
    open: async () => shownRows(await openStored(env.STORE, key), found.removed),
  }));
  return withHeaders(env, headers, (titled) => exportStream(type, opened, { titled }));
}

/** Returns a snapshot whose rows do not name removed governors. */
function shownRows(snapshot: Snapshot, removed: readonly number[]): Snapshot {
  if (removed.length === 0) return snapshot;
  return {
    ...snapshot,
    async *groups(columns) {
      for await (const table of snapshot.groups(columns)) yield withoutRemoved(table, removed);
    },
  };
}
