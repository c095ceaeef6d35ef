import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Task } from '../../domain/fleet/contract.ts';
import { RETURN_AFTER_MS } from '../../domain/orders/order.ts';
import { shortfallStatements } from '../../worker/models/money/returns.ts';
import { applyReversal } from '../../worker/models/money/reversals.ts';
import { cancelItems } from '../../worker/models/orders/cancellations.ts';
import { giveUpUndelivered } from '../../worker/services/orders/give-up-undelivered.ts';
import {
  type Bot,
  balanceOf,
  bot,
  type Caller,
  columnsFor,
  db,
  fireCron,
  lease,
  newestOrder,
  type Person,
  scanOf,
  settled,
  signedInAdmin,
  signedInUser,
  work,
} from './client.ts';
import { booksOfUser, topsUp } from './payments-client.ts';

const GIVEN_UP = 'Nobody repaired it for a day, so the price is back in the balance that paid it.';

const returns = async (user: Caller): Promise<{ amount: number; note: string; order_id: number }[]> =>
  (await user.call('GET', '/v1/account/statement?kind=return')).data.lines;
const place = async (user: Caller, ...orders: ReturnType<typeof scanOf>[]): Promise<number> =>
  (await user.call('POST', '/v1/order/create', { orders })).data.order_id;
const handIn = (worker: Bot, task: Task | undefined, most = Infinity, columns = columnsFor(task as Task, most)) =>
  worker.call('POST', '/v1/fleet/rows', {
    bot_id: worker.name,
    results: [
      {
        subtask_id: task?.subtask_id,
        lease: task?.lease,
        captured_at: Date.now(),
        source: 'made up',
        columns,
      },
    ],
  });
const fail = (worker: Bot, task: Task | undefined) =>
  worker.call('POST', '/v1/fleet/fail', {
    bot_id: worker.name,
    subtask_id: task?.subtask_id,
    lease: task?.lease,
    reason: 'The game was down.',
    permanent: true,
  });
/** Finishes all items again, as after a crash between D1's batch and the object's own record. */
async function endsAgain(orderId: number): Promise<void> {
  const object = env.ORDER_PROGRESS.getByName(String(orderId));
  await runInDurableObject(object, async (_, state) => {
    state.storage.sql.exec(`UPDATE items SET state = 'finishing'`);
    await state.storage.setAlarm(Date.now() + 60_000);
  });
  await runDurableObjectAlarm(object);
}
const aDayOn = () => fireCron('* * * * *', Date.now() + RETURN_AFTER_MS);

/** Checks that the returns in the ledger equal those of the items. */
async function expectSameInItems(user: Person): Promise<void> {
  const row = await env.DB.prepare(
    `SELECT (SELECT coalesce(sum(amount_cents), 0) FROM ledger_entries WHERE user_id = ?1 AND kind = 'return') AS ledger,
       (SELECT coalesce(sum(returned_cents), 0) FROM items JOIN orders ON orders.id = order_id WHERE user_id = ?1) AS items`,
  )
    .bind(user.id)
    .first<{ ledger: number; items: number }>();
  expect(row?.items).toBe(row?.ledger);
  const { balance: held, sum } = await booksOfUser(user.id);
  expect(held).toBe(sum);
}

beforeEach(async () => {
  await env.DB.prepare(`UPDATE subtasks SET state = 'done' WHERE state IN ('waiting', 'leased')`).run();
});

describe('an item that ends with fewer governors than ordered', () => {
  it.each([
    [500, 500, 0],
    [500, 401, 0],
    [500, 400, 1],
    [500, 205, 2],
    [500, 100, 4],
    [500, 2, 4],
    [250, 249, 0],
    [250, 199, 1],
  ])('of %i ordered and %i found refunds %i chunks, once', async (ordered, there, chunks) => {
    const user = await signedInUser(1_000);
    const kingdom = 950 + there;
    const orderId = await place(user, scanOf([kingdom], ordered));
    await work(await bot(), there);
    const order = await settled(user);
    expect(order.items[0]).toMatchObject({ state: 'done', returned: chunks / 2, returns_at: null });
    expect(order.returned).toBe(chunks / 2);
    const lines = await returns(user);
    expect(lines.map(({ amount, note, order_id }) => [amount, note, order_id])).toEqual(
      chunks ? [[chunks / 2, `Kingdom ${kingdom}: ${there} of ${ordered} governors`, orderId]] : [],
    );
    await endsAgain(orderId);
    await aDayOn();
    expect(await balanceOf(user)).toBe(10 - Math.ceil(ordered / 100) / 2 + chunks / 2);
    expect((await user.call('POST', `/v1/order/${orderId}/cancel`)).status).toBe(409);
    await expectSameInItems(user);
  });

  it('is cancelled and refunded if nobody was found, with a reason', async () => {
    const user = await signedInUser(1_000);
    const orderId = await place(user, scanOf([901], 300));
    const bots = [await bot(), await bot()];
    for (const each of [...bots, ...bots]) await work(each, 0);
    const [item] = (await settled(user)).items;
    expect(item).toMatchObject({
      state: 'cancelled',
      has_results: false,
      returned: 1.5,
      error: 'Bots found nobody there, so the price is back in the balance that paid it.',
    });
    await endsAgain(orderId);
    expect(await balanceOf(user)).toBe(10);
    expect((await user.call('POST', `/v1/order/${orderId}/cancel`)).status).toBe(409);
    expect((await user.call('POST', `/v1/order/${orderId}/repair`)).status).toBe(409);
    expect(await returns(user)).toMatchObject([{ amount: 1.5, note: 'Kingdom 901', order_id: orderId }]);
    await expectSameInItems(user);
  });

  it('fails if the rest of it could not be read, and can be repaired', async () => {
    const user = await signedInUser(1_000);
    const orderId = await place(user, scanOf([905], 200));
    const worker = await bot();
    const [first, second] = await lease(worker, 5);
    await fail(worker, first);
    await handIn(worker, second, 0);
    expect((await settled(user)).items[0]).toMatchObject({ state: 'failed', has_results: false, returned: 0 });
    expect((await user.call('POST', `/v1/order/${orderId}/repair`)).data.requeued).toBe(1);
    expect(await work(worker, 100)).toBe(1);
    expect((await settled(user)).items[0]).toMatchObject({ state: 'done', has_results: true, returned: 0.5 });
    expect(await balanceOf(user)).toBe(9.5);
    await expectSameInItems(user);
  });

  it('refunds nothing for an outdated version, or before it has ended', async () => {
    const user = await signedInUser(1_000);
    await place(user, scanOf([906], 300));
    const [{ item_id }] = (await newestOrder(user)).items;
    const tells = (version: number) =>
      db.$client.batch(shortfallStatements(db, { itemId: item_id, version, userId: user.id, got: 0 }, Date.now()));
    await tells(1);
    expect(await balanceOf(user)).toBe(8.5);
    await work(await bot());
    await settled(user);
    await tells(0);
    await tells(2);
    expect(await balanceOf(user)).toBe(8.5);
    await tells(1);
    expect(await balanceOf(user)).toBe(10);
    await tells(1);
    expect(await balanceOf(user)).toBe(10);
    await expectSameInItems(user);
  });

  it('keeps the price of what a repair can still bring, and refunds nothing twice', async () => {
    const user = await signedInUser(1_000);
    await place(user, scanOf([902], 500));
    const worker = await bot();
    const [first, second, third, ...none] = await lease(worker, 5);
    await handIn(worker, first);
    await fail(worker, second);
    await handIn(worker, third, 230);
    for (const task of none) await handIn(worker, task, 0);
    const [item] = (await settled(user)).items;
    // 130 rows fill two chunks; one failed; two do not exist.
    expect(item).toMatchObject({ state: 'done', failed_count: 1, returned: 1 });
    expect(await balanceOf(user)).toBe(8.5);
    await user.call('POST', `/v1/order/${item.item_id}/repair`);
    expect(await work(worker)).toBe(1);
    expect((await settled(user)).items[0]).toMatchObject({ failed_count: 0, returned: 1 });
    expect(await balanceOf(user)).toBe(8.5);
    expect(await returns(user)).toHaveLength(1);
    await expectSameInItems(user);
  });

  it('refunds what a repair finds empty', async () => {
    const user = await signedInUser(1_000);
    await place(user, scanOf([903], 300));
    const worker = await bot();
    const [first, second, third] = await lease(worker, 5);
    await handIn(worker, first);
    await fail(worker, second);
    await handIn(worker, third, 0);
    const [item] = (await settled(user)).items;
    expect(item.returned).toBe(0.5);
    await user.call('POST', `/v1/order/${item.item_id}/repair`);
    await work(worker, 0);
    expect((await settled(user)).items[0]).toMatchObject({ state: 'done', has_results: true, returned: 1 });
    expect((await returns(user)).map(({ amount }) => amount)).toEqual([0.5, 0.5]);
    expect(await balanceOf(user)).toBe(9.5);
    await expectSameInItems(user);
  });

  it('covers what Stripe took back before the customer gets it', async () => {
    const user = await signedInUser(0);
    const intent = await topsUp(user, 5);
    await place(user, scanOf([904], 1000));
    const payment = await env.DB.prepare('SELECT id, user_id FROM payments WHERE payment_intent = ?')
      .bind(intent)
      .first<{ id: string; user_id: string }>();
    if (!payment) throw new Error('a payment expected');
    const taken = { id: `re_${crypto.randomUUID()}`, kind: 'refund' as const, amount: 300, stage: 1 as const };
    await applyReversal(db, payment, taken);
    await work(await bot(), 50);
    await settled(user);
    const { data } = await user.call('GET', '/v1/account/balance');
    expect(data).toMatchObject({ balance: 1.5, uncovered: 0 });
    await expectSameInItems(user);
  });
});

describe('work that bots could not read', () => {
  /** An order of three items: one complete, one without rows, one with one part of two. */
  async function threeItems() {
    const user = await signedInUser(1_000);
    const orderId = await place(user, scanOf([910, 911], 100), scanOf([912], 200));
    const worker = await bot();
    const [whole, none, part, missing] = await lease(worker, 5);
    await handIn(worker, whole);
    await fail(worker, none);
    await handIn(worker, part);
    await fail(worker, missing);
    const { items } = await settled(user);
    expect(items.map(({ state }: { state: string }) => state)).toEqual(['done', 'failed', 'done']);
    expect(await balanceOf(user)).toBe(8);
    return { user, orderId, items, worker };
  }
  const endedAt = async (itemId: string) =>
    (await env.DB.prepare('SELECT finished_at FROM items WHERE id = ?').bind(itemId).first<{ finished_at: number }>())
      ?.finished_at ?? 0;

  it('is refunded automatically a day later, and not before', async () => {
    const { user, orderId, items } = await threeItems();
    const [, failed, partly] = items;
    const due = Math.max(await endedAt(failed.item_id), await endedAt(partly.item_id)) + RETURN_AFTER_MS;
    expect(failed.returns_at).toBe((await endedAt(failed.item_id)) + RETURN_AFTER_MS);
    const first = Math.min(failed.returns_at, partly.returns_at);
    expect(await giveUpUndelivered(env, db, first - 1)).toEqual([]);
    expect(await balanceOf(user)).toBe(8);
    await fireCron('* * * * *', due);
    const order = await newestOrder(user);
    expect(order.items).toMatchObject([
      { state: 'done', returned: 0 },
      { state: 'cancelled', returned: 0.5, error: `The game was down. ${GIVEN_UP}`, returns_at: null },
      { state: 'done', returned: 0.5, failed_count: 0, returns_at: null },
    ]);
    expect(order.returned).toBe(1);
    expect((await returns(user)).map(({ amount, note }) => [amount, note]).sort()).toEqual([
      [0.5, 'Kingdom 911'],
      [0.5, 'Kingdom 912: 100 of 200 governors'],
    ]);
    // What was refunded cannot be repaired for free.
    expect((await user.call('POST', `/v1/order/${failed.item_id}/repair`)).status).toBe(409);
    expect((await user.call('POST', `/v1/order/${partly.item_id}/repair`)).data.requeued).toBe(0);
    await fireCron('* * * * *', due + 1);
    await endsAgain(orderId);
    expect(await balanceOf(user)).toBe(9);
    await expectSameInItems(user);
  });

  it('stays away once refunded, while the misread part behind it is read again', async () => {
    const user = await signedInUser(1_000);
    const orderId = await place(user, scanOf([913], 300));
    const worker = await bot();
    const [first, missing, misread] = await lease(worker, 5);
    await handIn(worker, first);
    await fail(worker, missing);
    const columns = columnsFor(misread as Task);
    (columns.killpoints as number[])[50] = 5;
    await handIn(worker, misread, 100, columns);
    await settled(user);
    await fireCron('* * * * *', Date.now() + RETURN_AFTER_MS);
    expect((await newestOrder(user)).returned).toBe(0.5);
    expect((await user.call('POST', `/v1/order/${orderId}/repair`)).data.requeued).toBe(1);
    expect(await lease(worker, 5)).toMatchObject([{ from_rank: 201, to_rank: 300 }]);
  });

  it('is not refunded while bots read it again, and is charged if they do', async () => {
    const { user, orderId, worker } = await threeItems();
    expect((await user.call('POST', `/v1/order/${orderId}/repair`)).data.requeued).toBe(2);
    await fireCron('* * * * *', Date.now() + RETURN_AFTER_MS - 60_000);
    expect(await balanceOf(user)).toBe(8);
    expect(await work(worker)).toBe(2);
    const { items } = await settled(user);
    expect(items.map(({ state, returned }: { state: string; returned: number }) => [state, returned])).toEqual([
      ['done', 0],
      ['done', 0],
      ['done', 0],
    ]);
    await aDayOn();
    expect(await balanceOf(user)).toBe(8);
  });

  it('is refunded on cancellation, for an item or all items without results', async () => {
    const { user, orderId, items } = await threeItems();
    const [done, failed] = items;
    expect((await user.call('POST', `/v1/order/${done.item_id}/cancel`)).status).toBe(409);
    expect((await (await signedInUser()).call('POST', `/v1/order/${failed.item_id}/cancel`)).status).toBe(404);
    const both = await Promise.all([failed.item_id, orderId].map((id) => user.call('POST', `/v1/order/${id}/cancel`)));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(both.find(({ status }) => status === 200)?.data).toEqual({ cancelled: 1, returned: 0.5 });
    expect((await newestOrder(user)).standings).toEqual({ done: 2, cancelled: 1 });
    expect(await balanceOf(user)).toBe(8.5);
    await aDayOn();
    expect(await balanceOf(user)).toBe(9);
    await expectSameInItems(user);
  });

  it('is refunded in one entry per order, and another for a later cancellation', async () => {
    const user = await signedInUser(1_000);
    const orderId = await place(user, scanOf([920, 921, 922], 100));
    const { items } = await newestOrder(user);
    await user.call('POST', `/v1/order/${items[1].item_id}/cancel`);
    expect((await newestOrder(user)).standings).toEqual({ open: 2, cancelled: 1 });
    await user.call('POST', `/v1/order/${orderId}/cancel`);
    expect((await returns(user)).map(({ amount, note }) => [amount, note])).toEqual([
      [1, '2 items'],
      [0.5, 'Kingdom 921'],
    ]);
    expect(await balanceOf(user)).toBe(10);
    expect(await lease(await bot())).toEqual([]);
    await expectSameInItems(user);
  });
});

describe('a cancellation', () => {
  it('refunds only its own items, whatever others cancel concurrently or before', async () => {
    const user = await signedInUser(1_000);
    const orderId = await place(user, scanOf([940, 941, 942], 100));
    const ids: string[] = (await newestOrder(user)).items.map(({ item_id }: { item_id: string }) => item_id).sort();
    const [first = '', second = '', third = ''] = ids;
    // Cancelled by an earlier release, which did not store the refund in the item.
    await env.DB.prepare(`UPDATE items SET state = 'cancelled', finished_at = 1 WHERE id = ?`).bind(third).run();
    const now = Date.now();
    const cancel = (itemId: string) => cancelItems(db, { orderId, userId: user.id, itemId }, now);
    expect(await cancel(first)).toEqual({ items: [first], returned: 50 });
    expect(await cancel(second)).toEqual({ items: [second], returned: 50 });
    expect(await cancel(second)).toBeNull();
    expect(await balanceOf(user)).toBe(9.5);
    expect((await returns(user)).map(({ amount }) => amount)).toEqual([0.5, 0.5]);
  });

  it('of another order leaves this one unchanged', async () => {
    const user = await signedInUser(1_000);
    const [one, other] = [await place(user, scanOf([943])), await place(user, scanOf([944]))];
    await user.call('POST', `/v1/order/${one}/cancel`);
    expect((await newestOrder(user)).standings).toEqual({ open: 1 });
    expect(await balanceOf(user)).toBe(9.5);
    const { items } = await newestOrder(user);
    const mixed = { orderId: one, userId: user.id, itemId: items[0].item_id };
    expect(await cancelItems(db, mixed)).toBeNull();
    expect((await newestOrder(user)).order_id).toBe(other);
  });
});

describe('admins', () => {
  it('see charges less refunds', async () => {
    const [user, admin] = [await signedInUser(1_000), await signedInAdmin()];
    const charged = async () => (await admin.call('GET', '/v1/admin/figures')).data;
    const before = await charged();
    const orderId = await place(user, scanOf([930], 300), scanOf([931], 100));
    expect(await charged()).toMatchObject({ orders_last_day: before.orders_last_day + 1 });
    expect((await charged()).charged_last_day).toBeCloseTo(before.charged_last_day + 2);
    await work(await bot(), 100);
    await settled(user);
    expect((await charged()).charged_last_day).toBeCloseTo(before.charged_last_day + 1);
    const listed = (await admin.call('GET', '/v1/admin/orders')).data.orders;
    expect(listed.find(({ order_id }: { order_id: number }) => order_id === orderId)).toMatchObject({
      total: 2,
      returned: 1,
    });
  });
});
