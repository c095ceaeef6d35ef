import type * as z from 'zod';
import { dayOf } from '../../../domain/days.ts';
import type { downloadQuery } from '../../../domain/orders/contract.ts';
import type { DownloadType } from '../../../domain/scans/results.ts';
import { Refusal } from '../../errors.ts';
import { CONTENT_TYPE, ExportRefused, exportStream, refuseRows } from '../../files/export.ts';
import { exportKey, keepExport, keptExport, openStored } from '../../gateways/snapshot-store.ts';
import { countRows, pageStream, type Stored } from './page-results.ts';

type Query = Pick<z.infer<typeof downloadQuery>, 'type' | 'sort' | 'reversed' | 'page' | 'count' | 'named' | 'bom'>;

/** The export as bytes: a page of it, the kept one, or made now and kept on its way out. */
async function open(store: R2Bucket, snapshots: readonly Stored[], query: Query): Promise<ReadableStream<Uint8Array>> {
  const { type, sort, reversed, page, count } = query;
  if (type === 'json' && count > 0) return pageStream(store, snapshots, { page, count, sort, reversed });
  const keys = snapshots.map(({ key }) => key);
  const key = exportKey({ snapshots: keys, type, sort: type === 'json' ? sort : undefined, reversed });
  const kept = await keptExport(store, key);
  if (kept) return kept.body;
  // Before thousands of snapshots are opened for nothing.
  refuseRows(type, countRows(snapshots), type === 'json' && sort !== undefined);
  const parts = keys.map((snapshot) => ({ open: () => openStored(store, snapshot) }));
  return keepExport(store, key, CONTENT_TYPE[type], await exportStream(type, parts, { sort, reversed }));
}

// An envelope has to be whole in memory; past this a client takes the file itself.
const MAX_ENVELOPE_BYTES = 16 * 1024 * 1024;

async function readAll(stream: ReadableStream<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > MAX_ENVELOPE_BYTES)
      throw new Refusal(
        'too_large',
        'This is too large for one JSON answer: ask for the file, without Accept: application/json.',
      );
  }
  return Buffer.concat(chunks);
}

/** Rows need not be in memory at once: the envelope goes around the stream. */
function enveloped(stream: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return stream.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      start: (controller) => controller.enqueue(encoder.encode('{"success":1,"data":')),
      flush: (controller) => controller.enqueue(encoder.encode('}')),
    }),
  );
}

const asksForJson = (accept: string | undefined): boolean => /\bapplication\/json\b/.test(accept ?? '');

/** What a file of these results is called besides results.{type}: 'rok-1001-2026-11-21.csv', 'rok-12-kingdoms-2026-11-21.csv'. */
function fileName(snapshots: readonly Stored[], type: DownloadType): string {
  const day = dayOf(Math.max(...snapshots.map(({ captured_at }) => captured_at)));
  const games = [...new Set(snapshots.map(({ game }) => game))].join('-');
  const kingdoms = [...new Set(snapshots.map(({ kingdom_id }) => kingdom_id))];
  return `${games}-${kingdoms.length === 1 ? kingdoms[0] : `${kingdoms.length}-kingdoms`}-${day}.${type}`;
}

/** The mark of UTF-8, without which Excel reads a csv in the machine's own old code page. */
const BOM = Uint8Array.of(0xef, 0xbb, 0xbf);

const marked = (stream: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> =>
  stream.pipeThrough(new TransformStream<Uint8Array, Uint8Array>({ start: (controller) => controller.enqueue(BOM) }));

const attachment = (stream: ReadableStream<Uint8Array>, type: DownloadType, name: string): Response =>
  new Response(stream, {
    headers: {
      'content-type': CONTENT_TYPE[type],
      'content-disposition': `attachment; filename="${name}"`,
      'cache-control': 'private, no-store',
    },
  });

/**
 * Answers with the rows of these snapshots: a browser gets the file as a stream, a client that asks for JSON (`accept`)
 * the envelope with rows, text, or base64 for what is no text.
 */
export async function deliverResults(
  store: R2Bucket,
  snapshots: readonly Stored[],
  query: Query,
  accept: string | undefined,
): Promise<Response> {
  if (snapshots.length === 0) throw new Refusal('conflict', 'There are no results yet.');
  const stream = await open(store, snapshots, query).catch((error: unknown) => {
    throw error instanceof ExportRefused ? new Refusal('too_large', error.message) : error;
  });
  if (!asksForJson(accept)) {
    const name = query.named ? fileName(snapshots, query.type) : `results.${query.type}`;
    return attachment(query.bom && query.type === 'csv' ? marked(stream) : stream, query.type, name);
  }
  if (query.type === 'json')
    return new Response(enveloped(stream), { headers: { 'content-type': 'application/json; charset=utf-8' } });
  const bytes = await readAll(stream);
  return Response.json({ success: 1, data: bytes.toString(query.type === 'csv' ? 'utf8' : 'base64') });
}
