import type * as z from 'zod';
import { dayOf } from '../../../domain/days.ts';
import type { downloadQuery } from '../../../domain/orders/contract.ts';
import type { Env } from '../../env.ts';
import { Refusal } from '../../errors.ts';
import { CONTENT_TYPE, ExportRefused, exportStream, refuseRows } from '../../files/export.ts';
import {
  exportKey,
  exportTag,
  keepExport,
  keptExport,
  openStored,
  sizeOfExport,
} from '../../gateways/snapshot-store.ts';
import { attachment } from '../../http/attachment.ts';
import { byteRangeOf, type Wanted } from '../../http/ranges.ts';
import { hasSame } from '../../http/send-bytes.ts';
import { withHeaders } from '../service/speak.ts';
import { countRows, pageStream, type Stored } from './page-results.ts';

type Query = Pick<
  z.infer<typeof downloadQuery>,
  'type' | 'sort' | 'reversed' | 'page' | 'count' | 'named' | 'bom' | 'headers'
>;

type Bytes = ReadableStream<Uint8Array>;

/** An export's key and a function that makes it. */
interface Export {
  key: string;
  make(): Promise<Bytes>;
}

function exportOf(env: Env, snapshots: readonly Stored[], query: Query): Export {
  const { type, sort, reversed } = query;
  const store = env.STORE;
  const keys = snapshots.map(({ key }) => key);
  const headers = type === 'csv' || type === 'xlsx' ? query.headers : undefined;
  const key = exportKey({ snapshots: keys, type, sort: type === 'json' ? sort : undefined, reversed, headers });
  return {
    key,
    make: async () => {
      // Before thousands of snapshots are opened in vain.
      refuseRows(type, countRows(snapshots), type === 'json' && sort !== undefined);
      const parts = keys.map((snapshot) => ({ open: () => openStored(store, snapshot) }));
      const stream = await withHeaders(env, headers, (titled) => exportStream(type, parts, { sort, reversed, titled }));
      return keepExport(store, key, CONTENT_TYPE[type], stream);
    },
  };
}

/** Returns the stored export, or makes it and stores it while it is sent. */
const opened = async (store: R2Bucket, { key, make }: Export): Promise<Bytes> =>
  (await keptExport(store, key))?.body ?? (await make());

/** Makes an export that is not stored yet and returns its size, because ranges need a finished file. */
async function finished(store: R2Bucket, { key, make }: Export): Promise<number> {
  const size = await sizeOfExport(store, key);
  if (size !== null) return size;
  const reader = (await make()).getReader();
  while (!(await reader.read()).done);
  const made = await sizeOfExport(store, key);
  if (made === null) throw new Error(`export ${key} was made and is not kept`);
  return made;
}

// An envelope must fit in memory; larger results are available as a file only.
const MAX_ENVELOPE_BYTES = 16 * 1024 * 1024;

async function readAll(stream: Bytes): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > MAX_ENVELOPE_BYTES)
      throw new Refusal(
        'too_large',
        'This is too large for one JSON answer. Request the file instead, without Accept: application/json.',
      );
  }
  return Buffer.concat(chunks);
}

const asksForJson = (accept: string | undefined): boolean => /\bapplication\/json\b/.test(accept ?? '');

/** Returns a file name without extension: 'rok-1001-2026-11-21', 'rok-12-kingdoms-2026-11-21'. */
function fileName(snapshots: readonly Stored[]): string {
  const day = dayOf(Math.max(...snapshots.map(({ captured_at }) => captured_at)));
  const games = [...new Set(snapshots.map(({ game }) => game))].join('-');
  const kingdoms = [...new Set(snapshots.map(({ kingdom_id }) => kingdom_id))];
  return `${games}-${kingdoms.length === 1 ? kingdoms[0] : `${kingdoms.length}-kingdoms`}-${day}`;
}

/** UTF-8's byte order mark, without which Excel reads a CSV in a legacy code page. */
const BOM = Uint8Array.of(0xef, 0xbb, 0xbf);
const NOTHING = new Uint8Array(0);

/** Puts bytes before a stream. */
function headed(head: Uint8Array, stream: Bytes | null): Bytes {
  const start = (controller: TransformStreamDefaultController<Uint8Array>) => controller.enqueue(head);
  const source = stream ?? new Blob([]).stream();
  return head.length === 0 ? source : source.pipeThrough(new TransformStream<Uint8Array, Uint8Array>({ start }));
}

/** Returns bytes `from` to `to` of a stored export that is sent after `head`. */
async function partOf(store: R2Bucket, key: string, head: Uint8Array, { from, to }: { from: number; to: number }) {
  const [offset, length] = [Math.max(0, from - head.length), to - Math.max(from, head.length) + 1];
  const kept = length > 0 ? await keptExport(store, key, { offset, length }) : null;
  return headed(head.subarray(from, to + 1), kept?.body ?? null);
}

/**
 * Returns the rows of snapshots as a file, a range of it, or 304; a JSON file has the envelope. For clients that ask for
 * JSON (`accept`), the other types come in the envelope: CSV as text, the others as base64.
 * @throws Refusal conflict, too_large or unsatisfiable.
 */
export async function deliverResults(
  env: Env,
  snapshots: readonly Stored[],
  query: Query,
  wanted: Wanted,
): Promise<Response> {
  if (snapshots.length === 0) throw new Refusal('conflict', 'There are no results yet.');
  return delivered(env, snapshots, query, wanted).catch((error: unknown) => {
    throw error instanceof ExportRefused ? new Refusal('too_large', error.sentence) : error;
  });
}

async function delivered(env: Env, snapshots: readonly Stored[], query: Query, wanted: Wanted) {
  const store = env.STORE;
  const { type, sort, reversed, page, count } = query;
  const headers: Record<string, string> = {
    'content-type': CONTENT_TYPE[type],
    'content-disposition': attachment(query.named ? fileName(snapshots) : 'results', type),
    'cache-control': 'private, no-store',
    // The same URL returns the envelope to clients that ask for JSON.
    vary: 'Accept',
  };
  if (type === 'json' && count > 0)
    return new Response(await pageStream(store, snapshots, { page, count, sort, reversed }), { headers });
  const wantedExport = exportOf(env, snapshots, query);
  if (type !== 'json' && asksForJson(wanted.accept)) {
    const bytes = await readAll(await opened(store, wantedExport));
    return Response.json({ success: 1, data: bytes.toString(type === 'csv' ? 'utf8' : 'base64') });
  }
  const head = query.bom && type === 'csv' ? BOM : NOTHING;
  const etag = exportTag(`${wantedExport.key}${head.length}`);
  Object.assign(headers, { etag, 'accept-ranges': 'bytes' });
  if (hasSame(wanted.ifNoneMatch, etag)) return new Response(null, { status: 304, headers });
  if (!wanted.head && wanted.range === undefined)
    return new Response(headed(head, await opened(store, wantedExport)), { headers });
  const size = head.length + (await finished(store, wantedExport));
  const range = wanted.head ? null : byteRangeOf(wanted, etag, size);
  const { from, to } = range ?? { from: 0, to: size - 1 };
  headers['content-length'] = String(to - from + 1);
  if (range) headers['content-range'] = `bytes ${from}-${to}/${size}`;
  const body = wanted.head ? null : await partOf(store, wantedExport.key, head, { from, to });
  return new Response(body, { status: range ? 206 : 200, headers });
}
