import { newestShown } from '../../domain/boards/leaderboard.ts';
import { rankedColumns } from '../../domain/boards/ranking.ts';
import { type Day, dayStart } from '../../domain/days.ts';
import { GAMES } from '../../domain/games/games.ts';
import { emptyTable, numbersOf, type Table, textsOf } from '../../domain/scans/rows.ts';
import { totalsOf } from '../../domain/scans/totals.ts';
import { entryId, letterPairs, searchKey } from '../../domain/search.ts';
import { openDb } from '../../worker/db/open.ts';
import type { Env } from '../../worker/env.ts';
import { writeSnapshot } from '../../worker/files/parquet.ts';
import { openStored, putSnapshot, snapshotKey } from '../../worker/gateways/snapshot-store.ts';
import { rankedScans } from '../../worker/models/boards/board-rows.ts';
import { mergeSearchIndex, search } from '../../worker/models/kingdoms/search.ts';
import { publishDay } from '../../worker/services/boards/publish-boards.ts';

type D1 = Env['DB'];

const ROWS = 1000;
/** Returns the day of the scans, whose board of governors is the newest that is public. */
const scanned = (): Day => newestShown('governor-power', Date.now());
const SYLLABLES = 'ka ro mi ten shu la vor dun gar el bra nok zi fa lor hem ur pil sto wen'.split(' ');
const HAN = '龍王天下無雙風雲霸主明月星辰山河';

/** Returns a pseudo-random number from 0 to 1 for a seed. */
const chance = (seed: number): number => {
  const mixed = Math.imul(seed ^ (seed >>> 15), 0x2c1b3c6d);
  return ((mixed ^ (mixed >>> 12)) >>> 0) / 2 ** 32;
};

function nameOf(id: number): string {
  const pick = (list: ArrayLike<string>, salt: number) => list[Math.floor(chance(id * 31 + salt) * list.length)] ?? '';
  if (id % 5 === 0) return [1, 2, 3].map((salt) => pick(HAN, salt)).join('') + (id % 100);
  return [1, 2, 3, 4].map((salt) => pick(SYLLABLES, salt)).join('') + (id % 1000);
}

function kingdomTable(kingdom: number): Table {
  const table = emptyTable('rok', ROWS);
  const { roles } = GAMES.rok;
  const fill = (key: string, value: (row: number) => number) => {
    const numbers = numbersOf(table, key);
    for (let row = 0; row < ROWS; row++) numbers[row] = value(row);
  };
  const id = (row: number) => kingdom * ROWS + row;
  fill(roles.id, id);
  fill(roles.kingdom, () => kingdom);
  fill(roles.power, (row) => Math.floor(2e8 * chance(id(row)) ** 3));
  fill(roles.highestPower, (row) => Math.floor(2e8 * chance(id(row)) ** 3));
  fill(roles.score, (row) => Math.floor(5e9 * chance(id(row) + 7) ** 4));
  fill(roles.deads, (row) => Math.floor(1e7 * chance(id(row) + 9)));
  fill(roles.hall, () => 25);
  for (const [tier, key] of roles.tiers.entries()) fill(key, (row) => Math.floor(1e8 * chance(id(row) + tier)));
  for (let row = 0; row < ROWS; row++) {
    textsOf(table, roles.name)[row] = nameOf(id(row));
    textsOf(table, roles.tag)[row] = `A${row % 30}`;
    textsOf(table, 'alliance_name')[row] = `Alliance ${row % 30}`;
  }
  return table;
}

/** Stores snapshots of kingdoms `from` up to `to`, as orders would. */
async function fill(env: Env, from: number, to: number): Promise<void> {
  const statements: ReturnType<D1['prepare']>[] = [];
  const day = scanned();
  const captured_at = dayStart(day) + 3_600_000;
  for (let kingdom = from; kingdom < to; kingdom++) {
    const table = kingdomTable(kingdom);
    const name = { game: 'rok', kingdom_id: kingdom, captured_at, id: 'bench', version: 1 } as const;
    const key = snapshotKey(name);
    const bytes = writeSnapshot(table, { ...name, source: 'bench', quality: {} });
    await putSnapshot(env.STORE, key, bytes);
    statements.push(
      env.DB.prepare(
        `INSERT INTO snapshots (key, game, kingdom_id, captured_at, source, rows, bytes, quality, created_at)
         VALUES (?, 'rok', ?, ?, 'bench', ?, ?, '{}', 0)`,
      ).bind(key, kingdom, captured_at, ROWS, bytes.byteLength),
      env.DB.prepare(
        `INSERT INTO kingdom_days (game, kingdom_id, day, captured_at, snapshot_id, totals) VALUES ('rok', ?, ?, ?, 0, ?)`,
      ).bind(kingdom, day, captured_at, JSON.stringify(totalsOf(table))),
    );
  }
  await env.DB.batch(statements);
}

/** Stores search entries and governors with ids `from` up to `to`. */
async function enter(env: Env, from: number, to: number): Promise<void> {
  const entries = Array.from({ length: to - from }, (_, index) => {
    const ref = String(from + index);
    const name = nameOf(from + index);
    const key = searchKey(name);
    const power = Math.floor(2e8 * chance(from + index) ** 3);
    return { id: entryId('rok', 'governor', ref, power), ref, name, key, pairs: letterPairs(key), power };
  });
  const json = JSON.stringify(entries);
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO search_entries (id, game, kind, ref, name, key, pairs)
       SELECT value ->> 'id', 'rok', 'governor', value ->> 'ref', value ->> 'name', value ->> 'key', value ->> 'pairs'
       FROM json_each(?)`,
    ).bind(json),
    env.DB.prepare(
      `INSERT INTO governors (game, governor_id, kingdom_id, name, alliance_tag, power, profile, captured_at)
       SELECT 'rok', CAST(value ->> 'ref' AS INTEGER), 1, value ->> 'name', '', value ->> 'power', '{}', 0
       FROM json_each(?)`,
    ).bind(json),
  ]);
}

/** Reads every scan as a build does, and keeps nothing. */
async function readAll(env: Env): Promise<void> {
  for (const { key } of await rankedScans(openDb(env), 'rok', scanned()))
    for await (const _ of (await openStored(env.STORE, key)).groups(rankedColumns('rok')));
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const url = new URL(request.url);
    const number = (name: string) => Number(url.searchParams.get(name));
    const work = url.pathname.slice(1);
    if (work === 'fill') await fill(env, number('from'), number('to'));
    else if (work === 'enter') await enter(env, number('from'), number('to'));
    else if (work === 'merge') await mergeSearchIndex(openDb(env), Infinity);
    else if (work === 'read') await readAll(env);
    else if (work === 'publish') await publishDay(openDb(env), env.STORE, 'rok', scanned(), Date.now());
    // Boards of kingdoms are public days before those of governors.
    else if (work === 'publish-kingdoms')
      await publishDay(openDb(env), env.STORE, 'rok', newestShown('kingdom-power', Date.now()), Date.now());
    else if (work === 'search') return Response.json(await search(openDb(env), url.searchParams.get('q') ?? ''));
    return new Response('done');
  },
};
