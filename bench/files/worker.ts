import { gunzipSync, gzipSync } from 'node:zlib';
import type { R2Bucket } from '@cloudflare/workers-types';
import { parquetRead } from 'hyparquet';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { columnOf } from '../../domain/games/games.ts';
import type { DownloadType } from '../../domain/scans/results.ts';
import type { Table } from '../../domain/scans/rows.ts';
import { exportStream } from '../../worker/files/export.ts';
import { writeSnapshot } from '../../worker/files/parquet.ts';
import { openStored, putSnapshot } from '../../worker/gateways/snapshot-store.ts';
import { COLUMNS, makeTable } from './table.ts';

/**
 * The Worker under measurement does what the product's routes do, without their guards. The caller measures the time.
 */

interface Env {
  STORE: R2Bucket;
}

const META = { game: 'rok', kingdom_id: 3584, captured_at: 1_795_000_000_000, source: 'bench', quality: {} } as const;
const keyOf = (rows: number) => `snapshots/bench-${rows}.parquet`;

/** Cached, so that measurements of encoding do not include making the rows. */
let made: Table | undefined;
const tableOf = (rows: number): Table => {
  if (made?.count !== rows) made = makeTable(rows);
  return made;
};

const gzip = (input: Uint8Array) => gzipSync(input, { level: 1 });
const COMPRESSORS = Object.fromEntries([['GZIP', gzip]]);
const DECOMPRESSORS = Object.fromEntries([['GZIP', (input: Uint8Array) => gunzipSync(input)]]);

/** Writes the same file with hyparquet-writer alone, cell by cell. */
function writeByLibrary(table: Table): ArrayBuffer {
  return parquetWriteBuffer({
    columnData: COLUMNS.map((key) => {
      const texts = columnOf('rok', key)?.type === 'text';
      return texts
        ? {
            name: key,
            type: 'STRING' as const,
            nullable: true,
            encoding: 'PLAIN' as const,
            data: table.texts[key] ?? [],
          }
        : {
            name: key,
            type: 'INT64' as const,
            nullable: true,
            encoding: 'PLAIN' as const,
            data: Array.from(table.numbers[key] ?? [], BigInt),
          };
    }),
    codec: 'GZIP',
    compressors: COMPRESSORS,
    rowGroupSize: 10_000,
  });
}

/** Reads the same rows with hyparquet alone, into the same typed arrays. */
async function readByLibrary(file: ArrayBuffer, rows: number): Promise<number> {
  let cells = 0;
  for (let rowStart = 0; rowStart < rows; rowStart += 10_000) {
    await parquetRead({
      file,
      rowStart,
      rowEnd: rowStart + 10_000,
      compressors: DECOMPRESSORS,
      onChunk: ({ columnData }) => {
        cells +=
          typeof columnData[0] === 'bigint'
            ? Float64Array.from(columnData as bigint[], Number).length
            : columnData.length;
      },
    });
  }
  return cells;
}

async function decoded(env: Env, rows: number, columns: readonly string[]): Promise<number> {
  const snapshot = await openStored(env.STORE as never, keyOf(rows));
  let cells = 0;
  for await (const group of snapshot.groups(columns)) cells += group.count * columns.length;
  return cells;
}

async function answer(env: Env, what: string, rows: number): Promise<BodyInit> {
  switch (what) {
    case 'idle':
      return 'idle';
    case 'rows':
      return String(tableOf(rows).count);
    case 'store':
      await putSnapshot(env.STORE as never, keyOf(rows), writeSnapshot(tableOf(rows), META));
      return 'stored';
    case 'store-by-library':
      await env.STORE.put(`${keyOf(rows)}.library`, writeByLibrary(tableOf(rows)));
      return 'stored';
    case 'encode':
      return String(writeSnapshot(tableOf(rows), META).length);
    case 'encode-by-library':
      return String(writeByLibrary(tableOf(rows)).byteLength);
    case 'decode':
      return String(await decoded(env, rows, COLUMNS));
    case 'decode-seven':
      return String(await decoded(env, rows, COLUMNS.slice(4, 11)));
    case 'decode-by-library': {
      const file = await env.STORE.get(`${keyOf(rows)}.library`);
      return String(await readByLibrary((await file?.arrayBuffer()) ?? new ArrayBuffer(0), rows));
    }
    default:
      return exportStream(what as DownloadType, [{ open: () => openStored(env.STORE as never, keyOf(rows)) }]);
  }
}

/** Reads an answer to its end inside the Worker, because the peer discards its output too. */
async function drained(body: BodyInit): Promise<string> {
  if (!(body instanceof ReadableStream)) return String(body);
  let size = 0;
  for await (const chunk of body as ReadableStream<Uint8Array>) size += chunk.length;
  return String(size);
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const body = await answer(env, pathname.slice(1), Number(searchParams.get('rows')));
    return new Response(searchParams.has('drain') ? await drained(body) : body);
  },
};
