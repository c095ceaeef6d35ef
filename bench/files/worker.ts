import type { R2Bucket } from '@cloudflare/workers-types';
import type { DownloadType } from '../../domain/scans/results.ts';
import type { Table } from '../../domain/scans/rows.ts';
import { exportStream } from '../../worker/files/export.ts';
import { writeSnapshot } from '../../worker/files/parquet.ts';
import { openStored, putSnapshot } from '../../worker/gateways/snapshot-store.ts';
import { COLUMNS, META, makeTable } from './table.ts';

/**
 * The Worker under measurement does what the product's routes do, without their guards. The caller measures the time.
 */

interface Env {
  STORE: R2Bucket;
}

const keyOf = (rows: number) => `snapshots/bench-${rows}.parquet`;

/** Cached, so that measurements of encoding do not include making the rows. */
let made: Table | undefined;
const tableOf = (rows: number): Table => {
  if (made?.count !== rows) made = makeTable(rows);
  return made;
};

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
    case 'encode':
      return String(writeSnapshot(tableOf(rows), META).length);
    case 'decode':
      return String(await decoded(env, rows, COLUMNS));
    case 'decode-seven':
      return String(await decoded(env, rows, COLUMNS.slice(4, 11)));
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
