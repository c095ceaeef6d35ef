import { env } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import { DAY_MS } from '../../domain/days.ts';
import { tableOf } from '../../domain/scans/rows.ts';
import { waitAfter } from '../../domain/work.ts';
import { recordSnapshot } from '../../worker/models/scans/snapshots.ts';
import { keepHistory } from '../../worker/services/histories/keep-history.ts';
import { digestKingdoms } from '../../worker/services/scans/digest-kingdoms.ts';
import { publishSnapshot } from '../../worker/services/scans/publish-snapshot.ts';
import { db, fireCron, signedInAdmin, signedInUser } from './client.ts';
import { dice, type Scan, world } from './moving-world.ts';
import { rowsWhere } from './payments-client.ts';
import { governor, publishRows } from './scans.ts';

const EVERY_MINUTE = '* * * * *';

describe('a scan that changes nothing in the search index', () => {
  const publish = ({ kingdom, captured_at, rows, source }: Scan) =>
    publishRows('rok', kingdom, captured_at, rows, source);
  const waiting = () => rowsWhere(`SELECT kingdom_id FROM kingdoms WHERE digested_at < captured_at ORDER BY 1`);
  /** Returns what digests make. */
  const digested = async () => [
    await rowsWhere(`SELECT kingdom_id, day, inactive FROM kingdom_days ORDER BY 1, 2`),
    await rowsWhere(`SELECT kind, ref, name FROM search_entries ORDER BY 1, 2`),
  ];

  it('is digested as the cron would, also after a crash and with others at the same time', async () => {
    const roll = dice(11);
    // Most scans show no new name.
    const scans = world(3020, 15, 6).map((scan) => {
      if (roll(8) === 0) return scan;
      const rows = scan.rows.map((row) => ({ ...row, name: `Governor ${row.governor_id}`, alliance_tag: 'A1' }));
      return { ...scan, rows };
    });
    const steps = [3020, 3021, 3022].flatMap((kingdom) => {
      const own = scans.filter((scan) => scan.kingdom === kingdom);
      return Array.from({ length: own.length / 2 }, () => own.splice(0, 1 + Number(roll(3) === 0)));
    });
    let atOnce = 0;
    for (const some of steps.sort(([one], [other]) => (one?.captured_at ?? 0) - (other?.captured_at ?? 0))) {
      const [{ kingdom: kingdom_id, captured_at, rows, source }] = some as [Scan];
      if (roll(5) === 0) await keepHistory(db, env.STORE, tableOf('rok', rows), { kingdom_id, captured_at, source });
      await Promise.all(some.map(publish));
      if ((await waiting()).length === 0) atOnce += 1;
      await digestKingdoms(db, env.STORE);
      const found = await digested();
      await env.DB.prepare('UPDATE kingdoms SET digested_at = 0 WHERE kingdom_id = ?').bind(kingdom_id).run();
      await digestKingdoms(db, env.STORE);
      expect(await digested()).toEqual(found);
    }
    expect(atOnce).toBeGreaterThan(2);
    expect(await rowsWhere('SELECT DISTINCT kingdom_id FROM kingdom_days WHERE inactive > 0')).toHaveLength(3);
  }, 180_000);

  it('is left to the cron if another scan is recorded first', async () => {
    const [now, rows] = [Date.now(), [1, 2, 3].map((index) => governor(303_500 + index, 5000 - index))];
    await publishRows('rok', 3035, now - 9e8, rows);
    await digestKingdoms(db, env.STORE);
    const table = tableOf('rok', rows);
    const about = { game: 'rok', kingdom_id: 3035, captured_at: now, source: 'made up', item_id: null } as const;
    const changes = await keepHistory(db, env.STORE, table, about);
    expect(changes).toMatchObject({ directory: [], digested: { inactive: 3, after: now - 9e8 } });
    await publishRows('rok', 3035, now - 1e8, rows);
    await recordSnapshot(db, table, { ...about, key: 'made up', rows: 3, bytes: 1, quality: {}, version: 1 }, changes);
    expect(await waiting()).toEqual([{ kingdom_id: 3035 }]);
    await digestKingdoms(db, env.STORE);
  });

  it('is one without new names of governors or alliances', async () => {
    const day = 86_400_000;
    const scan = (ago: number, alliance_name: string, more = {}) =>
      publishRows(
        'rok',
        3030,
        Date.now() - ago * day,
        [1, 2, 3].map((index) => governor(303_000 + index, 5000 - index, { alliance_name, ...more })),
      );
    const waits = async () => {
      const isWaiting = (await waiting()).length > 0;
      await digestKingdoms(db, env.STORE);
      return isWaiting;
    };
    await scan(9, 'Old');
    expect(await waits()).toBe(true);
    await scan(8, 'Old');
    expect(await waits()).toBe(false);
    await scan(7, 'New');
    expect(await waits()).toBe(true);
    await scan(6, 'New', { name: 'Renamed' });
    expect(await waits()).toBe(true);
    // An older one may be the day's deepest.
    await scan(6.01, 'New');
    expect(await waits()).toBe(true);
    await scan(5, 'New', { name: 'Renamed', alliance_tag: 'A1' });
    expect(await waits()).toBe(true);
    await scan(4, 'New', { name: 'Renamed', alliance_tag: 'A1' });
    expect(await waits()).toBe(false);
    expect(await rowsWhere(`SELECT name FROM search_entries WHERE ref LIKE '3030:%'`)).toEqual([{ name: 'A1 New' }]);
  });

  it('is one in which governors change to another alliance, but not one in which they come from elsewhere', async () => {
    const scan = async (kingdom: number, ago: number, first: number, tags: string) => {
      const rows = [...tags].map((tag, index) => governor(first + index, 5000 - index, { alliance_tag: tag }));
      await publishRows('rok', kingdom, Date.now() - ago * DAY_MS, rows);
      const isWaiting = (await waiting()).length > 0;
      await digestKingdoms(db, env.STORE);
      return isWaiting;
    };
    expect(await scan(3031, 9, 303_100, 'AABB')).toBe(true);
    expect(await scan(3031, 8, 303_100, 'ABBB')).toBe(false);
    const tags = `SELECT alliance_tag AS tag FROM governors WHERE kingdom_id = 3031 ORDER BY governor_id`;
    expect(await rowsWhere(tags)).toEqual([...'ABBB'].map((tag) => ({ tag })));
    expect(await scan(3032, 7, 303_104, 'AB')).toBe(true);
    expect(await scan(3032, 6, 303_104, 'AB')).toBe(false);
    expect(await scan(3032, 5, 303_103, 'BAB')).toBe(true);
    expect(await scan(3032, 4, 303_103, 'BAB')).toBe(false);
  });

  it('waits if a newer one of its day was digested, so that the deeper one represents the day', async () => {
    const now = Date.UTC(2026, 10, 20, 12);
    const rows = (count: number) =>
      Array.from({ length: count }, (_, index) => governor(303_300 + index, 5000 - index));
    const inactive = () =>
      rowsWhere(`SELECT inactive FROM kingdom_days WHERE kingdom_id = 3033 ORDER BY day DESC LIMIT 1`);
    const scan = (captured_at: number, count: number) => publishRows('rok', 3033, captured_at, rows(count));
    await scan(now - 8 * DAY_MS, 10);
    await digestKingdoms(db, env.STORE);
    await scan(now, 6);
    expect([await waiting(), await inactive()]).toEqual([[], [{ inactive: 6 }]]);
    await scan(now - 5000, 11);
    expect(await waiting()).toEqual([{ kingdom_id: 3033 }]);
    await digestKingdoms(db, env.STORE);
    expect(await inactive()).toEqual([{ inactive: 10 }]);
    expect(await rowsWhere(`SELECT ref FROM search_entries WHERE ref = '303310'`)).toEqual([{ ref: '303310' }]);
  });
});

describe('a kingdom whose digest fails', () => {
  const publish = (kingdom_id: number, power: number, captured_at: number) =>
    publishSnapshot(
      db,
      env.STORE,
      tableOf('rok', [governor(kingdom_id * 10, power, { home_kingdom: kingdom_id, alliance_tag: 'ONE' })]),
      { kingdom_id, captured_at, source: 'made up', id: crypto.randomUUID(), item_id: null, version: 1 },
    );
  const undigested = () => rowsWhere(`SELECT kingdom_id FROM kingdoms WHERE digested_at < captured_at ORDER BY 1`);

  it('stops no other, is shown to admins, and is tried again later', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const now = Date.now();
    for (const [index, kingdom] of [3001, 3002, 3003].entries()) await publish(kingdom, 1000 + index, now - 10 + index);
    await env.DB.exec(
      `CREATE TRIGGER poison BEFORE UPDATE OF digested_at ON kingdoms WHEN NEW.kingdom_id = 3002 BEGIN SELECT raise(ABORT, 'poisoned'); END`,
    );
    await fireCron(EVERY_MINUTE, now);
    expect(await undigested()).toEqual([{ kingdom_id: 3002 }]);
    const admin = await signedInAdmin();
    const { data } = await admin.call('GET', '/v1/admin/setbacks');
    expect(data).toMatchObject({
      count: 1,
      setbacks: [{ job: 'digest', subject: 'rok 3002', tries: 1, error: expect.stringMatching(/poisoned/) }],
    });
    await env.DB.exec('DROP TRIGGER poison');
    await fireCron(EVERY_MINUTE, now + waitAfter(1) - 1);
    expect(await undigested()).toHaveLength(1);
    await fireCron(EVERY_MINUTE, now + waitAfter(1));
    expect(await undigested()).toEqual([]);
    expect((await admin.call('GET', '/v1/admin/setbacks')).data).toEqual({ count: 0, setbacks: [] });
    const user = await signedInUser();
    expect((await user.call('GET', '/v1/admin/setbacks')).status).toBe(404);
  });

  it('that ends the process is put into backoff by the next run, which records what it begins', async () => {
    const begun: unknown[] = [];
    const recording = new Proxy(env.STORE, {
      get: (store, name) => {
        const own = Reflect.get(store, name, store);
        if (name !== 'get') return own.bind(store);
        return async (key: string) => {
          begun.push(await rowsWhere(`SELECT subject FROM setbacks WHERE job = 'digest'`));
          return store.get(key);
        };
      },
    });
    const now = Date.now();
    await publish(3005, 1000, now);
    await digestKingdoms(db, recording, now);
    await publish(3005, 1000, now + 1);
    await digestKingdoms(db, recording, now, { isAgain: true });
    expect(begun).toEqual([[], [{ subject: 'rok 3005' }]]);
    expect(await rowsWhere(`SELECT subject FROM setbacks WHERE job = 'digest'`)).toEqual([]);
  });

  it('is not caused by powers that add up beyond any integer', async () => {
    const now = Date.now();
    const most = { home_kingdom: 3010, alliance_tag: 'BIG', killpoints: null };
    const rows = Array.from({ length: 1100 }, (_, row) => governor(900_000 + row, Number.MAX_SAFE_INTEGER, most));
    const capture = { kingdom_id: 3010, captured_at: now, source: 'made up', id: 'big', item_id: null, version: 1 };
    await publishSnapshot(db, env.STORE, tableOf('rok', rows), capture);
    await fireCron(EVERY_MINUTE, now);
    expect(await undigested()).toEqual([]);
    const members = `SELECT alliances ->> '$[0].members' AS members FROM kingdom_days WHERE kingdom_id = 3010`;
    expect(await rowsWhere(members)).toEqual([{ members: 1100 }]);
  });
});
