import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { bot, type Person, person, scanOf, signedInAdmin, signedInUser } from './client.ts';
import { rowsWhere } from './payments-client.ts';
import { cell, withSecondFactor } from './people.ts';

/** Acts of admins on everything that a filter matches. */

let admin: Person;
beforeAll(async () => {
  admin = await signedInAdmin();
});

const place = async (user: Person, kingdoms: number[]): Promise<number> =>
  (await user.call('POST', '/v1/order/create', { orders: [scanOf(kingdoms)] })).data.order_id;
const balanceOf = (user: Person) => cell<number>('SELECT balance_cents FROM users WHERE id = ?', user.id);
const entries = async (action: string, subject: string) =>
  (await rowsWhere(`SELECT detail FROM audit_entries WHERE action = ? AND subject = ?`, action, subject)).map(
    ({ detail }) => JSON.parse(String(detail)),
  );

describe('all orders of a filter', () => {
  const count = async (act: string, query: string) =>
    (await admin.call('GET', `/v1/admin/orders/matching/${act}?${query}`)).data;
  const act = (name: string, query: string, body: object = {}, who = admin) =>
    who.call('POST', `/v1/admin/orders/matching/${name}?${query}`, {
      ...{ round: crypto.randomUUID(), reason: 'the fleet is gone' },
      ...body,
    });

  it('are counted, then cancelled in bounded calls, newest first, each with its money and log entry', async () => {
    const [ann, bob] = [await signedInUser(), await signedInUser()];
    const ids: number[] = [];
    for (let index = 0; index < 22; index++) ids.push(await place(ann, [6201, 6202]));
    const other = await place(bob, [6201]);
    const filter = `user=${ann.username}`;
    expect(await count('cancel', filter)).toEqual({ orders: 22, items: 44, price: 22, newest: ids.at(-1) });
    const late = await place(ann, [6203]);
    const round = crypto.randomUUID();
    const first = await act('cancel', `${filter}&before=${late}`, { round });
    expect(first).toMatchObject({ status: 200, data: { orders: 20, items: 40, next: ids[2] } });
    expect(await balanceOf(ann)).toBe(10_000 - 250);
    const second = await act('cancel', `${filter}&before=${first.data.next}`, { round });
    expect(second.data).toEqual({ orders: 2, items: 4, next: null });
    expect(await balanceOf(ann)).toBe(10_000 - 50);
    expect(await balanceOf(bob)).toBe(10_000 - 50);
    // Again: nothing is left, and nothing returns twice.
    expect((await act('cancel', `${filter}&before=${late}`, { round })).data).toEqual({
      orders: 0,
      items: 0,
      next: null,
    });
    expect(await balanceOf(ann)).toBe(10_000 - 50);
    const states = await rowsWhere(
      `SELECT DISTINCT order_id FROM items WHERE state = 'open' AND order_id IN (?, ?, ?) ORDER BY 1`,
      ids[0],
      late,
      other,
    );
    expect(states.map(({ order_id }) => order_id)).toEqual([other, late]);
    expect(await entries('orders.cancel', `orders:${round}`)).toEqual([
      {
        ...{ reason: 'the fleet is gone', act: 'cancel', filter: JSON.stringify({ user: ann.username }) },
        before: { orders: 22, items: 44, price: 22 },
      },
    ]);
    expect(await entries('order.cancel', `order:${ids[0]}`)).toMatchObject([{ reason: 'the fleet is gone' }]);
  });

  it('are retried without a second factor, and cancelled with one that serves the whole round', async () => {
    const user = await signedInUser();
    await place(user, [6204]);
    const careful = await person({ role: 'admin' });
    const begun = crypto.randomUUID();
    const filter = `user=${user.username}`;
    await withSecondFactor(careful);
    expect((await act('retry', filter, {}, careful)).data).toEqual({ orders: 1, items: 1, next: null });
    expect(await act('cancel', filter, { round: begun }, careful)).toMatchObject({
      ...{ status: 403, msg: 'code: is wrong or was used before.' },
    });
    expect(await balanceOf(user)).toBe(9_950);
    expect(await entries('orders.cancel', `orders:${begun}`)).toEqual([]);
    // Simulates that the first call of the round was allowed.
    await env.DB.prepare(
      `INSERT INTO audit_entries (at, user_id, actor, action, subject, detail, address) VALUES (?, ?, 'x', 'orders.cancel', ?, ?, '')`,
    )
      .bind(
        Date.now(),
        careful.id,
        `orders:${begun}`,
        JSON.stringify({ act: 'cancel', filter: JSON.stringify({ user: user.username }) }),
      )
      .run();
    expect(await act('cancel', '', { round: begun }, careful)).toMatchObject({
      ...{ status: 409, msg: 'round: was begun with another act or filter. Begin a new one.' },
    });
    // Another admin's round allows nothing.
    expect((await act('cancel', `${filter}&kingdom=1`, { round: begun })).data).toEqual({
      orders: 0,
      items: 0,
      next: null,
    });
    expect((await act('cancel', filter, { round: begun }, careful)).data).toEqual({ orders: 1, items: 1, next: null });
    expect(await balanceOf(user)).toBe(10_000);
  });

  it('are retried with all items of each, also of more than its page shows, and one log entry', async () => {
    const user = await signedInUser(20_000);
    const order = await place(
      user,
      Array.from({ length: 203 }, (_, index) => 6401 + index),
    );
    await env.DB.prepare('UPDATE subtasks SET attempts = 4, lease_until = ? WHERE order_id = ?')
      .bind(Date.now() + 900_000, order)
      .run();
    const { items } = await count('retry', `user=${user.username}`);
    expect(items).toBe(203);
    expect((await act('retry', `user=${user.username}`)).data).toEqual({ orders: 1, items: 203, next: null });
    expect(
      await cell('SELECT count(*) FROM subtasks WHERE order_id = ? AND (attempts > 0 OR lease_until > 0)', order),
    ).toBe(0);
    expect(await entries('order.retry', `order:${order}`)).toMatchObject([{ reason: 'the fleet is gone', item: null }]);
    await act('cancel', `user=${user.username}`);
  });

  it.each([
    [{ round: 'x' }, /^round: must be a UUID/],
    [{ reason: 'no' }, /^reason: say why/],
  ])('are not changed with %j', async (body, msg) => {
    expect(await act('cancel', '', body)).toMatchObject({ status: 400, msg: expect.stringMatching(msg) });
  });

  it('are not changed for a wrong filter or an act on one order', async () => {
    expect(await act('cancel', 'state=lost')).toMatchObject({ status: 400, msg: expect.stringMatching(/^state: /) });
    expect((await act('finish', '')).status).toBe(400);
  });
});

describe('all reports up to one', () => {
  const close = (body: object) =>
    admin.call('POST', '/v1/admin/reports/close', { reason: 'one cause, told as news', ...body });

  it('are closed, and later ones stay open', async () => {
    const user = await signedInUser();
    const [one, two] = [await place(user, [6301]), await place(user, [6302])];
    const report = async (order: number) =>
      (await user.call('POST', `/v1/order/${order}/report`, { message: 'It is wrong.' })).status;
    expect([await report(one), await report(one), await report(two)]).toEqual([200, 200, 200]);
    const { reports, open_count } = (await admin.call('GET', `/v1/admin/reports?order=${one}`)).data;
    expect(open_count).toBe(2);
    const up_to = reports[0].report_id;
    expect(await report(one)).toBe(200);
    expect((await close({ up_to, order: one })).data).toEqual({ reports: 2, left: 0 });
    expect(await close({ up_to, order: one })).toMatchObject({
      ...{ status: 409, msg: 'None of these reports is open any more.' },
    });
    const open = async (order: number) => (await admin.call('GET', `/v1/admin/reports?order=${order}`)).data.open_count;
    expect([await open(one), await open(two)]).toEqual([1, 1]);
    expect(await entries('reports.closed', String(up_to))).toEqual([{ reason: 'one cause, told as news', order: one }]);
    expect(await close({ up_to: 0 })).toMatchObject({ status: 400, msg: expect.stringMatching(/^up_to: /) });
  });
});

describe('all bots of a list', () => {
  const act = (name: string, group: string) =>
    admin.call('POST', `/v1/admin/fleet/bots/${name}`, { group, reason: 'the games update' });

  it('are paused and resumed, and no others', async () => {
    for (const [name, group] of [
      ['one', 'east'],
      ['two', 'east'],
      ['three', 'east'],
      ['four', 'west'],
    ] as const) {
      const worker = await bot(name);
      await worker.call('POST', '/v1/fleet/heartbeat', { bot_id: name, account_game: 'rok' });
      await env.DB.prepare(`UPDATE bot_groups SET name = ? WHERE id = (SELECT group_id FROM bots WHERE bot_id = ?)`)
        .bind(group, name)
        .run();
    }
    await env.DB.prepare(`UPDATE bots SET retired_at = 1 WHERE bot_id = 'two'`).run();
    await env.DB.prepare(`UPDATE bots SET last_connected_at = 1 WHERE bot_id = 'three'`).run();
    const paused = async () =>
      (await rowsWhere(`SELECT bot_id FROM bots WHERE paused_at IS NOT NULL ORDER BY 1`)).map(({ bot_id }) => bot_id);
    expect((await act('pause', 'east')).data).toEqual({ bots: 1 });
    expect(await paused()).toEqual(['one']);
    expect(await act('pause', 'east')).toMatchObject({ status: 409, code: 'conflict' });
    expect((await act('pause', 'null')).data).toEqual({ bots: 1 });
    expect(await paused()).toEqual(['one', 'three']);
    expect((await act('resume', 'west')).status).toBe(409);
    expect((await act('resume', 'east')).data).toEqual({ bots: 1 });
    expect(await paused()).toEqual(['three']);
    expect(await entries('bots.paused', 'east')).toEqual([{ reason: 'the games update' }]);
    expect((await act('retire', 'east')).status).toBe(404);
  });
});
