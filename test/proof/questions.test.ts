import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Ask, openDuckDb } from '../../bench/duckdb.ts';
import type { KingdomRow } from '../../domain/boards/rows.ts';
import { addDays, type Day, dayOf, dayStart, HOUR_MS } from '../../domain/days.ts';
import { GAMES, type GameId } from '../../domain/games/games.ts';
import { type Row, tableOf } from '../../domain/scans/rows.ts';
import { copyScans } from '../../scripts/admin/snapshots.ts';
import { migrate } from '../../scripts/migrate.ts';
import { openDb } from '../../worker/db/open.ts';
import { boardPart, readBoardManifest } from '../../worker/gateways/board-store.ts';
import { type KingdomPage, kingdomPage } from '../../worker/models/kingdoms/kingdoms.ts';
import { digest } from '../../worker/models/scans/digest.ts';
import { publishDay } from '../../worker/services/boards/publish-boards.ts';
import { publishSnapshot } from '../../worker/services/scans/publish-snapshot.ts';

/** Runs the queries of docs/scale.md in DuckDB, on a copied bucket, and compares them with what the service shows. */

const ROOT = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'questions-'));
const scans = join(folder, 'scans');

/** The days in the queries as printed. */
const PRINTED: [Day, Day] = ['2026-11-13', '2026-11-20'];
const LAST = addDays(dayOf(Date.now()), -9);
const FIRST = addDays(LAST, -7);
const KINGDOMS: readonly (readonly [GameId, number])[] = [
  ['rok', 1001],
  ['rok', 1002],
  ['rok', 1003],
  ['cod', 101],
];

const [view = '', strongest = '', migrations = '', inactive = ''] = [
  ...readFileSync(join(ROOT, 'docs/scale.md'), 'utf8').matchAll(/^```sql\n(.*?)^```/gms),
].map(([, sql = '']) =>
  sql.replaceAll("'snapshots/", `'${scans}/snapshots/`).replaceAll(PRINTED[0], FIRST).replaceAll(PRINTED[1], LAST),
);

const miniflare = new Miniflare(
  convertV4MiniflareOptions({
    modules: true,
    script: 'export default {}',
    d1Databases: ['DB'],
    r2Buckets: ['STORE'],
    resourcePersistencePath: join(folder, 'state'),
  }),
);
// Miniflare's stores are the platform's own, under the names of another package of types.
let db: ReturnType<typeof openDb>;
let store: Parameters<typeof publishDay>[1];
let ask: Ask;

/** Returns a governor's row on a day. Every third one rests. */
function governorOn(game: GameId, home: number, index: number, day: number): Row {
  const { roles } = GAMES[game];
  const played = index % 3 === 0 ? 0 : day * (index + 1);
  const killcount_t5 = index * 10 + played;
  const power = 90_000_000 + (home % 10) * 1000 - index * 50_000 + played * 7;
  return {
    [roles.id]: home * 1000 + index,
    name: `Governor ${index}`,
    alliance_tag: `A${index % 4}`,
    power,
    [roles.deads]: 500 + played,
    // A highest power below the power puts the power in doubt.
    highest_power: index === 7 ? power - 1 : power,
    ...(game === 'rok' ? { killpoints: killcount_t5 * 20, killcount_t5 } : { merits: killcount_t5 }),
  };
}

let published = 0;

async function publish(game: GameId, kingdom_id: number, captured_at: number, rows: Row[]): Promise<void> {
  const id = `scan-${published++}`;
  const capture = { kingdom_id, captured_at, source: 'made up', id, item_id: null, version: 1 };
  await publishSnapshot(db, store, tableOf(game, rows), capture);
  await digest(db, store, { game, kingdom_id, captured_at });
}

/** Returns a governor's kingdom on a day. Two governors of each kingdom of one game move on the third day. */
const homeOn = (game: GameId, home: number, index: number, day: number): number =>
  game === 'rok' && day >= 3 && index % 100 === 5 ? 1001 + ((home - 1000) % 3) : home;

beforeAll(async () => {
  const d1 = await miniflare.getD1Database('DB');
  await migrate(d1);
  db = openDb({ DB: d1 as never });
  store = (await miniflare.getR2Bucket('STORE')) as never;
  ask = await openDuckDb(join(folder, 'duckdb'));
  for (let day = 0; day <= 7; day++)
    for (const [game, kingdom] of KINGDOMS) {
      const people = KINGDOMS.filter(([of]) => of === game).flatMap(([, home]) =>
        Array.from({ length: 200 }, (_, index) => ({ home, index })),
      );
      const here = people
        .filter(({ home, index }) => homeOn(game, home, index, day) === kingdom)
        .map(({ home, index }) => governorOn(game, home, index, day));
      const at = dayStart(addDays(FIRST, day)) + 5 * HOUR_MS;
      await publish(game, kingdom, at, here);
      // A shallower scan later on does not represent the day.
      if (day === 4) await publish(game, kingdom, at + HOUR_MS, here.slice(0, 50));
    }
}, 300_000);

afterAll(async () => {
  await miniflare.dispose();
  rmSync(folder, { recursive: true, force: true });
});

const numbers = (rows: unknown[][]) =>
  rows.map((row) => row.map((cell) => (typeof cell === 'bigint' ? Number(cell) : cell)));

async function pageOf(game: GameId, kingdom: number): Promise<KingdomPage> {
  const page = await kingdomPage(db, store, game, kingdom, 30);
  if (!page) throw new Error(`kingdom ${kingdom} has no page`);
  return page;
}

const pages = () => Promise.all(KINGDOMS.map(([game, kingdom]) => pageOf(game, kingdom)));

test('scans are copied under their keys, by range, and only once', async () => {
  const platform = { store: store as never };
  const range = { game: 'rok', kingdoms: [1001, 1003, 1004], from: FIRST, to: addDays(FIRST, 1) } as const;
  expect(await copyScans(platform, scans, range)).toEqual({ scans: 4, copied: 4 });
  const first = join(scans, 'snapshots/game=rok/kingdom=1001', `day=${FIRST}`);
  expect(existsSync(first)).toBe(true);
  expect(existsSync(join(scans, 'snapshots/game=rok/kingdom=1001', `day=${LAST}`))).toBe(false);
  expect(existsSync(join(scans, 'snapshots/game=rok/kingdom=1002'))).toBe(false);
  expect(existsSync(join(scans, 'snapshots/game=cod'))).toBe(false);
  // Simulates a copy that was killed.
  const [name = ''] = readdirSync(first);
  const whole = readFileSync(join(first, name));
  rmSync(join(first, name));
  writeFileSync(join(first, `${name}.part`), whole.subarray(0, 100));
  expect(await copyScans(platform, scans, range)).toEqual({ scans: 4, copied: 1 });
  expect(readdirSync(first)).toEqual([name]);
  expect(readFileSync(join(first, name)).equals(whole)).toBe(true);
  expect(await copyScans(platform, scans, {})).toEqual({ scans: published, copied: published - 4 });
});

test('the strongest kingdoms are those of the published board', async () => {
  await ask(view);
  const rows = numbers(await ask(strongest));
  expect(rows).toHaveLength(8 * KINGDOMS.length);
  for (const game of ['rok', 'cod'] as const) {
    await publishDay(db, store, game, LAST, Date.now());
    const { manifest } = await readBoardManifest(store);
    const { version = '' } = manifest[game].days[LAST]?.boards['kingdom-power'] ?? {};
    const bytes = await boardPart(store, { game, board: 'kingdom-power', day: LAST, version }, 'all');
    const { data } = JSON.parse(gunzipSync(bytes ?? new ArrayBuffer(0)).toString());
    const board = (data.rankings as KingdomRow[]).map(({ kingdom_id, player_count, total_power }) => [
      kingdom_id,
      player_count,
      total_power,
    ]);
    const found = rows.slice(-KINGDOMS.length).filter(([of]) => of === game);
    expect(found.map(([, , ...row]) => row)).toEqual(board);
    expect(board).toHaveLength(KINGDOMS.filter(([of]) => of === game).length);
  }
});

test('the power of each day is that of the kingdom’s page', async () => {
  const rows = numbers(await ask(strongest));
  for (const { game, kingdom_id, chart } of await pages())
    expect(rows.filter(([of, , kingdom]) => of === game && kingdom === kingdom_id).map((row) => row[4])).toEqual(
      chart.map(({ total_power }) => total_power),
    );
});

test('migrations are those on the kingdoms’ pages', async () => {
  const moves = (await pages()).flatMap(({ game, kingdom_id, left }) =>
    left.map(({ kingdom_id: to }) => `${game} ${kingdom_id} ${to}`),
  );
  const counted = [...Map.groupBy(moves, (move) => move)].map(([move, each]) => `${move} ${each.length}`);
  const found = numbers(await ask(migrations)).map((row) => row.join(' '));
  expect(found.sort()).toEqual(counted.sort());
  expect(moves).toHaveLength(6);
});

test('inactive governors are those on the kingdoms’ pages', async () => {
  const found = numbers(await ask(inactive));
  const counts = (await pages()).map(({ game, kingdom_id, inactive_count }) => [game, kingdom_id, inactive_count]);
  expect(found.map(([game, kingdom, , count]) => [game, kingdom, count]).sort()).toEqual(counts.sort());
  for (const [, , compared, count] of found) expect(Number(count) / Number(compared)).toBeGreaterThan(0.2);
});

test.for([
  [['--from', '2026-13-01'], "not '2026-13-01'"],
  [['--kingdoms', '1001-1040,x'], "not 'x'"],
  [['--kingdoms', '1040-1001'], "not '1040-1001'"],
  [['--kingdoms', '1-900000'], 'more than 10000 kingdoms'],
] as const)('the command refuses %s', ([flags, told]) => {
  const { stderr } = spawnSync(process.execPath, ['scripts/admin.ts', 'snapshots', '--out', scans, ...flags], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...process.env, STATE_DIR: join(folder, 'empty') },
  });
  expect(stderr).toContain(told);
});
