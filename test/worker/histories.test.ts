import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { addDays, DAY_MS, type Day, dayOf, HOUR_MS } from '../../domain/days.ts';
import { scanOf } from '../../domain/history/history.ts';
import { entriesOf, figureOf } from '../../domain/history/line.ts';
import type { Standing } from '../../domain/history/present.ts';
import { type Row, tableOf } from '../../domain/scans/rows.ts';
import { intercepted } from '../../stand-ins/database.ts';
import { openDb } from '../../worker/db/open.ts';
import { changeHistory, historyKey, storedHistory } from '../../worker/gateways/history-store.ts';
import { packingState, unpack } from '../../worker/models/kingdoms/directory.ts';
import { governorPage } from '../../worker/models/kingdoms/governors.ts';
import { kingdomHistory } from '../../worker/models/kingdoms/histories.ts';
import { kingdomPage } from '../../worker/models/kingdoms/kingdoms.ts';
import { monitoredKingdoms } from '../../worker/models/kingdoms/monitored.ts';
import { kingdomStanding } from '../../worker/models/kingdoms/standing.ts';
import { daysOfGovernors, topGovernors } from '../../worker/models/scans/history.ts';
import { flawsOfDatabase } from '../../worker/models/service/state-check.ts';
import { keepHistory } from '../../worker/services/histories/keep-history.ts';
import { packHistories, packKingdom, rebuildHistories } from '../../worker/services/histories/pack-histories.ts';
import { digestKingdoms } from '../../worker/services/scans/digest-kingdoms.ts';
import { publishSnapshot } from '../../worker/services/scans/publish-snapshot.ts';
import { verifyState } from '../../worker/services/service/verify-state.ts';
import { db, scanOf as ordered, signedInUser } from './client.ts';
import { dice, type Scan, world } from './moving-world.ts';
import { governor, publishRows } from './scans.ts';

/** Packed histories contain what scans show. */

const STORE = env.STORE;
const NOW = Date.now();

const publish = ({ kingdom, captured_at, rows, source }: Scan) =>
  publishRows('rok', kingdom, captured_at, rows, source);

/** A kingdom's history in a comparable form. */
async function told(kingdom_id: number) {
  const history = await storedHistory(STORE, { game: 'rok', kingdom_id });
  if (!history) return null;
  const lines = [...history.lines].map(([id, line]) => [
    id,
    [...entriesOf(line)].map(([entry]) => [
      scanOf(history, entry),
      entry.values[0],
      ...(['score', 'deads', 't4', 't5', 'rank'] as const).map((figure) => figureOf(entry, figure)),
    ]),
  ]);
  return Object.fromEntries(lines.sort(([a], [b]) => Number(a) - Number(b)));
}

const isSeenIn = async (kingdom: number): Promise<number[]> =>
  (
    await env.DB.prepare(`SELECT governor_id AS id FROM governors WHERE kingdom_id = ? ORDER BY 1`)
      .bind(kingdom)
      .all<{ id: number }>()
  ).results.map(({ id }) => id);

/** A governor's day as their page has it. */
interface ToldDay {
  day: Day;
  kingdom_id: number;
  rank: number;
  power: number;
  score: number | null;
  deads: number | null;
  t4: number | null;
  t5: number | null;
}

/**
 * Returns each governor's days by the rule alone: rank, power and kingdom of the day's newest scan, and the profile of
 * the newest one that read it. `scans` are in order of time.
 */
function daysByRule(scans: readonly Scan[]): Map<number, ToldDay[]> {
  const days = new Map<number, Map<Day, ToldDay>>();
  for (const { kingdom, captured_at, rows } of scans)
    for (const [index, row] of rows.entries()) {
      const id = row.governor_id as number;
      const own = days.get(id) ?? new Map<Day, ToldDay>();
      const day = dayOf(captured_at);
      const [score, deads, t4, t5] = [row.killpoints, row.deads, row.killcount_t4, row.killcount_t5] as (
        | number
        | null
      )[];
      const read = { score: score ?? null, deads: deads ?? null, t4: t4 ?? null, t5: t5 ?? null };
      const isRead = Object.values(read).some((figure) => figure !== null);
      const {
        score: s,
        deads: d,
        t4: four,
        t5: five,
      } = own.get(day) ?? { score: null, deads: null, t4: null, t5: null };
      const profile = isRead ? read : { score: s, deads: d, t4: four, t5: five };
      own.set(day, { day, kingdom_id: kingdom, rank: index + 1, power: row.power as number, ...profile });
      days.set(id, own);
    }
  return new Map([...days].map(([id, own]) => [id, [...own.values()]]));
}

describe('the packed histories', () => {
  it('give each governor the days that the rule gives, and every page its answer', async () => {
    const scans = world(3100, 32, 1);
    for (const scan of scans) await publish(scan);
    const user = await signedInUser();
    const start = new Date(NOW + DAY_MS).toISOString();
    const body = { orders: [ordered([3100, 3101, 3102])], scheduleInfo: { start, interval: 1, period: 'week' } };
    expect((await user.call('POST', '/v1/order/create', body)).status).toBe(200);
    expect(await packingState(db)).toMatchObject({ unpacked: 0 });
    const expected = daysByRule(scans);
    let most = 0;
    for (const kingdom of [3100, 3101, 3102]) {
      const asked = { game: 'rok', kingdom_id: kingdom } as const;
      const packed = await kingdomHistory(db, STORE, asked);
      expect(packed.history.lines.size).toBeGreaterThan(20);
      expect((await kingdomPage(db, STORE, 'rok', kingdom, 30))?.inactive.length).toBeGreaterThan(0);
      for (const id of await isSeenIn(kingdom)) {
        const days = (await governorPage(db, STORE, 'rok', id, 90))?.days;
        expect(days).toEqual(expected.get(id));
        most = Math.max(most, days?.length ?? 0);
      }
      const standing = (await kingdomStanding(db, 'rok', kingdom)) as Standing;
      const ids = topGovernors(packed, standing, 100);
      const days = daysOfGovernors(packed, ids, addDays(dayOf(NOW), -89));
      expect(days.map(({ name: _, alliance_tag: __, governor_id: ___, ...day }) => day)).toEqual(
        ids.flatMap((id) => expected.get(id) ?? []),
      );
    }
    expect(most).toBeGreaterThan(25);
    const monitored = await monitoredKingdoms(db, STORE, user.id, NOW);
    expect(monitored.map(({ compared }) => compared)).not.toContain(null);
    expect((await verifyState(db, STORE, NOW)).flaws).toEqual([]);
  }, 180_000);

  it('are the same for any order of scans, after repeats and after a rebuild', async () => {
    const scans = world(3200, 15, 2);
    for (const scan of scans) await publish(scan);
    const kingdoms = [3200, 3201, 3202];
    const etags = () =>
      Promise.all(
        kingdoms.map(async (kingdom_id) => (await STORE.head(historyKey({ game: 'rok', kingdom_id })))?.etag),
      );
    const first = await etags();
    for (const scan of scans.slice(-9)) await publish(scan);
    expect(await etags()).toEqual(first);
    const lines = async () => {
      const each: unknown[] = [];
      for (const kingdom of kingdoms)
        for (const id of await isSeenIn(kingdom)) each.push(((await told(kingdom)) as Record<number, unknown>)[id]);
      return each;
    };
    const expected = await lines();
    for (const kingdom_id of kingdoms) await STORE.delete(historyKey({ game: 'rok', kingdom_id }));
    await unpack(db, 'all');
    expect(await rebuildHistories(db, STORE, () => {}, NOW)).toMatchObject({ differing: 0 });
    expect(await lines()).toEqual(expected);
    for (const kingdom_id of kingdoms) await STORE.delete(historyKey({ game: 'rok', kingdom_id }));
    const roll = dice(5);
    for (const scan of scans.toSorted(() => roll(3) - 1)) await publish(scan);
    expect(await lines()).toEqual(expected);
  }, 180_000);
});

describe('a packed history', () => {
  const rows = (first: number, count: number, more: Row = {}): Row[] =>
    Array.from({ length: count }, (_, index) => governor(first + index, 900e6 - index * 1e5, more));

  it('contains all scans that are digested at the same time', async () => {
    const at = NOW - 5 * DAY_MS;
    await Promise.all([0, 1, 2, 3].map((day) => publishRows('rok', 3300, at + day * DAY_MS, rows(330_000, 30))));
    const history = await storedHistory(STORE, { game: 'rok', kingdom_id: 3300 });
    const line = history?.lines.get(330_000);
    expect(line && [...entriesOf(line)].map(([{ day }]) => day)).toHaveLength(4);
  });

  it('is correct after a crash before the directory update', async () => {
    const [home, away] = [3310, 3311];
    await publishRows('rok', home, NOW - 3 * DAY_MS, rows(331_000, 10));
    const before = await governorPage(db, STORE, 'rok', 331_000, 90);
    const captured_at = NOW - 2 * DAY_MS;
    const crashed = { kingdom_id: away, captured_at, source: 'made up' };
    await keepHistory(db, STORE, tableOf('rok', rows(331_000, 1)), crashed);
    expect(await governorPage(db, STORE, 'rok', 331_000, 90)).toEqual(before);
    await publishRows('rok', away, captured_at, rows(331_000, 1));
    const page = await governorPage(db, STORE, 'rok', 331_000, 90);
    expect(page?.days.map(({ kingdom_id }) => kingdom_id)).toEqual([home, away]);
  });

  it('keeps the days of a vanished kingdom and of the governors that left it', async () => {
    const [gone, next] = [3325, 3326];
    const asked = { game: 'rok', kingdom_id: gone } as const;
    for (let ago = 9; ago > 2; ago--) await publishRows('rok', gone, NOW - ago * DAY_MS, rows(332_500, 20));
    await publishRows('rok', next, NOW - DAY_MS, rows(332_500, 15));
    const kingdom = await kingdomPage(db, STORE, 'rok', gone, 30);
    expect(kingdom?.chart).toHaveLength(7);
    expect(kingdom?.left).toHaveLength(15);
    const daysOf = async (id: number) =>
      (await governorPage(db, STORE, 'rok', id, 90))?.days.map(({ kingdom_id }) => kingdom_id);
    const [moved, left] = [await daysOf(332_500), await daysOf(332_519)];
    expect(moved).toEqual([...Array(7).fill(gone), next]);
    expect(left).toHaveLength(7);
    await STORE.delete(historyKey(asked));
    expect(await daysOf(332_519)).toEqual([]);
    await packKingdom(db, STORE, asked, NOW);
    expect(await daysOf(332_519)).toEqual(left);
    expect(await daysOf(332_500)).toEqual(moved);
    expect((await kingdomHistory(db, STORE, asked)).history.lines.size).toBe(5);
  });

  it('falls back to the previous kingdom if the directory points to the wrong one', async () => {
    await publishRows('rok', 3320, NOW - 3 * DAY_MS, rows(332_000, 5));
    await publishRows('rok', 3321, NOW - 3 * DAY_MS, rows(332_100, 5));
    const before = await governorPage(db, STORE, 'rok', 332_000, 90);
    expect(before?.days).toHaveLength(1);
    await env.DB.prepare(`UPDATE governors SET kingdom_id = 3321 WHERE governor_id = 332000`).run();
    expect((await governorPage(db, STORE, 'rok', 332_000, 90))?.days).toEqual(before?.days);
  });

  it('of another version is repacked', async () => {
    const asked = { game: 'rok', kingdom_id: 3330 } as const;
    await publishRows('rok', 3330, NOW - 3 * DAY_MS, rows(333_000, 5));
    const bytes = new Uint8Array((await (await STORE.get(historyKey(asked)))?.arrayBuffer()) as ArrayBuffer);
    bytes[3] = 0;
    await STORE.put(historyKey(asked), bytes);
    expect(await storedHistory(STORE, asked)).toBe(null);
    while ((await packHistories(db, STORE, NOW, Number.POSITIVE_INFINITY)) > 0);
    await publishRows('rok', 3330, NOW - 2 * DAY_MS, rows(333_000, 5));
    expect(await packingState(db)).toMatchObject({ unpacked: 1 });
    expect((await governorPage(db, STORE, 'rok', 333_000, 90))?.days).toHaveLength(1);
    expect(await packHistories(db, STORE, NOW, Number.POSITIVE_INFINITY)).toBe(1);
    expect(await packingState(db)).toMatchObject({ unpacked: 0 });
    expect((await governorPage(db, STORE, 'rok', 333_000, 90))?.days).toHaveLength(2);
  });

  it('is digested again once it is packed, so that inactive governors are counted', async () => {
    const asked = { game: 'rok', kingdom_id: 3335 } as const;
    for (const ago of [9, 1]) await publishRows('rok', 3335, NOW - ago * DAY_MS, rows(333_500, 5));
    const inactive = async () => {
      await digestKingdoms(db, STORE, NOW);
      return env.DB.prepare(`SELECT inactive FROM kingdom_days WHERE kingdom_id = 3335 ORDER BY day DESC`).first(
        'inactive',
      );
    };
    // Simulates a release without histories.
    await STORE.delete(historyKey(asked));
    await unpack(db, [asked]);
    expect(await inactive()).toBe(null);
    await packHistories(db, STORE, NOW, Number.POSITIVE_INFINITY);
    expect(await inactive()).toBe(5);
  });

  it('loses no scan that arrives during a rebuild', async () => {
    const asked = { game: 'rok', kingdom_id: 3340 } as const;
    for (let ago = 9; ago > 0; ago--) await publishRows('rok', 3340, NOW - ago * DAY_MS, rows(334_000, 50));
    await Promise.all([
      packKingdom(db, STORE, asked, NOW),
      publishRows('rok', 3340, NOW, rows(334_000, 50)),
      packKingdom(db, STORE, asked, NOW),
    ]);
    expect((await governorPage(db, STORE, 'rok', 334_000, 90))?.days).toHaveLength(10);
  });

  it('loses no old scan that is published while the others are read', async () => {
    const asked = { game: 'rok', kingdom_id: 3375 } as const;
    for (let ago = 4; ago > 1; ago--) await publishRows('rok', 3375, NOW - ago * DAY_MS, rows(337_500, 50));
    let isPublished = false;
    const store = new Proxy(STORE, {
      get(target, name) {
        const value = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        return async (...args: unknown[]) => {
          if (!isPublished && name === 'get' && String(args[0]).endsWith('.parquet')) {
            isPublished = true;
            await publishRows('rok', 3375, NOW - 2 * HOUR_MS, rows(337_500, 50));
          }
          return value.apply(target, args);
        };
      },
    });
    await packKingdom(db, store, asked, NOW);
    expect(isPublished).toBe(true);
    expect((await governorPage(db, STORE, 'rok', 337_500, 90))?.days).toHaveLength(4);
  });

  describe('that is packed after a scan was added and before it is recorded', () => {
    /** D1 that awaits `wait` ahead of each call. */
    const awaiting = (wait: () => Promise<void> | void) => openDb({ DB: intercepted(env.DB as never, wait) as never });
    const daysOf = async (id: number) => (await governorPage(db, STORE, 'rok', id, 90))?.days.length;
    /** Publishes an old scan, and awaits `record` once the history has it and D1 does not. */
    const publishLate = (kingdom_id: number, first: number, record: () => Promise<void>) => {
      const captured_at = NOW - 2 * HOUR_MS;
      const late = awaiting(async () => {
        const history = await storedHistory(STORE, { game: 'rok', kingdom_id });
        if ([...(history?.scans.values() ?? [])].flat().some((scan) => scan.captured_at === captured_at))
          await record();
      });
      const capture = { kingdom_id, captured_at, source: 'made up', id: 'late', item_id: null, version: 1 };
      return publishSnapshot(late, STORE, tableOf('rok', rows(first, 50)), capture);
    };

    it('is packed again', async () => {
      const asked = { game: 'rok', kingdom_id: 3376 } as const;
      for (let ago = 4; ago > 1; ago--) await publishRows('rok', 3376, NOW - ago * DAY_MS, rows(337_600, 50));
      await publishLate(3376, 337_600, () => packKingdom(db, STORE, asked, NOW));
      expect([await daysOf(337_600), await packingState(db)]).toEqual([3, expect.objectContaining({ unpacked: 1 })]);
      await packHistories(db, STORE, NOW, Number.POSITIVE_INFINITY);
      expect([await daysOf(337_600), await packingState(db)]).toEqual([4, expect.objectContaining({ unpacked: 0 })]);
    });

    it('is not marked as packed if the scan is recorded just before', async () => {
      const asked = { game: 'rok', kingdom_id: 3377 } as const;
      for (let ago = 4; ago > 1; ago--) await publishRows('rok', 3377, NOW - ago * DAY_MS, rows(337_700, 50));
      let calls = 0;
      const counting = awaiting(() => {
        calls += 1;
      });
      await packKingdom(counting, STORE, asked, NOW);
      const { promise: isAdded, resolve: added } = Promise.withResolvers<void>();
      const { promise: isDue, resolve: record } = Promise.withResolvers<void>();
      const publishing = publishLate(3377, 337_700, () => {
        added();
        return isDue;
      });
      await isAdded;
      const marking = awaiting(async () => {
        calls -= 1;
        if (calls > 0) return;
        record();
        await publishing;
      });
      await packKingdom(marking, STORE, asked, NOW);
      expect(calls).toBeLessThanOrEqual(0);
      expect([await daysOf(337_700), await packingState(db)]).toEqual([4, expect.objectContaining({ unpacked: 0 })]);
    });
  });

  it('drops the day of a recalled scan and keeps the others', async () => {
    const asked = { game: 'rok', kingdom_id: 3350 } as const;
    for (let ago = 3; ago > 0; ago--) await publishRows('rok', 3350, NOW - ago * DAY_MS, rows(335_000, 5));
    await env.DB.prepare(`DELETE FROM snapshots WHERE kingdom_id = 3350 AND captured_at = ?`)
      .bind(NOW - 2 * DAY_MS)
      .run();
    await packKingdom(db, STORE, asked, NOW, NOW);
    expect((await governorPage(db, STORE, 'rok', 335_000, 90))?.days).toHaveLength(2);
  });

  it('has a line for each of 4,001 governors, including one seen only once', async () => {
    const asked = { game: 'rok', kingdom_id: 3360 } as const;
    await publishRows('rok', 3360, NOW - 2 * DAY_MS, rows(336_000_000, 4000));
    await publishRows('rok', 3360, NOW - DAY_MS, rows(336_000_000, 4001, { deads: 5 }));
    const daysOf = async (id: number) => {
      const line = (await storedHistory(STORE, asked))?.lines.get(id);
      return line && [...entriesOf(line)].length;
    };
    expect(await Promise.all([336_000_000, 336_002_000, 336_003_999].map(daysOf))).toEqual([2, 2, 2]);
    expect(await daysOf(336_004_000)).toBe(1);
    expect(await daysOf(1)).toBe(undefined);
  });

  it('loads a governor’s page with two database calls and one bucket call', async () => {
    await publishRows('rok', 3365, NOW - 2 * DAY_MS, rows(336_500, 30));
    let trips = 0;
    const trip = () => {
      trips += 1;
    };
    const counted = openDb({ DB: intercepted(env.DB as never, trip) as never });
    const bucket = {
      get: (key: string) => {
        trip();
        return STORE.get(key);
      },
    };
    expect((await governorPage(counted, bucket as never, 'rok', 336_510, 90))?.days).toHaveLength(1);
    expect(trips).toBe(3);
  });

  it('is reported by the state check if it is missing or different', async () => {
    const asked = { game: 'rok', kingdom_id: 3370 } as const;
    await publishRows('rok', 3370, NOW - 2 * DAY_MS, rows(337_000, 5));
    expect(await flawsOfDatabase(db, NOW)).toEqual([]);
    await changeHistory(STORE, asked, (history) => history.lines.delete(337_001));
    expect((await verifyState(db, STORE, NOW)).flaws).toContain(
      'The packed history of rok 3370 differs from the directory in 1 of 5 governors.',
    );
    await STORE.delete(historyKey(asked));
    expect((await verifyState(db, STORE, NOW)).flaws).toContain(
      'The packed history of rok 3370 is missing or cannot be read: npm run admin -- rebuild-history rok 3370.',
    );
    await packKingdom(db, STORE, asked, NOW);
    expect((await verifyState(db, STORE, NOW)).flaws.filter((flaw) => flaw.includes('3370'))).toEqual([]);
  });
});
