import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { MAX_DOWNLOAD_ROWS } from '../../../domain/scans/results.ts';
import { type Row, tableOf } from '../../../domain/scans/rows.ts';
import { publishSnapshot } from '../../../worker/services/scans/publish-snapshot.ts';
import { type Caller, db, scanOf, signedInUser } from '../../worker/client.ts';
import { governor } from '../../worker/scans.ts';

/** Notices what breaks only past one scan: pages, sums and files over a hundred of them. An order of 1,000 kingdoms × 300. */
const ORDERED = 1000;
const KINGDOMS = 400;
const ROWS = 80;
const MOMENT = Date.UTC(2026, 5, 1);

let user: Caller & { id: string };
let orderId: number;
let created: number;
let all: Row[];

/** Power and kill points each in an order of their own; every 50th was only listed, every 70th misread. */
function rowOf(kingdom: number, rank: number): Row {
  const number = kingdom * ROWS + rank;
  const kills = (number * 7919) % 100_003;
  const row = governor(number + 1, 50_000_000 - rank * 1_000_000 + ((number * 104_729) % 1_000_003), {
    home_kingdom: 10_000 + kingdom,
    killcount_t5: kills,
    killpoints: 20 * kills,
    highest_power: 60_000_000,
  });
  if (number % 50 === 0)
    return { ...row, highest_power: null, killpoints: null, deads: null, killcount_t4: null, killcount_t5: null };
  return number % 70 === 1 ? { ...row, killpoints: 20 * kills + 1 } : row;
}

beforeAll(async () => {
  user = await signedInUser(150_000);
  const kingdoms = Array.from({ length: ORDERED }, (_, index) => 10_000 + index);
  const started = performance.now();
  const placed = await user.call('POST', '/v1/order/create', { orders: [scanOf(kingdoms, 300)] });
  created = performance.now() - started;
  expect(placed.status).toBe(200);
  orderId = placed.data.order_id;
  const { results } = await env.DB.prepare(`SELECT id FROM items WHERE order_id = ? ORDER BY position LIMIT ?`)
    .bind(orderId, KINGDOMS)
    .all<{ id: string }>();
  all = [];
  for (const [index, { id }] of results.entries()) {
    const rows = Array.from({ length: ROWS }, (_, rank) => rowOf(index, rank));
    all.push(...rows);
    await publishSnapshot(db, env.STORE, tableOf('rok', rows), {
      kingdom_id: 10_000 + index,
      captured_at: MOMENT + index,
      source: 'made up',
      id,
      item_id: id,
      version: 1,
    });
  }
}, 180_000);

const page = (query: string) => user.call('GET', `/v1/order/${orderId}/download?type=json&all=true&${query}`);
const ids = (rows: Row[]) => rows.map(({ governor_id }) => governor_id);
const by = (key: string, sign: 1 | -1) => (a: Row, b: Row) =>
  a[key] === null || b[key] === null
    ? Number(a[key] === null) - Number(b[key] === null)
    : sign * (Number(a[key]) - Number(b[key]));

describe('an order of 1,000 kingdoms × 300', () => {
  it('is created at once, with details that name each its own kingdom', async () => {
    console.info(`created in ${created.toFixed(0)} ms`);
    const stored = await env.DB.prepare(
      `SELECT (SELECT count(*) FROM subtasks WHERE order_id = ?1) AS subtasks, count(*) AS items,
         max(length(details)) AS longest FROM items WHERE order_id = ?1`,
    )
      .bind(orderId)
      .first();
    expect(stored).toEqual({
      subtasks: 3000,
      items: 1000,
      longest: '{"Kingdoms":"10000","Governors":"300","Full profile":"Yes"}'.length,
    });
  });

  it('stays short in the list of orders', async () => {
    const response = await user.fetch('/v1/orders/', { headers: { accept: 'application/json' } });
    const text = await response.text();
    const [order] = JSON.parse(text).data.orders;
    expect(order.item_count).toBe(1000);
    expect(order.items).toHaveLength(100);
    expect(text.length).toBeLessThan(100_000);
  });

  it('is read page by page, in the order asked for', async () => {
    for (const [sort, key] of [
      ['Power', 'power'],
      ['Killpoints', 'killpoints'],
    ] as const)
      for (const sign of [-1, 1] as const) {
        const wanted = all.toSorted(by(key, sign));
        for (const number of [0, 7, 319]) {
          const { status, data } = await page(`sort=${sort}&reversed=${sign === 1}&count=100&page=${number}`);
          expect(status).toBe(200);
          expect(data.total).toBe(all.length);
          expect(ids(data.rows)).toEqual(ids(wanted.slice(number * 100, number * 100 + 100)));
        }
      }
  }, 120_000);

  it('is read page by page as it is stored, over the ends of scans and to its last row', async () => {
    const stored = Array.from({ length: KINGDOMS }, (_, kingdom) =>
      all.slice(kingdom * ROWS, (kingdom + 1) * ROWS).toSorted(by('power', -1)),
    ).flat();
    expect(ids((await page('count=60&page=1')).data.rows)).toEqual(ids(stored.slice(60, 120)));
    expect(ids((await page('count=999&page=32')).data.rows)).toEqual(ids(stored.slice(32 * 999)));
    expect((await page('count=100&page=320')).data).toEqual({ rows: [], total: all.length });
    const [row] = (await page('count=1&page=0')).data.rows;
    expect(Object.keys(row)).toEqual([...Object.keys(row).filter((key) => key !== 'quality'), 'quality']);
    expect(row).toMatchObject({ home_kingdom: 10_000, town_center: 25 });
  });

  it('shows unread figures as unknown and misread rows by their mark on every page', async () => {
    const { data } = await page('count=1000&page=0');
    const listed = data.rows.filter((row: Row) => row.highest_power === null);
    expect(listed.length).toBeGreaterThan(10);
    for (const row of listed) expect(row).toMatchObject({ killpoints: null, deads: null, killcount_t5: null });
    expect(data.rows.filter((row: Row) => row.quality === 'identity_broken').length).toBeGreaterThan(10);
  });

  it('adds up by kingdom and in all, guarded, with what was left out', async () => {
    const { status, data } = await user.call('GET', `/v1/order/${orderId}/combined`);
    expect(status).toBe(200);
    expect(data).toMatchObject({ order_id: orderId, rows: all.length, downloadable: true });
    expect(data.parts).toHaveLength(KINGDOMS);
    const sumOf = (rows: Row[], key: string) => rows.reduce((sum, row) => sum + Number(row[key] ?? 0), 0);
    const sound = (rows: Row[]) => rows.filter((row) => row.killpoints === 20 * Number(row.killcount_t5));
    const expectSums = (sums: Record<string, unknown>, rows: Row[]) => {
      const powers = rows.map(({ power }) => Number(power)).sort((a, b) => b - a);
      const top = (most: number) => powers.slice(0, most).reduce((sum, power) => sum + power, 0);
      const misread = rows.filter(
        ({ killpoints, killcount_t5 }) => killpoints !== null && killpoints !== 20 * Number(killcount_t5),
      ).length;
      expect(sums).toMatchObject({
        count: rows.length,
        listed: rows.filter(({ killpoints }) => killpoints === null).length,
        top100: { value: top(100), rows: Math.min(100, rows.length), left_out: 0, raw: top(100) },
        top350: { value: top(350) },
        power: { value: sumOf(rows, 'power'), left_out: 0 },
        score: { value: sumOf(sound(rows), 'killpoints'), left_out: misread, raw: sumOf(rows, 'killpoints') },
        deads: { value: sumOf(rows, 'deads') },
      });
    };
    const [total] = data.totals;
    expect(total).toMatchObject({ game: 'rok', kind: 'scan', kingdom_count: KINGDOMS, rows: all.length });
    expectSums(total.sums, all);
    for (const kingdom of [0, 1, 399]) {
      expect(data.parts[kingdom]).toMatchObject({ kingdom_id: 10_000 + kingdom, rows: ROWS });
      expectSums(data.parts[kingdom].sums, all.slice(kingdom * ROWS, (kingdom + 1) * ROWS));
    }
    expect((await user.call('GET', `/v1/order/${orderId}/combined`)).data).toEqual(data);
  });

  it('is downloaded whole', async () => {
    const file = await user.fetch(`/v1/order/${orderId}/download?type=csv&all=true`);
    const lines = (await file.text()).trimEnd().split('\r\n');
    expect(lines).toHaveLength(all.length + 1);
    expect(new Set(lines).size).toBe(all.length + 1);
  });

  it('is nobody else’s, and a page that cannot be is refused', async () => {
    const stranger = await signedInUser(0);
    expect((await stranger.call('GET', `/v1/order/${orderId}/combined`)).status).toBe(404);
    expect((await user.call('GET', '/v1/order/x/combined')).status).toBe(404);
    for (const [query, sentence] of [
      ['count=0', /^count: must be -1 for all rows, or more than 0/],
      ['count=1001', /^count: must be 1,000 at most/],
      ['count=x', /^count: must be a number/],
      ['count=100&page=-1', /^page: must be 0 or more/],
      ['count=100&page=0.5', /^page: must be a whole number/],
    ] as const)
      expect(await page(query)).toMatchObject({ status: 400, msg: expect.stringMatching(sentence) });
  });

  it('past the limit is told so in every way', async () => {
    await env.DB.prepare(
      `UPDATE snapshots SET rows = ? WHERE item_id = (SELECT id FROM items WHERE order_id = ? AND position = 0)`,
    )
      .bind(MAX_DOWNLOAD_ROWS, orderId)
      .run();
    expect((await user.call('GET', `/v1/order/${orderId}/combined`)).data).toEqual({
      order_id: orderId,
      own: true,
      item_count: ORDERED,
      rows: MAX_DOWNLOAD_ROWS + all.length - ROWS,
      downloadable: false,
      totals: [],
      parts: [],
    });
    expect((await page('sort=Power&count=100')).status).toBe(413);
    expect(await page('')).toMatchObject({
      status: 413,
      msg: expect.stringMatching(/^Too many results, not downloadable/),
    });
  });
});
