import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Task } from '../../domain/fleet/contract.ts';
import { MAX_ATTEMPTS } from '../../domain/orders/order.ts';
import { flawsOfDatabase } from '../../worker/models/service/state-check.ts';
import { eventually } from '../support/eventually.ts';
import {
  type Bot,
  bot,
  columnsFor,
  db,
  fireCron,
  lease,
  type Person,
  scanOf,
  signedInAdmin,
  signedInUser,
  work,
} from './client.ts';
import { cell } from './people.ts';

/** How admins find orders, what they see and what they can do. */

let admin: Person;
beforeAll(async () => {
  admin = await signedInAdmin();
});

type Numbered = { order_id: number };

const place = async (user: Person, kingdoms: number[], governors = 100): Promise<number> =>
  (await user.call('POST', '/v1/order/create', { orders: [scanOf(kingdoms, governors)] })).data.order_id;
const whole = async (order: number) => (await admin.call('GET', `/v1/admin/orders/${order}`)).data;
const act = (order: number, name: string, body: object = {}) =>
  admin.call('POST', `/v1/admin/orders/${order}/${name}`, { reason: 'as the customer asked', ...body });
const texts = ({ timeline }: { timeline: { text: string }[] }): string => timeline.map(({ text }) => text).join('\n');
const done = (order: number) => eventually(async () => expect((await whole(order)).items[0].state).toBe('done'));

describe('a search for orders', () => {
  it('finds orders by number, UUID, item, user, e-mail, kingdom, state and day, in pages', async () => {
    const [ann, bob] = [await signedInUser(), await signedInUser()];
    const [first, second, third] = [await place(ann, [6101]), await place(bob, [6102]), await place(ann, [6103, 6101])];
    await ann.call('POST', `/v1/order/${first}/cancel`);
    const found = async (query: string) =>
      (await admin.call('GET', `/v1/admin/orders?${query}`)).data.orders.map(({ order_id }: Numbered) => order_id);
    expect(await found(`search=%23${second}`)).toEqual([second]);
    expect(await found(`search=${await cell<string>('SELECT uuid FROM orders WHERE id = ?', second)}`)).toEqual([
      second,
    ]);
    expect(await found(`search=${await cell<string>('SELECT id FROM items WHERE order_id = ?', second)}`)).toEqual([
      second,
    ]);
    expect(await found(`search=${ann.username.toUpperCase()}`)).toEqual([third, first]);
    expect(await found(`search=${encodeURIComponent(bob.email.slice(0, 10))}`)).toEqual([second]);
    expect(await found(`user=${bob.username}`)).toEqual([second]);
    expect(await found('search=6101')).toEqual([third, first]);
    expect(await found('kingdom=6103')).toEqual([third]);
    expect(await found(`state=cancelled&user=${ann.username}`)).toEqual([first]);
    expect(await found(`state=moving&user=${ann.username}`)).toEqual([third]);
    expect(await found('kingdom=6101&game=cod')).toEqual([]);
    // Kingdom, game and state are those of one item.
    const both = await place(ann, [6104, 6105]);
    await env.DB.prepare(`UPDATE items SET game = 'cod' WHERE kingdom_id = 6104`).run();
    await ann.call('POST', `/v1/order/${await cell('SELECT id FROM items WHERE kingdom_id = 6104')}/cancel`);
    expect(await found('kingdom=6104&game=cod&state=cancelled')).toEqual([both]);
    expect(await found('kingdom=6105&game=cod')).toEqual([]);
    expect(await found('kingdom=6105&state=cancelled')).toEqual([]);
    expect(await found('game=rok&state=cancelled')).not.toContain(both);
    const today = new Date().toISOString().slice(0, 10);
    expect(await found(`from=${today}&to=${today}&kingdom=6102`)).toEqual([second]);
    expect(await found('to=2020-01-01')).toEqual([]);
    expect(await found(`user=${ann.username}&before=${third}`)).toEqual([first]);
    // Wildcards of SQL patterns have no effect.
    expect(await found('search=%25')).toEqual([]);
    expect(await admin.call('GET', '/v1/admin/orders?state=lost')).toMatchObject({ status: 400 });
    expect(await admin.call('GET', '/v1/admin/orders?from=yesterday')).toMatchObject({
      status: 400,
      msg: expect.stringMatching(/^from: /),
    });
  });
});

describe('one order', () => {
  it('shows its user, charge, bots, subtasks and delivery', async () => {
    const user = await signedInUser();
    const order = await place(user, [6201], 200);
    await work(await bot('worker'));
    await done(order);
    const shown = await whole(order);
    expect(shown).toMatchObject({
      username: user.username,
      email: user.email,
      total: 1,
      returned: 0,
      item_count: 1,
      standings: { done: 1 },
      ledger: [{ kind: 'charge', amount: -1 }],
      items: [{ kingdom_id: 6201, subtasks: { done: 2 }, snapshots: [{ version: 1, rows: 200, flawed: 0 }] }],
    });
    expect(texts(shown)).toMatch(/Placed by .*\n?.*Order: -1\.00 USD/);
    expect(texts(shown)).toMatch(/worker was leased 2 subtasks of kingdom 6201/);
    expect(texts(shown)).toMatch(/worker handed in 2 subtasks of kingdom 6201/);
    expect(texts(shown)).toContain('200 rows were delivered');
    expect((await admin.call('GET', '/v1/admin/orders/999999')).status).toBe(404);
  });

  it('counts all of its items by status, also those that it does not list', async () => {
    const user = await signedInUser(20_000);
    const order = await place(
      user,
      Array.from({ length: 202 }, (_, index) => 7000 + index),
    );
    expect((await user.call('POST', `/v1/order/${order}/cancel`)).status).toBe(200);
    const { items, ...shown } = await whole(order);
    expect(shown).toMatchObject({ item_count: 202, returned: 101, standings: { cancelled: 202 } });
    expect(items).toHaveLength(200);
  });

  it('shows failed attempts with bot and reason, and the user’s report', async () => {
    const user = await signedInUser();
    const order = await place(user, [6202]);
    const worker = await bot('clumsy');
    const { tasks } = (await worker.call('POST', '/v1/fleet/lease', { bot_id: worker.name, games: ['rok'], count: 5 }))
      .data as { tasks: Task[] };
    const task = tasks.find(({ order_id }) => order_id === order) as Task;
    await worker.call('POST', '/v1/fleet/fail', { bot_id: 'clumsy', ...task, reason: 'The game was updated.' });
    expect(texts(await whole(order))).toMatch(/clumsy brought no rows of kingdom 6202: The game was updated\./);
    await user.call('POST', `/v1/order/${order}/report`, { message: 'It takes very long.', rows: ['5'] });
    const { reports } = await whole(order);
    expect(reports).toMatchObject([{ message: 'It takes very long.', rows: '5', answer: null }]);
    const [{ report_id }] = reports;
    expect(
      (await admin.call('POST', `/v1/admin/reports/${report_id}/answer`, { text: 'It was repaired.' })).status,
    ).toBe(200);
    expect((await user.call('GET', `/v1/order/${order}`)).data.reports).toMatchObject([
      { message: 'It takes very long.', answer: 'It was repaired.', answered_at: expect.any(Number) },
    ]);
    expect(await cell('SELECT recipient FROM outbox WHERE reference = ?', `answer:${report_id}`)).toBe(user.email);
    expect((await admin.call('POST', `/v1/admin/reports/${report_id}/close`)).status).toBe(404);
    await user.call('POST', `/v1/order/${order}/report`, { message: 'And once more here.' });
    const again = (await whole(order)).reports[1].report_id;
    expect((await admin.call('POST', `/v1/admin/reports/${again}/close`)).status).toBe(200);
    expect((await admin.call('GET', `/v1/admin/reports?state=closed&order=${order}`)).data.reports).toHaveLength(1);
    expect(texts(await whole(order))).toContain('The report was closed.');
    await user.call('POST', `/v1/order/${order}/cancel`);
  });
});

describe('an admin action on an order', () => {
  it('is logged with reason and previous state, and refused if it does not apply', async () => {
    const user = await signedInUser();
    const order = await place(user, [6301, 6302]);
    const [item] = (await whole(order)).items;
    expect(await act(order, 'cancel', { reason: 'no' })).toMatchObject({
      status: 400,
      msg: expect.stringMatching(/^reason: /),
    });
    expect(await act(order, 'cancel', { item_id: 'i00000000000000000000' })).toMatchObject({ status: 404 });
    expect(await act(order, 'finish')).toMatchObject({
      status: 409,
      msg: expect.stringContaining('cancel it instead'),
    });
    expect((await act(order, 'cancel', { item_id: item.item_id })).data).toMatchObject({ items: 1 });
    expect(await act(order, 'cancel', { item_id: item.item_id })).toMatchObject({ status: 409 });
    expect(await act(order, 'repair', { item_id: item.item_id })).toMatchObject({
      status: 409,
      msg: 'This scan was cancelled: order it again instead.',
    });
    const shown = await whole(order);
    expect(shown).toMatchObject({ standings: { open: 1, cancelled: 1 }, returned: 0.5 });
    expect(texts(shown)).toContain(`${admin.username} cancelled it: as the customer asked`);
    const detail = await cell<string>(
      `SELECT detail FROM audit_entries WHERE subject = ? AND action = 'order.cancel'`,
      `order:${order}`,
    );
    expect(JSON.parse(detail)).toMatchObject({ before: { states: ['open'] }, item: item.item_id });
    expect((await user.call('GET', '/v1/account')).data.balance).toBe(99.5);
    await act(order, 'cancel');
  });

  it('retries subtasks at once during backoff', async () => {
    const user = await signedInUser();
    const order = await place(user, [6303]);
    await env.DB.prepare('UPDATE subtasks SET lease_until = ?, attempts = 4 WHERE order_id = ?')
      .bind(Date.now() + 900_000, order)
      .run();
    expect(await work(await bot())).toBe(0);
    expect((await act(order, 'retry')).data).toMatchObject({ items: 1 });
    expect(await work(await bot())).toBe(1);
    await done(order);
    expect((await act(order, 'retry')).status).toBe(409);
  });

  /** An order of three parts, of which the first has failed five times; the others are left to `worker`. */
  async function failedPart(kingdom: number, worker: Bot) {
    const user = await signedInUser();
    const order = await place(user, [kingdom], 300);
    await env.DB.prepare('UPDATE subtasks SET attempts = 4 WHERE order_id = ? AND number = 0').bind(order).run();
    const [task] = await lease(worker);
    const claim = { bot_id: worker.name, subtask_id: task?.subtask_id, lease: task?.lease };
    await worker.call('POST', '/v1/fleet/fail', { ...claim, reason: 'The game was down.' });
    expect((await whole(order)).items[0].subtasks).toEqual({ failed: 1, waiting: 2 });
    return { user, order };
  }

  it('retries a part that had failed for good, and the whole item arrives', async () => {
    const worker = await bot('diligent');
    const { user, order } = await failedPart(6306, worker);
    expect((await act(order, 'retry')).data).toMatchObject({ items: 1 });
    expect(await work(worker)).toBe(3);
    await done(order);
    expect((await whole(order)).items[0]).toMatchObject({ subtasks: { done: 3 }, snapshots: [{ rows: 300 }] });
    expect((await user.call('GET', '/v1/account/statement?kind=return')).data.lines).toEqual([]);
  });

  it('counts an attempt whose rows were lost, so that no bot gets the part for ever', async () => {
    const worker = await bot('captured');
    const { order } = await failedPart(6307, worker);
    // The call that tells the order's object was lost in a crash.
    await env.DB.prepare(`UPDATE subtasks SET state = 'waiting', attempts = 0, lease_until = 0 WHERE order_id = ?`)
      .bind(order)
      .run();
    const outcomes: string[] = [];
    for (let tasks = await lease(worker); tasks[0] && outcomes.length < 10; ) {
      const [{ subtask_id, lease: held }] = tasks as [Task];
      const { data } = await worker.call('POST', '/v1/fleet/rows', {
        bot_id: worker.name,
        results: [
          { subtask_id, lease: held, captured_at: Date.now(), source: 'made up', columns: columnsFor(tasks[0]) },
        ],
        next: { games: ['rok'], count: 1 },
      });
      outcomes.push(data.results[0].outcome);
      tasks = data.tasks;
    }
    expect(outcomes.toSorted()).toEqual([...Array(2).fill('accepted'), ...Array(MAX_ATTEMPTS).fill('lost')]);
    await fireCron('* * * * *');
    await done(order);
    expect((await whole(order)).items[0].subtasks).toEqual({ done: 2, failed: 1 });
  });

  it('repairs without the wait between two repairs', async () => {
    const user = await signedInUser();
    const order = await place(user, [6304], 200);
    await work(await bot());
    await done(order);
    const fail = () =>
      env.DB.batch([
        env.DB.prepare(`UPDATE subtasks SET state = 'failed' WHERE order_id = ? AND number = 1`).bind(order),
        env.DB.prepare(`UPDATE items SET failed_count = 1 WHERE order_id = ?`).bind(order),
      ]);
    for (const version of [2, 3]) {
      await fail();
      expect((await act(order, 'repair')).data).toMatchObject({ items: 1 });
      await work(await bot());
      await eventually(async () => expect((await whole(order)).items[0]).toMatchObject({ state: 'done', version }));
    }
    expect((await act(order, 'repair')).status).toBe(409);
  });

  it('finishes with the rows so far, and the rest can be repaired', async () => {
    const user = await signedInUser();
    const order = await place(user, [6305], 300);
    const worker = await bot();
    const { tasks } = (await worker.call('POST', '/v1/fleet/lease', { bot_id: worker.name, games: ['rok'], count: 1 }))
      .data as { tasks: Task[] };
    const results = tasks.map((task) => ({
      ...{ subtask_id: task.subtask_id, lease: task.lease, captured_at: Date.now(), source: 'made up' },
      columns: columnsFor(task),
    }));
    await worker.call('POST', '/v1/fleet/rows', { bot_id: worker.name, results });
    expect((await act(order, 'finish')).data).toMatchObject({ items: 1 });
    await done(order);
    expect((await whole(order)).items[0]).toMatchObject({
      subtasks: { done: 1, failed: 2 },
      snapshots: [{ rows: 100 }],
    });
    expect((await user.call('POST', `/v1/order/${order}/repair`)).data.requeued).toBe(2);
    await act(order, 'finish');
    await done(order);
  });
});

describe('a manual refund', () => {
  it('is paid once per key, never exceeds the price, and matches the ledger', async () => {
    const user = await signedInUser(1000);
    const order = await place(user, [6401], 200);
    await work(await bot());
    await done(order);
    const [{ item_id }] = (await whole(order)).items;
    const back = (amount: number, key: string, more: object = {}) =>
      admin.call(
        'POST',
        `/v1/admin/orders/${order}/return`,
        { item_id, amount, reason: 'half of it was old', ...more },
        { 'idempotency-key': key },
      );
    expect((await back(0.4, 'a')).data).toEqual({ returned: 0.4 });
    expect((await back(0.4, 'a')).data).toEqual({ returned: 0.4 });
    expect(await back(0.3, 'a')).toMatchObject({ status: 409, msg: expect.stringMatching(/^Idempotency-Key: /) });
    expect(await back(0.7, 'b')).toMatchObject({ status: 409, msg: expect.stringMatching(/^amount: /) });
    expect(await back(-1, 'c')).toMatchObject({ status: 400, msg: expect.stringMatching(/^amount: /) });
    expect(await back(0.1, 'd', { item_id: 'i00000000000000000000' })).toMatchObject({ status: 404 });
    expect((await back(0.6, 'e')).data).toEqual({ returned: 1 });
    expect((await user.call('GET', '/v1/account')).data.balance).toBe(10);
    expect((await whole(order)).ledger).toMatchObject([{ amount: -1 }, { amount: 0.4 }, { amount: 0.6 }]);
    expect((await user.call('GET', '/v1/account/statement')).data.lines[0]).toMatchObject({
      ...{ kind: 'return', order_id: order, note: 'half of it was old' },
    });
    expect(
      await cell<number>(
        `SELECT count(*) FROM audit_entries WHERE action = 'order.return' AND subject = ?`,
        `order:${order}`,
      ),
    ).toBe(2);
    expect((await flawsOfDatabase(db, Date.now())).filter((flaw) => /came back|charged/.test(flaw))).toEqual([]);
  });

  it('is not counted again by a cancellation, which reports what it returns', async () => {
    const user = await signedInUser(1000);
    const order = await place(user, [6402], 300);
    const [{ item_id }] = (await whole(order)).items;
    const body = { item_id, amount: 1, reason: 'the wait was long' };
    await admin.call('POST', `/v1/admin/orders/${order}/return`, body, { 'idempotency-key': 'f' });
    expect((await user.call('POST', `/v1/order/${order}/cancel`)).data).toEqual({ cancelled: 1, returned: 0.5 });
    expect((await whole(order)).ledger).toMatchObject([{ amount: -1.5 }, { amount: 1 }, { amount: 0.5 }]);
  });
});
