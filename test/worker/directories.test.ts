import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS } from '../../domain/days.ts';
import type { GameId } from '../../domain/games/games.ts';
import { type Row, tableOf } from '../../domain/scans/rows.ts';
import { simulatedWorld } from '../../fleet/sources/world.ts';
import { intercepted } from '../../stand-ins/database.ts';
import { type Db, openDb } from '../../worker/db/open.ts';
import { ownGovernorsWithNames, setOwnGovernors } from '../../worker/models/accounts/own-governors.ts';
import { pruneHistory } from '../../worker/models/boards/board-rows.ts';
import { acceptProven, askRemoval } from '../../worker/models/boards/removals.ts';
import { alliancePage } from '../../worker/models/kingdoms/alliances.ts';
import { boughtHistory, governorName, governorPage, governorsNearId } from '../../worker/models/kingdoms/governors.ts';
import { kingdomPage } from '../../worker/models/kingdoms/kingdoms.ts';
import { movedKingdoms } from '../../worker/models/kingdoms/moved.ts';
import { mergeSearchIndex, search } from '../../worker/models/kingdoms/search.ts';
import { dropUnseenGovernors } from '../../worker/models/kingdoms/unseen.ts';
import { isMigrated, NEWEST_MIGRATION } from '../../worker/models/service/database.ts';
import { copyDirectory, dropDirectory, lackingTable, placesOf } from '../../worker/models/service/move-directory.ts';
import { recallItem } from '../../worker/models/service/recall.ts';
import { rowsAfter, tablesOf } from '../../worker/models/service/tables.ts';
import { digestKingdoms } from '../../worker/services/scans/digest-kingdoms.ts';
import { publishSnapshot } from '../../worker/services/scans/publish-snapshot.ts';
import { verifyState } from '../../worker/services/service/verify-state.ts';
import { type Scan, world } from './moving-world.ts';

/** The directory of each game in a database of its own (docs/decisions/database-per-game.md). */

interface Service {
  db: Db;
  store: R2Bucket;
}

const OTHERS = { DB: env.OTHER_DB, DIRECTORY_ROK: env.OTHER_ROK, DIRECTORY_COD: env.OTHER_COD };
/** One service with one database, and one whose two directories lie apart. */
const one: Service = { db: openDb(env), store: env.STORE };
const apart: Service = { db: openDb(OTHERS), store: env.OTHER_STORE };
/** Only a game's directory apart. */
const half = openDb({ DB: env.OTHER_DB, DIRECTORY_COD: env.OTHER_COD });

const NOW = Date.now();
const FIRST = 3701;
const KINGDOMS = [FIRST, FIRST + 1, FIRST + 2];
const LORDS = simulatedWorld().kingdoms('cod').slice(0, 2);

beforeAll(async () => {
  for (const database of Object.values(OTHERS))
    await database.batch([
      database.prepare('CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE NOT NULL)'),
      ...env.TEST_MIGRATIONS.flatMap(({ name, queries }) => [
        ...queries.map((query) => database.prepare(query)),
        database.prepare('INSERT INTO d1_migrations (name) VALUES (?)').bind(name),
      ]),
    ]);
});

/** Publishes a scan. The same one has the same key in both services. */
const publish = ({ db, store }: Service, game: GameId, { kingdom, captured_at, rows, source }: Scan) =>
  publishSnapshot(
    db,
    store,
    tableOf(
      game,
      rows.map((row) => ({ [game === 'rok' ? 'home_kingdom' : 'home_server']: kingdom, ...row })),
    ),
    { kingdom_id: kingdom, captured_at, source, id: String(captured_at), item_id: null, version: 1 },
  );

const digestAll = async ({ db, store }: Service): Promise<void> => {
  while ((await digestKingdoms(db, store, NOW)) > 0);
};

/** Scans of two servers, between which the strongest lord moves. */
function lordScans(): Scan[] {
  const simulated = simulatedWorld();
  const [home = 0, other = 0] = LORDS;
  return [3, 2, 1].flatMap((ago) => {
    const captured_at = NOW - ago * DAY_MS;
    const [mover, ...stay] = simulated.rows('cod', home, captured_at, 40) as [Row, ...Row[]];
    const there = simulated.rows('cod', other, captured_at, 40);
    const source = 'made up';
    return [
      { kingdom: home, captured_at, source, rows: ago === 1 ? stay : [mover, ...stay] },
      { kingdom: other, captured_at: captured_at + 1000, source, rows: ago === 1 ? [mover, ...there] : there },
    ];
  });
}

const SCANS: [GameId, Scan][] = [
  ...world(FIRST, 12, 5).map((scan): [GameId, Scan] => ['rok', scan]),
  ...lordScans().map((scan): [GameId, Scan] => ['cod', scan]),
];

const count = (database: D1Database, from: string) =>
  database.prepare(`SELECT count(*) AS n FROM ${from}`).first<number>('n');

/** Returns the rows of the directory's tables wherever they lie. */
async function listed(db: Db): Promise<Record<string, unknown[]>> {
  const shapes = (await tablesOf(db)).filter(({ key }) => key[0] === 'game' && key.length > 1);
  const wanted = shapes.filter(({ name }) => ['governors', 'governor_changes', 'search_entries'].includes(name));
  const pages = wanted.map(async (shape) => [shape.name, await rowsAfter(db, shape, null, 1e5)] as const);
  return Object.fromEntries(await Promise.all(pages));
}

/** Asks everything that reads the directory. */
async function answers({ db, store }: Service) {
  const ids = [FIRST * 1000, FIRST * 1000 + 1, FIRST * 1000 + 149, 7];
  const lords = (
    await db.directory('cod').prepare("SELECT governor_id FROM governors WHERE game = 'cod' ORDER BY 1").all()
  ).results;
  const [lord] = lords as [{ governor_id: number }];
  const watched = KINGDOMS.map((kingdom_id) => ({ game: 'rok' as const, kingdom_id }));
  const days = await Promise.all(
    watched.map(async (kingdom) => ({
      ...{ ...kingdom, last_scan: NOW, next_run: null, item_id: null },
      days: (
        await db.$client
          .prepare(
            `SELECT game, kingdom_id, day, captured_at, totals FROM kingdom_days WHERE game = 'rok' AND kingdom_id = ? ORDER BY day`,
          )
          .bind(kingdom.kingdom_id)
          .all()
      ).results,
    })),
  );
  const names = ['Governor 1', 'Governor 12', 'Renamed', 'Renamd 5', 'A1', String(FIRST), String(ids[1]), 'ov'];
  return {
    governors: await Promise.all(ids.map((id) => governorPage(db, store, 'rok', id, 90))),
    lord: await governorPage(db, store, 'cod', lord.governor_id, 90),
    kingdoms: await Promise.all(KINGDOMS.map((kingdom) => kingdomPage(db, store, 'rok', kingdom, 90))),
    servers: await Promise.all(LORDS.map((server) => kingdomPage(db, store, 'cod', server, 90))),
    alliances: await Promise.all(
      KINGDOMS.map((kingdom_id) => alliancePage(db, store, { game: 'rok', kingdom_id }, 'A1')),
    ),
    moved: await movedKingdoms(db, store, days as never, NOW - 9 * DAY_MS),
    found: await Promise.all(names.map((name) => search(db, name))),
    near: [await governorsNearId(db, FIRST * 1000 - 1), await governorsNearId(db, lord.governor_id)],
    name: [await governorName(db, 'rok', ids[0] ?? 0), await governorName(db, 'cod', 7)],
    listed: await listed(db),
  };
}

describe('a directory apart', () => {
  it('answers to the letter as one in the same database does', async () => {
    for (const service of [one, apart]) {
      for (const [game, scan] of SCANS) await publish(service, game, scan);
      await digestAll(service);
      await mergeSearchIndex(service.db, Date.now() + 5000);
    }
    const [expected, told] = [await answers(one), await answers(apart)];
    expect(told).toEqual(expected);
    // The comparison is about something.
    expect(expected.found.map(({ governors }) => governors.length)).toEqual(expect.arrayContaining([8, 1]));
    expect(expected.kingdoms.flatMap((page) => page?.arrived ?? []).length).toBeGreaterThan(3);
    expect(expected.servers[1]?.arrived).toHaveLength(1);
    expect(expected.moved.kingdoms.map(({ renamed }) => renamed.count).some((each) => each > 0)).toBe(true);
    expect(expected.listed.governor_changes?.length).toBeGreaterThan(10);
  });

  it('has no row of the directory in the database of the service, and none of the other game', async () => {
    for (const table of ['governors', 'governor_changes', 'search_entries'])
      expect([table, await count(env.OTHER_DB, table)]).toEqual([table, 0]);
    expect(await count(env.OTHER_ROK, `governors WHERE game <> 'rok'`)).toBe(0);
    expect(await count(env.OTHER_COD, `governors WHERE game <> 'cod'`)).toBe(0);
    expect(await count(env.OTHER_ROK, 'snapshots')).toBe(0);
  });

  it('passes verify, which checks its search index too', async () => {
    expect((await verifyState(apart.db, apart.store, NOW)).flaws).toEqual([]);
    await env.OTHER_COD.prepare(`INSERT INTO search_index (search_index) VALUES ('delete-all')`).run();
    expect((await verifyState(apart.db, apart.store, NOW)).flaws).toEqual([
      'The search index search_index does not have what its table has.',
    ]);
    await env.OTHER_COD.prepare(`INSERT INTO search_index (search_index) VALUES ('rebuild')`).run();
  });

  it('is not ready until it has the newest migration', async () => {
    expect(await isMigrated(apart.db)).toBe(true);
    // The newest that this release knows, because the next release's migrations run while this one still serves.
    const rename = (from: string, to: string) =>
      env.OTHER_COD.prepare('UPDATE d1_migrations SET name = ?2 WHERE name = ?1').bind(from, to).run();
    await rename(NEWEST_MIGRATION, 'another.sql');
    expect([await isMigrated(apart.db), await isMigrated(one.db)]).toEqual([false, true]);
    await rename('another.sql', NEWEST_MIGRATION);
  });

  it('names a user’s governors in their order, and knows whose histories they bought', async () => {
    const own = { rok: [FIRST * 1000 + 3, 99, FIRST * 1000 + 1], cod: [5] };
    const told = [];
    for (const { db } of [one, apart]) {
      await db.$client
        .prepare(
          `INSERT INTO users (id, username, username_key, email, email_key, password_hash, created_at)
           VALUES ('u', 'u', 'u', 'u', 'u', '', 0)`,
        )
        .run();
      told.push(await setOwnGovernors(db, 'u', own), await ownGovernorsWithNames(db, 'u'));
      told.push(await boughtHistory(db, 'u', 'rok', { governor: FIRST * 1000 + 3 }));
    }
    expect(told.slice(3)).toEqual(told.slice(0, 3));
    expect(told[0]).toMatchObject({
      named: [FIRST * 1000 + 3, FIRST * 1000 + 1].map((governor_id) => ({ governor_id })),
    });
  });

  it('proves a removal by the code in a later name', async () => {
    for (const service of [one, apart]) {
      const { db } = service;
      const asked = { game: 'rok' as const, governor_id: FIRST * 1000 + 2, note: '' };
      expect(await askRemoval(db, { ...asked, governor_id: 12 }, 'CODE1', NOW)).toBe('unknown');
      expect(await askRemoval(db, asked, 'CODE1', NOW - DAY_MS)).toMatchObject({ state: 'open', code: 'CODE1' });
      expect(await askRemoval(db, asked, 'CODE2', NOW)).toMatchObject({ code: 'CODE1' });
      expect(await acceptProven(db, NOW)).toBe(0);
      await db
        .directory('rok')
        .prepare(`UPDATE governors SET name = 'code1', captured_at = ? WHERE governor_id = ?`)
        .bind(NOW, asked.governor_id)
        .run();
      expect(await acceptProven(db, NOW)).toBe(1);
    }
  });

  it('forgets old changes and governors whom no scan shows', async () => {
    const left = [];
    for (const { db, store } of [one, apart]) {
      await pruneHistory(db, NOW + 85 * DAY_MS);
      const changes = (await listed(db)).governor_changes?.length;
      await dropUnseenGovernors(db, store, NOW + 366 * DAY_MS);
      left.push([changes, await listed(db)]);
    }
    expect(left[1]).toEqual(left[0]);
    expect(left[0]?.[1]).toMatchObject({ governors: [] });
  });
});

/** The service apart, whose own database fails at this call, as if the process was killed before it. */
function killedAt(call: number): Service {
  let calls = 0;
  const DB = intercepted(env.OTHER_DB as never, () => {
    if (++calls === call) throw new Error('the process was killed');
  });
  return { db: openDb({ ...OTHERS, DB: DB as never }), store: apart.store };
}

describe('a crash between the directory and the service’s own tables', () => {
  const kingdom = 3790;
  const scanOf = (captured_at: number, names: readonly string[]): Scan => ({
    ...{ kingdom, captured_at, source: 'made up' },
    rows: names.map((name, index) => ({
      ...{ governor_id: 379_000 + index, name, alliance_tag: 'K', power: 9e6 - index, highest_power: 9e6 },
      ...{ killpoints: 0, deads: index },
    })),
  });

  it('is healed by publishing the scan again', async () => {
    await publish(apart, 'rok', scanOf(NOW - 2 * DAY_MS, ['Ann', 'Ben']));
    await digestAll(apart);
    const scan = scanOf(NOW - DAY_MS, ['Ann', 'Bert', 'Cy']);
    // The first two look for the scan before and for what is digested.
    await expect(publish(killedAt(3), 'rok', scan)).rejects.toThrow('the process was killed');
    const names = () => env.OTHER_ROK.prepare(`SELECT name FROM governors WHERE kingdom_id = 3790 ORDER BY 1`).all();
    expect((await names()).results).toEqual([{ name: 'Ann' }, { name: 'Bert' }, { name: 'Cy' }]);
    expect(await count(env.OTHER_DB, 'snapshots WHERE kingdom_id = 3790')).toBe(1);
    for (let times = 0; times < 2; times++) await publish(apart, 'rok', scan);
    expect(await count(env.OTHER_DB, 'snapshots WHERE kingdom_id = 3790')).toBe(2);
    expect(await count(env.OTHER_DB, 'kingdom_days WHERE kingdom_id = 3790')).toBe(2);
    expect(await count(env.OTHER_ROK, 'governor_changes WHERE kingdom_id = 3790')).toBe(1);
    expect((await kingdomPage(apart.db, apart.store, 'rok', kingdom, 90))?.name_changes).toMatchObject([
      { old_name: 'Ben', current_name: 'Bert' },
    ]);
  });

  it('is healed by the next digest', async () => {
    // The first two ask for kingdoms that wait and what is known of one.
    const { db, store } = killedAt(3);
    await digestKingdoms(db, store, NOW);
    const entered = `search_entries WHERE kind = 'governor' AND ref IN ('379000', '379001', '379002')`;
    expect(await count(env.OTHER_ROK, entered)).toBe(3);
    expect(await count(env.OTHER_DB, 'kingdoms WHERE kingdom_id = 3790 AND digested_at < captured_at')).toBe(1);
    // It is in backoff for a while.
    await digestKingdoms(apart.db, apart.store, NOW + DAY_MS);
    expect(await count(env.OTHER_ROK, entered)).toBe(3);
    expect(await count(env.OTHER_DB, 'kingdoms WHERE kingdom_id = 3790 AND digested_at < captured_at')).toBe(0);
    expect((await search(apart.db, 'Bert')).governors).toMatchObject([{ governor_id: 379_001 }]);
  });

  it('is healed by recalling the item again', async () => {
    const at = NOW - 2 * DAY_MS;
    await env.OTHER_DB.batch([
      env.OTHER_DB.prepare(
        `INSERT INTO orders (id, uuid, user_id, total_cents, entries, placed_at) VALUES (9, 'o', 'u', 1, '[]', 0)`,
      ),
      env.OTHER_DB.prepare(
        `INSERT INTO items (id, order_id, position, product_id, game, kingdom_id, governors, full_profile, price_cents,
           details, subtask_count, incomplete_count, state, snapshot_id)
         SELECT 'i', 9, 0, 'rok-kingdom-scan', 'rok', 3790, 100, 0, 1, '', 1, 0, 'done', id FROM snapshots WHERE captured_at = ${at} AND kingdom_id = 3790`,
      ),
      env.OTHER_DB.prepare(`UPDATE snapshots SET item_id = 'i' WHERE captured_at = ${at} AND kingdom_id = 3790`),
    ]);
    const asked = { item_id: 'i', bot: 'g/b' };
    await expect(recallItem(killedAt(2).db, { name: 'op' }, asked, NOW)).rejects.toThrow('the process was killed');
    expect(await count(env.OTHER_ROK, `governors WHERE captured_at = ${at} AND kingdom_id = 3790`)).toBe(0);
    expect(await recallItem(apart.db, { name: 'op' }, asked, NOW)).toHaveLength(1);
    expect(await recallItem(apart.db, { name: 'op' }, asked, NOW)).toBeNull();
    expect(await count(env.OTHER_DB, `snapshots WHERE captured_at = ${at} AND kingdom_id = 3790`)).toBe(0);
  });
});

describe('moving a directory', () => {
  it('copies what there is and what changed meanwhile, deletes it at the old place, and brings it back', async () => {
    expect(placesOf(one.db, 'rok', false)).toBeNull();
    const into = placesOf(apart.db, 'rok', false);
    const back = placesOf(apart.db, 'rok', true);
    if (!into || !back) throw new Error('no place');
    const scan = (kingdom: number, ago: number, name: string): Scan => ({
      ...{ kingdom, captured_at: NOW - ago * DAY_MS, source: 'made up' },
      rows: Array.from({ length: 2500 }, (_, index) => ({
        ...{ governor_id: 800_000 + index, name: index === 0 ? name : `Mover ${index}`, alliance_tag: 'M' },
        ...{ power: 9e6 - index, highest_power: 9e6, killpoints: 0, deads: 0 },
      })),
    });
    const before = { db: half, store: apart.store };
    await publish(before, 'rok', scan(3795, 3, 'First'));
    await digestAll(before);
    expect((await copyDirectory(into, 'rok')).governors).toBeGreaterThanOrEqual(2500);
    // The service still writes to its own database.
    await publish(before, 'rok', scan(3795, 2, 'Second'));
    await digestAll(before);
    const asked = async (db: Db) => [
      await governorPage(db, apart.store, 'rok', 800_000, 90),
      await kingdomPage(db, apart.store, 'rok', 3795, 90),
      await search(db, 'Mover 1234'),
      await governorName(db, 'rok', 800_000),
    ];
    const expected = await asked(half);
    expect(await asked(apart.db)).not.toEqual(expected);
    expect(await lackingTable(into, 'rok')).toBe('governors');
    await copyDirectory(into, 'rok');
    await digestAll(apart);
    // Entries of both places until the old ones are deleted: each answers alone.
    expect(await asked(apart.db)).toEqual(expected);
    expect((await search(apart.db, 'Second')).governors).toMatchObject([{ governor_id: 800_000, name: 'Second' }]);
    // A recall and the cron delete in the new place, which is no reason to copy or keep the old rows.
    const deleted = 'governors WHERE governor_id = 802499';
    await env.OTHER_ROK.exec(`DELETE FROM ${deleted}`);
    expect(await lackingTable(into, 'rok')).toBeNull();
    await dropDirectory(into, 'rok');
    expect(await count(env.OTHER_ROK, deleted)).toBe(0);
    expect(await count(env.OTHER_DB, 'governors')).toBe(0);
    expect(await count(env.OTHER_DB, 'search_entries')).toBe(0);
    expect(await asked(apart.db)).toEqual(expected);
    await publish(apart, 'rok', scan(3795, 1, 'Third'));
    await digestAll(apart);
    expect(await lackingTable(back, 'rok')).toBe('search_entries');
    await copyDirectory(back, 'rok');
    await digestAll(before);
    expect(await asked(half)).toEqual(await asked(apart.db));
    expect((await governorPage(half, apart.store, 'rok', 800_000, 90))?.governor.name).toBe('Third');
    // The bound database still has the entries of before, under names that are no longer those.
    await publish(before, 'rok', scan(3795, 0, 'Quartus'));
    await digestAll(before);
    expect((await search(half, 'Quartus')).governors).toHaveLength(1);
    const moved = openDb({ DB: env.OTHER_ROK, DIRECTORY_ROK: env.OTHER_DB });
    expect((await search(moved, 'Third')).governors).toEqual([]);
    // The tests above have taken other kingdoms' governors away.
    const { flaws } = await verifyState(half, apart.store, NOW);
    expect(flaws.filter((flaw) => /3795|search/.test(flaw))).toEqual([]);
  });
});
