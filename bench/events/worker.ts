import { scoreKeys } from '../../domain/events/columns.ts';
import { eventPayload } from '../../domain/events/contract.ts';
import { greatestOf } from '../../domain/scans/order.ts';
import type { Table } from '../../domain/scans/rows.ts';
import { openDb } from '../../worker/db/open.ts';
import type { Env } from '../../worker/env.ts';
import { snapshotKey } from '../../worker/gateways/snapshot-store.ts';
import service from '../../worker/index.ts';
import { forEachAtOnce } from '../../worker/isolate/at-once.ts';
import { partsOf, putEventSnapshot } from '../../worker/models/events/event-snapshots.ts';
import { createEvent } from '../../worker/models/events/events.ts';
import { loadMoment, storedParts } from '../../worker/services/events/load-moment.ts';
import { eventWar } from '../../worker/services/events/war.ts';
import { publishSnapshot } from '../../worker/services/scans/publish-snapshot.ts';
import { kingdomAt } from '../kingdom.ts';

export { DashboardCache } from '../../durable-objects/dashboard-cache.ts';
export { OrderProgress } from '../../durable-objects/order-progress.ts';
export { UserSockets } from '../../durable-objects/user-sockets.ts';

/** The service plus calls that fill an event and compute differences alone. The caller measures the time. */

const KINGDOM_ROWS = 5000;
const FIRST = Date.UTC(2026, 0, 1);
const STEP = 86_400_000;

/** Creates an event with some rows and snapshots. Returns its id. */
async function fill(env: Env, rows: number, snapshots: number): Promise<Response> {
  const db = openDb(env);
  const kingdoms = Array.from({ length: Math.ceil(rows / KINGDOM_ROWS) }, (_, index) => 1000 + index);
  const half = Math.ceil(kingdoms.length / 2);
  const plan = eventPayload.parse({
    game: 'rok',
    kvk_id: `bench-${rows}`,
    name: 'Bench',
    camps: [
      { name: 'Fire', kingdoms: kingdoms.slice(0, half) },
      ...(kingdoms.length > 1 ? [{ name: 'Water', kingdoms: kingdoms.slice(half) }] : []),
    ],
    refresh_rate: 60,
    start: FIRST,
    end: FIRST + 60 * STEP,
    gather: false,
  });
  const id = await createEvent(db, plan, { id: 'bench', address: '' });
  for (let step = 0; step < snapshots; step++) {
    const ts = FIRST + step * STEP;
    const parts: { kingdom_id: number; key: string }[] = [];
    for (const kingdom_id of kingdoms) {
      const table = kingdomAt(kingdom_id, Math.min(KINGDOM_ROWS, rows), step);
      const capture = {
        kingdom_id,
        captured_at: ts,
        source: 'bench',
        id: `bench-${rows}-${step}`,
        item_id: null,
        version: 1,
      };
      await publishSnapshot(db, env.STORE, table, capture);
      parts.push({ kingdom_id, key: snapshotKey({ game: 'rok', ...capture }) });
    }
    await putEventSnapshot(db, id, { ts, source: 'bench', kingdoms, parts });
  }
  return Response.json({ id });
}

let held: { from: Table; to: Table } | undefined;

async function sides(env: Env, id: number): Promise<{ from: Table; to: Table; plan: Parameters<typeof eventWar>[0] }> {
  const moments = [FIRST, FIRST + STEP] as const;
  const found = await partsOf(openDb(env), id, moments);
  if (!found) throw new Error(`no event ${id}`);
  const { plan } = found.event;
  const columns = { core: scoreKeys('rok', plan), more: [] };
  const side = (ts: number) =>
    loadMoment(env.STORE, { game: 'rok', removed: found.removed }, storedParts(found.parts, ts), columns);
  return { from: await side(moments[0]), to: await side(moments[1]), plan };
}

/** Returns the first fifty rows of a difference with DKP. `warm` reuses the columns that the last cold call decoded. */
async function difference(env: Env, id: number, warm: boolean): Promise<Response> {
  const read =
    warm && held ? { ...held, plan: (await partsOf(openDb(env), id, []))?.event.plan } : await sides(env, id);
  if (!read.plan) throw new Error(`no event ${id}`);
  held = { from: read.from, to: read.to };
  const war = eventWar(read.plan, read.from, read.to, new Set());
  const top = [...greatestOf(war.scores.dkp, 50)];
  const { from } = war.compared.rows;
  return Response.json(
    top.map((pair) => [read.from.numbers.governor_id?.[from[pair] as number], war.scores.dkp[pair]]),
  );
}

/** Reads the files of both sides from the bucket and does nothing with them. */
async function fetchOnly(env: Env, id: number): Promise<Response> {
  const moments = [FIRST, FIRST + STEP] as const;
  const found = await partsOf(openDb(env), id, moments);
  for (const ts of moments)
    await forEachAtOnce(storedParts(found?.parts ?? [], ts), async ({ key }) => {
      await (await env.STORE.get(key))?.arrayBuffer();
    });
  return Response.json(null);
}

/** Returns the file of a part, for DuckDB. */
async function file(env: Env, id: number, step: number, number: number): Promise<Response> {
  const found = await partsOf(openDb(env), id, [FIRST + step * STEP]);
  const part = storedParts(found?.parts ?? [], FIRST + step * STEP)[number];
  const object = part && (await env.STORE.get(part.key));
  return new Response(object ? await object.arrayBuffer() : null, { status: object ? 200 : 404 });
}

/** The fastest possible answer of a Worker: bytes that it already has. */
let bytes: ArrayBuffer | undefined;

type Call = Parameters<typeof service.fetch>;

export default {
  async fetch(request: Request, env: Env, context: Call[2]): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const number = (name: string) => Number(searchParams.get(name));
    switch (pathname) {
      case '/bench/fill':
        return fill(env, number('rows'), number('snapshots'));
      case '/bench/difference':
        return difference(env, number('id'), searchParams.has('warm'));
      case '/bench/fetch-only':
        return fetchOnly(env, number('id'));
      case '/bench/file':
        return file(env, number('id'), number('step'), number('number'));
      case '/bench/take':
        bytes = await request.arrayBuffer();
        return new Response('taken');
      case '/bench/bare':
        return new Response(bytes, { headers: { 'content-type': 'application/json' } });
      default:
        return service.fetch(request as Call[0], env, context);
    }
  },
};
