import { CONTENT_TYPE } from '../../files/export.ts';
import { exportTag } from '../../gateways/snapshot-store.ts';
import { attachment } from '../../http/attachment.ts';
import { sendMade } from '../../http/made-file.ts';
import type { Wanted } from '../../http/ranges.ts';
import type { EventMeta } from './public-event.ts';

interface EventFile {
  id: number;
  meta: EventMeta;
  type: 'csv' | 'xlsx';
  /** Timestamps of the snapshots in the file. */
  span: readonly number[];
}

/** Sends a file of an event, or the requested part of it. */
export const sendFile = (
  { id, meta, type, span }: EventFile,
  wanted: Wanted,
  make: () => Promise<ReadableStream<Uint8Array>>,
): Promise<Response> =>
  sendMade(
    {
      etag: exportTag(['events', id, meta.revision, ...span, type].join('/')),
      headers: {
        'content-type': CONTENT_TYPE[type],
        'content-disposition': attachment(['kvk', meta.kvk_id, ...span].join('_'), type),
        'cache-control': 'public, max-age=5',
      },
      make,
    },
    wanted,
  );
