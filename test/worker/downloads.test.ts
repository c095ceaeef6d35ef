import { env } from 'cloudflare:workers';
import ExcelJS from 'exceljs';
import { beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { bot, type Caller, columnsFor, scanOf, settled, signedInUser, work } from './client.ts';

let user: Caller;
let orderId: number;
let items: { item_id: string; kingdom_id: number }[];

beforeAll(async () => {
  user = await signedInUser();
  orderId = (await user.call('POST', '/v1/order/create', { orders: [scanOf([301, 302], 200)] })).data.order_id;
  await work(await bot());
  await settled(user);
  items = (await user.call('GET', '/v1/orders/')).data.orders[0].items;
});

const idOf = (kingdom: number) => items.find((item) => item.kingdom_id === kingdom)?.item_id;
const expected = (kingdom: number) =>
  columnsFor({ game: 'rok', kingdom_id: kingdom, from_rank: 1, to_rank: 200 }) as Record<string, (string | number)[]>;

describe('a download', () => {
  it('as JSON has every row with exact values, in the envelope', async () => {
    const { status, data } = await user.call('GET', `/v1/order/${idOf(301)}/download?type=json`);
    expect(status).toBe(200);
    expect(data.rows).toHaveLength(200);
    for (const [key, values] of Object.entries(expected(301)))
      expect(data.rows.map((row: Record<string, unknown>) => row[key])).toEqual(values);
  });

  it('is sorted and reversed on request', async () => {
    const ids = async (query: string) =>
      (await user.call('GET', `/v1/order/${idOf(301)}/download?type=json&${query}`)).data.rows.map(
        (row: { governor_id: number }) => row.governor_id,
      );
    const down = await ids('sort=Killpoints');
    expect(down).toEqual(expected(301).governor_id);
    expect(await ids('sort=Killpoints&reversed=true')).toEqual([...down].reverse());
    expect(await ids('sort=Power&reversed=1')).toEqual([...down].reverse());
  });

  it('as CSV is a file for browsers and text for clients, and is stored for the next call', async () => {
    const path = `/v1/order/${idOf(301)}/download?type=csv`;
    const file = await user.fetch(path);
    expect(file.headers.get('content-disposition')).toBe('attachment; filename="results.csv"');
    const text = await file.text();
    expect(text.trimEnd().split('\r\n')).toHaveLength(201);
    const kept = await env.STORE.list({ prefix: 'exports/' });
    expect(kept.objects.some(({ key }) => key.endsWith('.csv'))).toBe(true);
    expect((await user.call('GET', path)).data).toBe(text);
  });

  it('is named by kingdom and day, and gets a byte order mark, on request', async () => {
    const day = new Date(Date.now()).toISOString().slice(0, 10);
    const nameOf = async (path: string) => {
      const file = await user.fetch(path);
      await file.arrayBuffer();
      return file.headers.get('content-disposition');
    };
    const path = `/v1/order/${idOf(301)}/download?type=csv`;
    expect(await nameOf(`${path}&named=true`)).toBe(`attachment; filename="rok-301-${day}.csv"`);
    expect(await nameOf(`/v1/order/${orderId}/download?type=xlsx&all=true&named=1`)).toBe(
      `attachment; filename="rok-2-kingdoms-${day}.xlsx"`,
    );
    const bytesOf = async (asked: string) => new Uint8Array(await (await user.fetch(path + asked)).arrayBuffer());
    const [plain, marked] = [await bytesOf(''), await bytesOf('&bom=true')];
    expect([...marked.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    expect(marked.slice(3)).toEqual(plain);
    const json = `/v1/order/${idOf(301)}/download?type=json`;
    expect(await (await user.fetch(`${json}&bom=true`)).text()).toBe(await (await user.fetch(json)).text());
  });

  it('as XLSX opens in another library with all rows', async () => {
    const file = await user.fetch(`/v1/order/${idOf(302)}/download?type=xlsx`);
    const book = new ExcelJS.Workbook();
    await book.xlsx.load(await file.arrayBuffer());
    const sheet = book.worksheets.find(({ name }) => name !== 'Summary');
    expect(sheet?.rowCount).toBe(201);
    const { data } = await user.call('GET', `/v1/order/${idOf(302)}/download?type=xlsx`);
    expect(Buffer.from(data, 'base64').subarray(0, 2).toString()).toBe('PK');
  });

  it('of the whole order has the rows of every item, by order id or item id', async () => {
    for (const id of [orderId, idOf(301)]) {
      const { data } = await user.call('GET', `/v1/order/${id}/download?type=json&all=true`);
      const kingdoms = Map.groupBy(data.rows as { home_kingdom: number }[], (row) => row.home_kingdom);
      expect([...kingdoms].map(([kingdom, rows]) => [kingdom, rows.length])).toEqual([
        [301, 200],
        [302, 200],
      ]);
    }
  });

  it('of the whole order has sums by kingdom and in total, by order id or item id', async () => {
    const deadsOf = (kingdom: number) => (expected(kingdom).deads as number[]).reduce((sum, deads) => sum + deads, 0);
    const [one, two] = [deadsOf(301), deadsOf(302)];
    for (const id of [orderId, idOf(302)]) {
      const { data } = await user.call('GET', `/v1/order/${id}/combined`);
      expect(data).toMatchObject({ order_id: orderId, item_count: 2, rows: 400, downloadable: true });
      expect(data.parts).toMatchObject([
        { kingdom_id: 301, rows: 200, sums: { deads: { value: one, rows: 200 } } },
        { kingdom_id: 302, rows: 200, sums: { deads: { value: two, rows: 200 } } },
      ]);
      expect(data.totals).toEqual([expect.objectContaining({ kingdom_count: 2, rows: 400 })]);
      expect(data.totals[0].sums.deads).toMatchObject({ value: one + two, rows: 400, left_out: 0 });
    }
  });

  it('without full profiles leaves kill points, deads and kills empty', async () => {
    const other = await signedInUser();
    const { data } = await other.call('POST', '/v1/order/create', { orders: [scanOf([303], 100, false)] });
    const worker = await bot();
    const { tasks } = (await worker.call('POST', '/v1/fleet/lease', { bot_id: 'b', games: ['rok'], count: 5 })).data;
    const full = columnsFor(tasks[0]);
    const columns = Object.fromEntries(
      ['governor_id', 'name', 'home_kingdom', 'alliance_tag', 'power'].map((key) => [key, full[key]]),
    );
    const result = {
      subtask_id: tasks[0].subtask_id,
      lease: tasks[0].lease,
      captured_at: Date.now(),
      source: 'list',
      columns,
    };
    await worker.call('POST', '/v1/fleet/rows', { bot_id: 'b', results: [result] });
    const rows = await eventually(async () => {
      const answer = await other.call('GET', `/v1/order/${data.order_id}/download?type=json`);
      expect(answer.status).toBe(200);
      return answer.data.rows;
    });
    expect(rows[0]).toMatchObject({
      power: 99_999_000,
      killpoints: null,
      deads: null,
      killcount_t5: null,
      highest_power: null,
    });
    const combined = (await other.call('GET', `/v1/order/${data.order_id}/combined`)).data;
    expect(combined.totals).toEqual([expect.objectContaining({ kingdom_count: 1, rows: 100 })]);
    expect(combined.totals[0].sums).toMatchObject({ listed: 100, deads: { value: null }, power: { rows: 100 } });
    expect(combined.parts).toHaveLength(1);
  });

  it('is refused to others, before results exist, and for unknown types', async () => {
    const stranger = await signedInUser();
    expect((await stranger.call('GET', `/v1/order/${idOf(301)}/download?type=csv`)).status).toBe(404);
    expect((await stranger.call('GET', `/v1/order/${orderId}/download?type=csv&all=true`)).status).toBe(404);
    const early = (await stranger.call('POST', '/v1/order/create', { orders: [scanOf([304])] })).data.order_id;
    expect((await stranger.call('GET', `/v1/order/${early}/download?type=csv`)).msg).toBe('There are no results yet.');
    const odd = await user.call('GET', `/v1/order/${idOf(301)}/download?type=pdf`);
    expect(odd).toMatchObject({ status: 400, msg: expect.stringMatching(/^type: /) });
    expect((await user.call('GET', `/v1/order/${idOf(301)}/download?type=json&sort=Name`)).status).toBe(400);
  });
});
