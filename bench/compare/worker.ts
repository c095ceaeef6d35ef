import { FIRST_LICENCE_VERSION } from '../../domain/accounts/eula.ts';
import { DAY_MS } from '../../domain/days.ts';
import { greatestOf } from '../../domain/scans/order.ts';
import { countQualities, verdictsOf } from '../../domain/scans/quality.ts';
import { emptyUnread } from '../../domain/scans/read.ts';
import { type Db, openDb } from '../../worker/db/open.ts';
import type { Env } from '../../worker/env.ts';
import { writeSnapshot } from '../../worker/files/parquet.ts';
import { streamOf } from '../../worker/files/stream-of.ts';
import { ownScanKey } from '../../worker/gateways/own-files.ts';
import { putSnapshot } from '../../worker/gateways/snapshot-store.ts';
import service from '../../worker/index.ts';
import { createUser, userByName } from '../../worker/models/accounts/accounts.ts';
import { beginImport } from '../../worker/models/library/imports.ts';
import { addScans, type OwnScan, scansOf } from '../../worker/models/library/scans.ts';
import { comparedColumns } from '../../worker/services/compare/answer-compare.ts';
import { compareScans, type Loaded } from '../../worker/services/compare/load-ranges.ts';
import { type Scored, score } from '../../worker/services/compare/score.ts';
import { kingdomAt } from '../kingdom.ts';

export { DashboardCache } from '../../durable-objects/dashboard-cache.ts';
export { OrderProgress } from '../../durable-objects/order-progress.ts';
export { UserSockets } from '../../durable-objects/user-sockets.ts';

/** The service plus calls that fill a library and run comparisons alone. The caller measures the time. */

const KINGDOM_ROWS = 5000;
const FIRST = Date.UTC(2026, 0, 1);
const STEP = DAY_MS;

/** Returns the id of the user who owns the scans. The first call creates the user. */
async function ownerOf(db: Db): Promise<string> {
  const found = await userByName(db, 'bench');
  const user = { username: 'bench', email: 'bench@example.com', password: 'a password of some length' };
  return found?.id ?? createUser(db, { ...user, eula_version: FIRST_LICENCE_VERSION });
}

/** Stores a file of `rows` rows in the library, as one scan per 5,000 rows. Returns their ids. */
async function keepFile(env: Env, db: Db, rows: number, step: number): Promise<string[]> {
  const name = `${rows}-${step}.csv`;
  const said = { kingdom: null, captured_at: null };
  const owner = await ownerOf(db);
  const file = await beginImport(db, { user_id: owner, name, content_hash: name, said }, 1000);
  if (!file) throw new Error('no room');
  const captured_at = FIRST + step * STEP;
  const scans: OwnScan[] = [];
  for (let kingdom_id = 1000; kingdom_id < 1000 + rows / KINGDOM_ROWS; kingdom_id++) {
    const table = kingdomAt(kingdom_id, KINGDOM_ROWS, step);
    const quality = countQualities(verdictsOf(emptyUnread(table)));
    const bytes = writeSnapshot(table, { game: 'rok', kingdom_id, captured_at, source: name, quality });
    const key = ownScanKey(owner, file.id, { game: 'rok', kingdom_id, captured_at }, bytes);
    await putSnapshot(env.STORE, key, bytes);
    const place = { id: `own-${crypto.randomUUID()}`, game: 'rok' as const, kingdom_id, captured_at, key };
    const told = { range_from: null, stage: null, source: name, dialect: 'Muster', rows: table.count };
    scans.push({ ...place, ...told, bytes: bytes.byteLength, quality });
  }
  const saved = { file, scans, remember: null, expires_at: Date.now() + STEP, rowsKept: Number.MAX_SAFE_INTEGER };
  const kept = await addScans(db, saved);
  return (kept ?? []).map(({ id }) => id);
}

async function fill(env: Env, rows: number): Promise<Response> {
  const db = openDb(env);
  return Response.json({ from: await keepFile(env, db, rows, 0), to: await keepFile(env, db, rows, 1) });
}

async function compared(env: Env, url: URL): Promise<{ loaded: Loaded; scored: Scored }> {
  const ids = (side: string) => (url.searchParams.get(side) ?? '').split(',');
  const range = { from: ids('from'), to: ids('to') };
  const db = openDb(env);
  const loaded = await compareScans(env.STORE, db, await ownerOf(db), [range]);
  loaded.slot.release();
  const weights = { killcount_t4: 10, killcount_t5: 20 };
  return {
    loaded,
    scored: score(loaded.compared, { weights, power_off: 0, zeroed: {}, verified: {}, farms: null, goals: [] }, []),
  };
}

/** Returns the first fifty rows of a comparison by DKP. */
function best({ compared: { from, rows }, scores: { dkp } }: Scored): number[][] {
  const top = greatestOf(dkp, 50);
  return Array.from(top, (row) => [from.numbers.governor_id?.[rows.from[row] as number] as number, dkp[row] as number]);
}

/** Returns a scan's file, for DuckDB. */
async function fileOf(env: Env, id: string): Promise<Response> {
  const db = openDb(env);
  const [scan] = await scansOf(db, await ownerOf(db), [id]);
  const object = scan && (await env.STORE.get(scan.key));
  return new Response(object ? await object.arrayBuffer() : null, { status: object ? 200 : 404 });
}

type Call = Parameters<typeof service.fetch>;

export default {
  async fetch(request: Request, env: Env, context: Call[2]): Promise<Response> {
    const url = new URL(request.url);
    switch (url.pathname) {
      case '/bench/fill':
        return fill(env, Number(url.searchParams.get('rows')));
      case '/bench/best':
        return Response.json(best((await compared(env, url)).scored));
      case '/bench/table': {
        const { loaded, scored } = await compared(env, url);
        return new Response(streamOf(comparedColumns(loaded, scored)));
      }
      case '/bench/file':
        return fileOf(env, url.searchParams.get('id') ?? '');
      default:
        return service.fetch(request as Call[0], env, context);
    }
  },
};
