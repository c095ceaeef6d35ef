import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { addDays, type Day, dayOf, dayStart } from '../../domain/days.ts';
import { PRODUCTS } from '../../domain/orders/catalogue.ts';
import { historyFrom, verdictsOfDays } from '../../domain/scans/history.ts';
import { tableOf } from '../../domain/scans/rows.ts';
import { openStored } from '../../worker/gateways/snapshot-store.ts';
import { boughtHistory } from '../../worker/models/kingdoms/governors.ts';
import { recordAlone, recordSnapshot } from '../../worker/models/scans/snapshots.ts';
import { eventually } from '../support/eventually.ts';
import { type Caller, db, fireCron, scanOf, settled, signedInUser } from './client.ts';
import { daysOfKingdom, governor, publishRows } from './scans.ts';

/** The product is off by default (specification, section 4). These tests turn it on. */
const READY = 'rok-kingdom-scan,rok-history';
const TODAY = dayOf(Date.now());
const at = (day: Day) => dayStart(day) + 3_600_000;

const historyOf = (kingdoms: number[], governors = 100) => ({
  type: 'rok-history',
  group_name: 'History',
  product_name: '90-day history',
  params: { kingdoms: kingdoms.map(String), governors },
  fields: { Kingdoms: kingdoms.join(', '), Governors: String(governors) },
  price: 2 * Math.ceil(governors / 100) * kingdoms.length,
});

/** Finishes again, as after a crash between D1's batch and the object's record; `unknown`: items missing there. */
async function finishAgain(object: ReturnType<typeof env.ORDER_PROGRESS.getByName>, unknown = 'false'): Promise<void> {
  await runInDurableObject(object, async (_, { storage }) => {
    storage.sql.exec(`DELETE FROM items WHERE ${unknown}`);
    storage.sql.exec(`UPDATE items SET state = 'finishing'`);
    await storage.setAlarm(Date.now() + 60_000);
  });
  await runDurableObjectAlarm(object);
}

beforeAll(async () => {
  (env as { READY_PRODUCTS: string }).READY_PRODUCTS = READY;
  // 150 governors over 95 days. The first five days are too old for the history, and every tenth has no profiles.
  for (let ago = 94; ago >= 0; ago -= 3) {
    const listed = ago % 10 === 0;
    const rows = Array.from({ length: 150 }, (_, index) => {
      const row = governor(index + 1, 100e6 - index * 1000 + ago, { killpoints: 20 * (1000 - ago), deads: 1000 - ago });
      row.killcount_t5 = 1000 - ago;
      return listed
        ? {
            governor_id: index + 1,
            name: row.name as string,
            alliance_tag: 'L',
            power: row.power as number,
            highest_power: null,
          }
        : row;
    });
    await publishRows('rok', 2001, at(addDays(TODAY, -ago)), rows);
  }
  // Today only the first was scanned, and misread. The others count by the scan before.
  await publishRows('rok', 2001, at(TODAY) + 1000, [governor(1, 100e6)]);
});

describe('the history product', () => {
  it('is closed until the configuration opens it', async () => {
    const user = await signedInUser();
    (env as { READY_PRODUCTS: string }).READY_PRODUCTS = 'rok-kingdom-scan';
    const refused = await user.call('POST', '/v1/order/create', { orders: [historyOf([2001])] });
    (env as { READY_PRODUCTS: string }).READY_PRODUCTS = READY;
    expect(refused).toMatchObject({ status: 400, msg: 'orders[0]: History: 90-day history cannot be ordered yet.' });
    expect((await user.call('GET', '/v1/account')).data.balance).toBe(100);
  });

  it('delivers the stored days of the top governors for a flat price', async () => {
    const user = await signedInUser(1_000);
    const placed = await user.call('POST', '/v1/order/create', { orders: [historyOf([2001], 120)] });
    expect(placed).toMatchObject({ status: 200, data: { total: 4 } });
    const order = await settled(user);
    expect((await user.call('GET', '/v1/account')).data.balance).toBe(6);
    const [item] = order.items;
    expect(item).toMatchObject({ state: 'done', has_results: true, subtask_count: 0, kind: 'history', price: 4 });
    expect(item.details).toEqual({ Kingdoms: '2001', Governors: '120' });

    const known = await env.DB.prepare(
      'SELECT governor_id, name, alliance_tag FROM governors WHERE kingdom_id = 2001 AND governor_id <= 120 ORDER BY power DESC, governor_id',
    ).all<{ governor_id: number; name: string; alliance_tag: string }>();
    const from = historyFrom(Date.now());
    const days = (await daysOfKingdom('rok', 2001)).filter(({ day }) => day >= from);
    const results = known.results.flatMap((one) =>
      days
        .filter(({ governor_id }) => governor_id === one.governor_id)
        .map(({ kingdom_id: home_kingdom, score: killpoints, t4, t5, captured_at: _, by_file: __, ...day }) => ({
          ...{ ...day, ...one, home_kingdom, killpoints, killcount_t4: t4, killcount_t5: t5 },
        })),
    );
    expect(results.length).toBe(120 * 30 + 1);
    const { data } = await user.call('GET', `/v1/order/${item.item_id}/download?type=json`);
    const misread = (row: Record<string, unknown>) => row.governor_id === 1 && row.day === TODAY;
    expect(data.rows).toEqual(
      results.map((row) => ({
        ...row,
        doubted: misread(row) ? 'score deads tiers' : null,
        quality: misread(row) ? 'counter_fell' : null,
      })),
    );
    expect(data.rows.filter((row: { killpoints: number | null }) => row.killpoints === null).length).toBe(120 * 3);

    const header = (await user.call('GET', `/v1/order/item/${item.item_id}/`)).data;
    expect(header).toMatchObject({
      rows: 3601,
      quality: { ok: 120 * 27, listed: 120 * 3, counter_fell: 1 },
      kind: 'history',
    });
    const csv = (await user.call('GET', `/v1/order/${item.item_id}/download?type=csv`)).data as string;
    expect(csv.split('\r\n')[0]).toBe(
      'day,rank,governor_id,alliance_tag,home_kingdom,name,power,killpoints,deads,killcount_t4,killcount_t5,doubted,quality',
    );
    expect(csv.trimEnd().split('\r\n')).toHaveLength(3602);
    expect((await user.fetch(`/v1/order/${item.item_id}/download?type=xlsx`)).status).toBe(200);
    const sorted = await user.call('GET', `/v1/order/${item.item_id}/download?type=json&sort=Killpoints`);
    expect(sorted.data.rows[0].killpoints).toBe(19_980);
    expect(sorted.data.rows.at(-1).killpoints).toBeNull();
  });

  it('adds no scan, day or change to the kingdom', async () => {
    const figures = () =>
      env.DB.prepare(
        `SELECT (SELECT count(*) FROM governor_changes) AS changes, (SELECT max(captured_at) FROM governors) AS governors,
           (SELECT group_concat(totals) FROM kingdom_days) AS totals, (SELECT max(captured_at) FROM kingdoms) AS known,
           (SELECT count(*) FROM snapshots WHERE kind = 'scan') AS scans`,
      ).first();
    const before = await figures();
    const user = await signedInUser();
    await user.call('POST', '/v1/order/create', { orders: [historyOf([2001])] });
    expect((await settled(user)).items[0].state).toBe('done');
    expect(await figures()).toEqual(before);
  });

  it('opens the 30 and 90 day views of its kingdom for 90 days', async () => {
    const user = await signedInUser();
    expect((await user.call('GET', '/v1/governors/1/?days=30')).status).toBe(402);
    await user.call('POST', '/v1/order/create', { orders: [historyOf([2001])] });
    await settled(user);
    const open = await user.call('GET', '/v1/governors/1/?days=90');
    expect(open).toMatchObject({ status: 200, data: { days_open: 90 } });
    expect(open.data.days.length).toBeGreaterThan(28);
    expect((await user.call('GET', '/v1/kingdoms/2001/?days=90')).status).toBe(200);
    await env.DB.prepare(
      `UPDATE items SET finished_at = finished_at - 91 * 86400000
       WHERE order_id IN (SELECT id FROM orders WHERE user_id = ?)`,
    )
      .bind(user.id)
      .run();
    expect((await user.call('GET', '/v1/governors/1/?days=90')).status).toBe(402);
  });

  it('opens more than seven days only after a delivered purchase for that kingdom and game', async () => {
    const [user, other] = [await signedInUser(), await signedInUser()];
    await publishRows('rok', 2010, at(TODAY), [governor(9_001, 1e6)]);
    await publishRows('cod', 2001, at(TODAY), [{ lord_id: 1, name: 'One', power: 5 }]);
    const asked = async (who: Caller, path: string, days: number) =>
      (await who.call('GET', `${path}days=${days}`)).status;
    const closed = async (who: Caller, path: string) => {
      expect(await asked(who, path, 7)).toBe(200);
      for (const days of [30, 90]) expect(await asked(who, path, days)).toBe(402);
    };
    const [governorPage, kingdomPage] = ['/v1/governors/1/?', '/v1/kingdoms/2001/?'];
    for (const path of [governorPage, kingdomPage]) await closed(user, path);
    expect((await user.call('GET', `${kingdomPage}days=7`)).data.days_open).toBe(7);

    // Neither a scan of the kingdom nor a cancelled history counts as a purchase.
    await user.call('POST', '/v1/order/create', { orders: [scanOf([2001]), historyOf([2996])] });
    await env.DB.prepare(
      `UPDATE items SET state = 'done', finished_at = ? WHERE product_id = 'rok-kingdom-scan'
         AND order_id IN (SELECT id FROM orders WHERE user_id = ?)`,
    )
      .bind(Date.now(), user.id)
      .run();
    await eventually(async () => {
      const { items } = (await user.call('GET', '/v1/orders/')).data.orders[0];
      expect(items[1].state).toBe('cancelled');
    });
    for (const path of [governorPage, kingdomPage]) await closed(user, path);

    await user.call('POST', '/v1/order/create', { orders: [historyOf([2001])] });
    await settled(user);
    for (const path of [governorPage, kingdomPage])
      for (const days of [30, 90]) expect(await asked(user, path, days)).toBe(200);
    for (const path of [governorPage, kingdomPage]) await closed(other, path);
    await other.call('POST', '/v1/order/create', { orders: [historyOf([2001])] });
    await settled(other);
    await env.DB.prepare(
      `UPDATE items SET state = 'cancelled' WHERE order_id IN (SELECT id FROM orders WHERE user_id = ?)`,
    )
      .bind(other.id)
      .run();
    for (const path of [governorPage, kingdomPage]) await closed(other, path);
    await closed(user, '/v1/kingdoms/2010/?');
    await closed(user, '/v1/governors/9001/?');
    await closed(user, '/v1/kingdoms/2001/?game=cod&');
    const bought = (moment: number) => boughtHistory(db, user.id, 'rok', { kingdom: 2001 }, moment);
    const { finished_at: end } = (await env.DB.prepare(
      `SELECT finished_at FROM items WHERE kingdom_id = 2001 AND product_id = 'rok-history'
         AND order_id IN (SELECT id FROM orders WHERE user_id = ?)`,
    )
      .bind(user.id)
      .first<{ finished_at: number }>()) ?? { finished_at: 0 };
    expect(await bought(end + 90 * 86_400_000 - 1)).toBe(true);
    expect(await bought(end + 90 * 86_400_000)).toBe(false);
  });

  it('is refunded if all stored days are too old for it', async () => {
    const user = await signedInUser();
    const rows = Array.from({ length: 3 }, (_, index) => governor(9_100 + index, 1e6));
    await publishRows('rok', 2011, at(addDays(TODAY, -90)), rows);
    await user.call('POST', '/v1/order/create', { orders: [historyOf([2011])] });
    const [item] = (await settled(user)).items;
    expect(item).toMatchObject({ state: 'cancelled', returned: 2, has_results: false });
    expect((await user.call('GET', '/v1/account')).data.balance).toBe(100);
    await publishRows('rok', 2011, at(addDays(TODAY, -89)), rows);
    await user.call('POST', '/v1/order/create', { orders: [historyOf([2011])] });
    expect((await settled(user)).items[0]).toMatchObject({ state: 'done', returned: 0 });
    expect((await user.call('GET', '/v1/account')).data.balance).toBe(98);
  });

  it('is finished once by the sweep if the Durable Object missed its call', async () => {
    const user = await signedInUser();
    const { data } = await user.call('POST', '/v1/order/create', { orders: [historyOf([2001])] });
    await settled(user);
    const object = env.ORDER_PROGRESS.getByName(String(data.order_id));
    const stored = () =>
      env.DB.prepare(
        `SELECT items.state, snapshots.key, snapshots.rows, (SELECT count(*) FROM snapshots
           WHERE item_id = items.id) AS snapshots FROM items LEFT JOIN snapshots ON snapshots.id = items.snapshot_id
         WHERE items.order_id = ?`,
      )
        .bind(data.order_id)
        .first<{ state: string; key: string; rows: number; snapshots: number }>();
    const first = await stored();
    expect(first).toMatchObject({ state: 'done', snapshots: 1 });
    // The state after a crash between the charge and the call to the object: only open items in D1.
    await env.DB.prepare(`DELETE FROM snapshots WHERE item_id IN (SELECT id FROM items WHERE order_id = ?)`)
      .bind(data.order_id)
      .run();
    await env.DB.prepare(`UPDATE items SET state = 'open', snapshot_id = NULL WHERE order_id = ?`)
      .bind(data.order_id)
      .run();
    await runInDurableObject(object, (_, state) => {
      state.storage.sql.exec('DELETE FROM items');
    });
    await evictDurableObject(object);
    await fireCron('* * * * *');
    await settled(user);
    expect(await stored()).toEqual(first);
    await finishAgain(object);
    expect(await stored()).toEqual(first);
    expect((await user.call('GET', '/v1/account')).data.balance).toBe(98);
  });

  it('of a kingdom without history is cancelled with a reason and refunded once', async () => {
    const user = await signedInUser();
    const orders = [historyOf([2001, 2999]), scanOf([2998])];
    const { order_id } = (await user.call('POST', '/v1/order/create', { orders })).data;
    const listed = async () => (await user.call('GET', '/v1/orders/')).data.orders[0];
    await eventually(async () => expect((await listed()).items[1].state).toBe('cancelled'));
    const [there, missing] = (await listed()).items;
    expect(there.state).toBe('done');
    expect(missing).toMatchObject({
      kingdom_id: 2999,
      has_results: false,
      error:
        'Nothing is stored of kingdom 2999 from the last 90 days, so the price is back in the balance that paid it. ' +
        'A history grows with every scan.',
    });
    const balance = async () => (await user.call('GET', '/v1/account')).data.balance;
    expect(await balance()).toBe(100 - 2 - 0.5);
    await finishAgain(env.ORDER_PROGRESS.getByName(String(order_id)));
    expect(await balance()).toBe(100 - 2 - 0.5);
    expect((await user.call('POST', `/v1/order/${missing.item_id}/repair`)).status).toBe(409);
    expect((await user.call('GET', `/v1/order/${missing.item_id}/download?type=csv`)).status).toBe(409);
    expect((await user.call('POST', `/v1/order/${missing.item_id}/cancel`)).status).toBe(409);
    const { data: statement } = await user.call('GET', '/v1/account/statement');
    expect(statement.lines.filter(({ kind }: { kind: string }) => kind === 'return')).toMatchObject([
      { amount: 2, order_id, note: 'Kingdom 2999' },
    ]);
  });

  it('continues with the next kingdoms if it has more than one call handles', async () => {
    const user = await signedInUser();
    const { order_id } = (await user.call('POST', '/v1/order/create', { orders: [historyOf([2001, 2999])] })).data;
    await settled(user);
    // Simulates a call that handled only the first kingdom.
    await env.DB.prepare(`UPDATE items SET state = 'open', finished_at = NULL WHERE order_id = ?`).bind(order_id).run();
    await finishAgain(env.ORDER_PROGRESS.getByName(String(order_id)), 'kingdom_id = 2999');
    const { items } = await settled(user);
    expect(items.map(({ state }: { state: string }) => state)).toEqual(['done', 'cancelled']);
  });

  it('refunds whole hundreds of governors that are not stored', async () => {
    const user = await signedInUser();
    await user.call('POST', '/v1/order/create', { orders: [historyOf([2001], 500)] });
    const { items } = await settled(user);
    expect(items[0]).toMatchObject({ state: 'done', price: 10, returned: 6 });
    const { data } = await user.call('GET', '/v1/account/statement?kind=return');
    expect(data.lines).toMatchObject([{ amount: 6, note: 'Kingdom 2001: 150 of 500 governors' }]);
    expect((await user.call('GET', '/v1/account')).data.balance).toBe(96);
  });

  it('leaves the rest of its order cancellable after a refund', async () => {
    const user = await signedInUser();
    const { order_id } = (
      await user.call('POST', '/v1/order/create', { orders: [historyOf([2997]), scanOf([2996], 200)] })
    ).data;
    const listed = async () => (await user.call('GET', '/v1/orders/')).data.orders[0];
    await eventually(async () => expect((await listed()).items[0].state).toBe('cancelled'));
    const both = await Promise.all([1, 2].map(() => user.call('POST', `/v1/order/${order_id}/cancel`)));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await user.call('GET', '/v1/account')).data.balance).toBe(100);
  });

  it('shares one order and one file with others', async () => {
    const user = await signedInUser();
    const { order_id } = (
      await user.call('POST', '/v1/order/create', { orders: [historyOf([2001]), historyOf([2001], 200)] })
    ).data;
    await settled(user);
    const { data } = await user.call('GET', `/v1/order/${order_id}/download?type=json&all=true`);
    expect(data.rows).toHaveLength(100 * 30 + 1 + (150 * 30 + 1));
  });

  it('stores its file apart from scans, with its own columns', async () => {
    const row = await env.DB.prepare(`SELECT key FROM snapshots WHERE kind = 'history' LIMIT 1`).first<{
      key: string;
    }>();
    expect(row?.key).toMatch(/^histories\/game=rok\/kingdom=2001\//);
    const snapshot = await openStored(env.STORE, row?.key ?? '');
    expect(snapshot.meta).toMatchObject({ game: 'rok', kind: 'history', kingdom_id: 2001 });
    expect(snapshot.filled.has('day')).toBe(true);
  });

  it('costs 2 dollars per 100 governors, whatever the number of days', async () => {
    const user = await signedInUser();
    const entry = { ...historyOf([2001, 2002], 101), price: 2 };
    expect((await user.call('POST', '/v1/order/create', { orders: [entry] })).msg).toMatch(
      /this costs 8\.00 USD, not 2/,
    );
    expect(
      (await user.call('POST', '/v1/order/create', { orders: [{ ...scanOf([2001]), type: 'rok-history' }] })).msg,
    ).toMatch(/full_profile: 90-day history has no such field/);
    expect(PRODUCTS.find(({ id }) => id === 'rok-history')).toMatchObject({ price: 200, price_chunk: 100 });
  });
});

describe('the days of a governor', () => {
  const day = (governor_id: number, score: number | null, deads: number | null) => ({
    governor_id,
    name: '',
    alliance_tag: '',
    day: TODAY,
    kingdom_id: 1,
    rank: 1,
    power: 1,
    score,
    deads,
    t4: null,
    t5: null,
  });

  it('are marked if a lifetime counter fell since the governor’s last day with a profile', () => {
    const days = [day(1, 10, 5), day(1, null, null), day(1, 9, 6), day(1, 12, 5), day(2, 1, 1)];
    const words = (game: 'rok' | 'cod') =>
      verdictsOfDays(game, days).map(({ quality, doubted }) => [quality, ...doubted].join(' '));
    expect(words('rok')).toEqual(['ok', 'listed', 'counter_fell score', 'counter_fell deads', 'ok']);
    expect(words('cod')).toEqual(['ok', 'listed', 'ok', 'counter_fell deads', 'ok']);
  });
});

it('a snapshot that cannot be recorded throws, with or without rows', async () => {
  await env.DB.exec(`CREATE TRIGGER broken BEFORE INSERT ON snapshots BEGIN SELECT raise(ABORT, 'broken'); END`);
  const about = { game: 'rok', captured_at: at(TODAY), source: 'made up', rows: 0, bytes: 1, quality: {} } as const;
  const record = { ...about, kingdom_id: 2999, key: 'snapshots/none', item_id: null, version: 1 };
  await expect(recordAlone(db, record, 0)).rejects.toThrow(/broken/);
  const people = Array.from({ length: 1001 }, (_, id) => governor(9e6 + id, 1));
  for (const rows of [0, 1, 1001])
    await expect(
      recordSnapshot(db, tableOf('rok', people.slice(0, rows)), record, {
        directory: [],
        digested: null,
        packed_at: null,
      }),
    ).rejects.toThrow(/broken/);
  await env.DB.exec('DROP TRIGGER broken');
});
