import exceljs from 'exceljs';
import { expect, inject, test } from 'vitest';
import { simulatedWorld } from '../../fleet/sources/world.ts';
import { balanceOf, clientOf, ended, fileOf, order, rowsOf, signedIn, waitFor } from '../support/client.ts';
import { byId, csvRows } from '../support/files.ts';

const KEYS = ['governor_id', 'alliance_tag', 'home_kingdom', 'name', 'power', 'killpoints', 'deads'] as const;

/** Returns the same columns of any rows, as text, by governor, to compare a file with the simulated world. */
const figures = (rows: Record<string, unknown>[]) => byId(rows, 'governor_id', KEYS);

test('a new copy is healthy and has its two users', async () => {
  const address = inject('address');
  expect(await clientOf(address).call('GET', '/v1/health')).toMatchObject({ database: 'ready' });
  expect(await (await signedIn(address)).call('GET', '/v1/account')).toMatchObject({ user: 'demo', role: 'user' });
  const admin = await signedIn(address, 'admin', 'admin-muster');
  expect(await admin.call('GET', '/v1/account')).toMatchObject({ user: 'admin', role: 'admin' });
});

test('an order is charged once, and bots fill it with the same figures in every format', async () => {
  const client = await signedIn(inject('address'));
  const before = await balanceOf(client);
  const orderId = await order(client, 'rok', [1007], 250);
  expect(await balanceOf(client)).toBe(before - 1.5);

  const done = await waitFor(client, orderId, ended);
  const [item] = done.items;
  if (!item) throw new Error('the order has no item');
  expect(item).toMatchObject({ state: 'done', has_results: true, incomplete_count: 0, subtask_count: 3 });

  const { captured_at } = await client.call<{ captured_at: number }>('GET', `/v1/order/item/${item.item_id}/`);
  const world = figures(simulatedWorld().rows('rok', 1007, captured_at, 250));
  expect(world.size).toBe(250);
  expect(figures(await rowsOf(client, item.item_id))).toEqual(world);

  const csv = csvRows(await fileOf(client, item.item_id, 'csv'));
  expect(figures(csv)).toEqual(world);
  const json = JSON.parse(Buffer.from(await fileOf(client, item.item_id, 'json')).toString());
  expect(figures(json.data.rows)).toEqual(world);

  const book = new exceljs.Workbook();
  await book.xlsx.load(Buffer.from(await fileOf(client, item.item_id, 'xlsx')) as never);
  const ids = new Set<string>();
  for (const sheet of book.worksheets)
    sheet.eachRow((row) => {
      const first = String(row.getCell(1).value);
      if (world.has(first)) ids.add(first);
    });
  expect(ids).toEqual(new Set(world.keys()));
});

test('results sort by power and kill points, ascending and descending', async () => {
  const client = await signedIn(inject('address'));
  const orderId = await order(client, 'rok', [1008], 100);
  const [item] = (await waitFor(client, orderId, ended)).items;
  const column = async (query: string, key: string) =>
    (await rowsOf(client, item?.item_id ?? '', query)).map((row) => Number(row[key]));
  const powers = await column('&sort=Power', 'power');
  expect(powers).toEqual([...powers].sort((a, b) => b - a));
  expect(await column('&sort=Power&reversed=true', 'power')).toEqual([...powers].reverse());
  const points = await column('&sort=Killpoints', 'killpoints');
  expect(points).toEqual([...points].sort((a, b) => b - a));
});

test('an unknown kingdom fails with a reason that the customer sees', async () => {
  const client = await signedIn(inject('address'));
  const orderId = await order(client, 'rok', [4711], 100);
  const [item] = (await waitFor(client, orderId, ended)).items;
  expect(item).toMatchObject({ state: 'failed', has_results: false });
  expect(item?.error).toContain('4711');
});

test('concurrent hand-ins of the last two subtasks of several items lose and duplicate nothing', async () => {
  const client = await signedIn(inject('address'));
  const kingdoms = [1011, 1012, 1013, 1014];
  const done = await waitFor(client, await order(client, 'rok', kingdoms, 200), ended);
  expect(done.items.map(({ kingdom_id, state }) => [kingdom_id, state])).toEqual(kingdoms.map((id) => [id, 'done']));
  for (const { item_id } of done.items) {
    const ids = (await rowsOf(client, item_id)).map(({ governor_id }) => governor_id);
    expect(new Set(ids).size).toBe(200);
    expect(ids).toHaveLength(200);
  }
});

test('an unknown path, a wrong password and a missing session are answered in the envelope', async () => {
  const client = clientOf(inject('address'));
  const refusal = async (method: string, path: string, body?: unknown) => {
    const answer = await client.send(method, path, body);
    return { status: answer.status, ...((await answer.json()) as object) };
  };
  const said = { msg: expect.any(String), code: expect.any(String), request_id: expect.any(String) };
  expect(await refusal('GET', '/v1/nowhere')).toEqual({ status: 404, success: 0, ...said });
  expect(await refusal('POST', '/v1/login', { username: 'demo', password: 'x' })).toEqual({
    status: 401,
    success: 0,
    ...said,
  });
  expect(await refusal('GET', '/v1/orders/')).toEqual({ status: 401, success: 0, ...said });
});
