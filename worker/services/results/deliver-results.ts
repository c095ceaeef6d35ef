import type * as z from 'zod';
import type { DownloadType, downloadQuery } from '../../../domain/orders/contract.ts';
import { Refusal } from '../../errors.ts';
import { CONTENT_TYPE, ExportRefused, exportStream, refuseRows } from '../../files/export.ts';
import { exportKey, keepExport, keptExport, openStored } from '../../gateways/snapshot-store.ts';
import { countRows, pageStream, type Stored } from './page-results.ts';

type Query = Pick<z.infer<typeof downloadQuery>, 'type' | 'sort' | 'reversed' | 'page' | 'count'>;

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

const attachment = (stream: ReadableStream<Uint8Array>, type: DownloadType): Response =>
  new Response(stream, {
    headers: {
      'content-type': CONTENT_TYPE[type],
      'content-disposition': `attachment; filename="results.${type}"`,
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
  if (!asksForJson(accept)) return attachment(stream, query.type);
  if (query.type === 'json')
    return new Response(enveloped(stream), { headers: { 'content-type': 'application/json; charset=utf-8' } });
  const bytes = await readAll(stream);
  return Response.json({ success: 1, data: bytes.toString(query.type === 'csv' ? 'utf8' : 'base64') });
}
