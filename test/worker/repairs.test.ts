import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Task } from '../../domain/fleet/contract.ts';
import { snapshotsOfItems } from '../../worker/models/scans/snapshots.ts';
import { repairOrder } from '../../worker/services/orders/change-order.ts';
import { eventually } from '../support/eventually.ts';
import {
  type Bot,
  balanceOf,
  bot,
  type Caller,
  columnsFor,
  db,
  lease,
  newestOrder,
  scanOf,
  signedInUser,
  work,
} from './client.ts';

const place = async (user: Caller, kingdom: number, governors: number) =>
  (await user.call('POST', '/v1/order/create', { orders: [scanOf([kingdom], governors)] })).data.order_id as number;
const handIn = (worker: Bot, task: Task, columns = columnsFor(task), captured_at = Date.now()) =>
  worker.call('POST', '/v1/fleet/rows', {
    bot_id: worker.name,
    results: [{ subtask_id: task.subtask_id, lease: task.lease, captured_at, source: 'made up', columns }],
  });
const itemWhen = (user: Caller, state: string) =>
  eventually(async () => {
    const [item] = (await newestOrder(user)).items;
    expect(item.state).toBe(state);
    return item;
  });
const rowsOf = async (user: Caller, itemId: string, query = '') =>
  (await user.call('GET', `/v1/order/${itemId}/download?type=json${query}`)).data.rows as Record<string, number>[];
const tenMinutesOn = () => env.DB.prepare(`UPDATE items SET repaired_at = repaired_at - 600000`).run();

beforeEach(async () => {
  await env.DB.prepare(`UPDATE subtasks SET state = 'done' WHERE state IN ('waiting', 'leased')`).run();
});

describe('a cancellation', () => {
  it('stops the work and refunds the price, once, however often it is requested', async () => {
    const user = await signedInUser(1_000);
    const orderId = await place(user, 801, 200);
    expect((await newestOrder(user)).standings).toEqual({ open: 1 });
    const both = await Promise.all([1, 2].map(() => user.call('POST', `/v1/order/${orderId}/cancel`)));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await balanceOf(user)).toBe(10);
    expect((await newestOrder(user)).items[0]).toMatchObject({ state: 'cancelled', incomplete_count: 0 });
    expect(await lease(await bot())).toEqual([]);
  });

  it('racing with the last hand-in ends with results and the charge, or with neither', async () => {
    for (let round = 0; round < 6; round++) {
      const user = await signedInUser(1_000);
      const orderId = await place(user, 810 + round, 100);
      const worker = await bot();
      const [task] = await lease(worker, 5);
      if (!task) throw new Error('a task expected');
      const [, cancelled] = await Promise.all([handIn(worker, task), user.call('POST', `/v1/order/${orderId}/cancel`)]);
      if (cancelled.status === 200) {
        expect(await itemWhen(user, 'cancelled')).toMatchObject({ has_results: false });
        expect(await balanceOf(user)).toBe(10);
      } else {
        expect(await itemWhen(user, 'done')).toMatchObject({ has_results: true });
        expect(await balanceOf(user)).toBe(9.5);
      }
    }
  });

  it('is refused once there are results, and to other users', async () => {
    const user = await signedInUser(1_000);
    const orderId = await place(user, 830, 100);
    expect((await (await signedInUser()).call('POST', `/v1/order/${orderId}/cancel`)).status).toBe(404);
    await work(await bot());
    await itemWhen(user, 'done');
    expect((await newestOrder(user)).standings).toEqual({ done: 1 });
    expect((await user.call('POST', `/v1/order/${orderId}/cancel`)).status).toBe(409);
    expect(await balanceOf(user)).toBe(9.5);
  });
});

describe('a repair', () => {
  it('reads failed parts again for free as a new version, and keeps the old one', async () => {
    const user = await signedInUser(1_000);
    await place(user, 840, 200);
    const worker = await bot();
    const [first, second] = await lease(worker, 5);
    if (!first || !second) throw new Error('two tasks expected');
    await handIn(worker, first);
    const claim = { bot_id: worker.name, subtask_id: second.subtask_id, lease: second.lease };
    await worker.call('POST', '/v1/fleet/fail', { ...claim, reason: 'The game was down.', permanent: true });
    const { item_id } = await itemWhen(user, 'done');
    expect(await rowsOf(user, item_id)).toHaveLength(100);
    /** Whether the order goes on, and what has changed in its results. */
    const combined = async () => {
      const { live, item_count, parts } = (await user.call('GET', `/v1/order/${item_id}/combined`)).data;
      return { live, item_count, versions: parts.map(({ version }: { version: number }) => version) };
    };
    expect(await combined()).toEqual({ live: false, item_count: 1, versions: [1] });

    expect((await user.call('POST', `/v1/order/${item_id}/repair`)).data).toEqual({
      requeued: 1,
      msg: 'The repair has started.',
    });
    expect((await newestOrder(user)).items[0]).toMatchObject({ state: 'open', has_results: true, failed_count: 0 });
    expect(await rowsOf(user, item_id)).toHaveLength(100);
    expect(await combined()).toEqual({ live: true, item_count: 1, versions: [1] });
    expect(await work(worker)).toBe(1);
    await itemWhen(user, 'done');
    expect(await combined()).toEqual({ live: false, item_count: 1, versions: [2] });
    expect(await rowsOf(user, item_id)).toHaveLength(200);
    expect(await rowsOf(user, item_id, '&version=1')).toHaveLength(100);
    expect((await user.call('GET', `/v1/order/${item_id}/download?type=json&version=3`)).status).toBe(404);
    const versions = (await user.call('GET', `/v1/order/item/${item_id}/`)).data.versions;
    expect(versions.map(({ version, rows }: Record<string, number>) => [version, rows])).toEqual([
      [2, 200],
      [1, 100],
    ]);
    expect(await balanceOf(user)).toBe(9);

    // However many scans the kingdom has.
    await env.DB.prepare(
      `WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < 500)
       INSERT INTO snapshots (key, game, kingdom_id, captured_at, source, rows, bytes, quality, created_at)
       SELECT 'other ' || number, game, kingdom_id, number, 'made up', 1, 1, '{}', number
       FROM numbers JOIN items WHERE items.id = ?`,
    )
      .bind(item_id)
      .run();
    const { results, meta } = await env.DB.prepare(
      `SELECT version, rows FROM (${snapshotsOfItems('= ?1')}) ORDER BY version`,
    )
      .bind(item_id)
      .all();
    expect(results).toEqual([
      { version: 1, rows: 100 },
      { version: 2, rows: 200 },
    ]);
    expect(meta.rows_read).toBeLessThan(20);
  });

  it('reads misread rows again and keeps the good ones', async () => {
    const user = await signedInUser(1_000);
    const orderId = await place(user, 841, 200);
    const worker = await bot();
    const [first, second] = await lease(worker, 5);
    if (!first || !second) throw new Error('two tasks expected');
    await handIn(worker, first);
    const broken = columnsFor(second);
    (broken.killpoints as number[])[3] = 5;
    await handIn(worker, second, broken);
    const { item_id } = await itemWhen(user, 'done');
    expect((await user.call('GET', `/v1/order/item/${item_id}/`)).data.quality).toEqual({
      ok: 199,
      identity_broken: 1,
    });

    expect((await user.call('POST', `/v1/order/${orderId}/repair`)).data.requeued).toBe(1);
    const [again] = await lease(worker, 5);
    expect(again).toMatchObject({ from_rank: 101, to_rank: 200 });
    await handIn(worker, again as Task);
    await itemWhen(user, 'done');
    expect((await user.call('GET', `/v1/order/item/${item_id}/`)).data.quality).toEqual({ ok: 200 });
    const powers = (await rowsOf(user, item_id)).map((row) => row.power);
    expect(powers).toHaveLength(200);
    expect(powers).toEqual([...powers].sort((a, b) => Number(b) - Number(a)));
  });

  it('without new rows keeps the old results', async () => {
    const user = await signedInUser(1_000);
    await place(user, 842, 200);
    const worker = await bot();
    const fail = ({ subtask_id, lease: token }: Task) =>
      worker.call('POST', '/v1/fleet/fail', {
        bot_id: worker.name,
        subtask_id,
        lease: token,
        reason: 'Still down.',
        permanent: true,
      });
    const [first, second] = await lease(worker, 5);
    await handIn(worker, first as Task);
    await fail(second as Task);
    const { item_id } = await itemWhen(user, 'done');
    await env.DB.prepare(`UPDATE subtasks SET empty_by = 'another' WHERE item_id = ?`).bind(item_id).run();
    await user.call('POST', `/v1/order/${item_id}/repair`);
    // The repair resets it to untried: no bot has found it empty, and it is due from now on.
    const put = await env.DB.prepare(
      `SELECT subtasks.state, attempts, empty_by, lease, subtasks.error, due - repaired_at AS after
       FROM subtasks JOIN items ON items.id = item_id WHERE subtasks.id = ?`,
    )
      .bind(second?.subtask_id)
      .first();
    expect(put).toEqual({ state: 'waiting', attempts: 0, empty_by: null, lease: null, error: null, after: 1000 });
    const [again] = await lease(worker, 5);
    await fail(again as Task);
    expect(await itemWhen(user, 'done')).toMatchObject({ has_results: true, failed_count: 1 });
    expect(await rowsOf(user, item_id)).toHaveLength(100);
    expect((await user.call('POST', `/v1/order/${item_id}/repair`)).status).toBe(429);
    await tenMinutesOn();
    expect((await user.call('POST', `/v1/order/${item_id}/repair`)).data.requeued).toBe(1);
  });

  it('of one item does not change the others of its order', async () => {
    const user = await signedInUser(1_000);
    const { data } = await user.call('POST', '/v1/order/create', { orders: [scanOf([844, 845])] });
    const worker = await bot();
    const items = async () => (await newestOrder(user)).items as { item_id: string; state: string }[];
    const failAll = async () => {
      for (const { subtask_id, lease: held } of await lease(worker, 5)) {
        const failure = { subtask_id, lease: held, reason: 'Not there.', permanent: true };
        expect((await worker.call('POST', '/v1/fleet/fail', { bot_id: worker.name, ...failure })).status).toBe(200);
      }
      await eventually(async () => expect((await items()).map(({ state }) => state)).toEqual(['failed', 'failed']));
    };
    await failAll();
    const [one, two] = await items();
    expect((await user.call('POST', `/v1/order/${two?.item_id}/repair`)).data.requeued).toBe(1);
    expect((await items()).map(({ state }) => state)).toEqual(['failed', 'open']);
    // It failed again and cannot be repaired yet, but the other item of the order can.
    await failAll();
    expect((await user.call('POST', `/v1/order/${data.order_id}/repair`)).data.requeued).toBe(1);
    expect(one?.state).toBe('failed');
  });

  it('of complete items reads them with one statement', async () => {
    const user = await signedInUser(10_000);
    const kingdoms = Array.from({ length: 20 }, (_, index) => 871 + index);
    const { data } = await user.call('POST', '/v1/order/create', { orders: [scanOf(kingdoms, 100)] });
    await work(await bot());
    await eventually(async () => {
      for (const { state } of (await newestOrder(user)).items) expect(state).toBe('done');
    });
    const batch = vi.spyOn(db.$client, 'batch');
    expect(await repairOrder(db, env, { userId: user.id, id: String(data.order_id) })).toBe(0);
    expect(batch).not.toHaveBeenCalled();
    batch.mockRestore();
  });

  it('is not needed for a complete item, and not possible before the end or for others', async () => {
    const user = await signedInUser(1_000);
    const orderId = await place(user, 843, 100);
    expect((await user.call('POST', `/v1/order/${orderId}/repair`)).status).toBe(409);
    await work(await bot());
    const { item_id } = await itemWhen(user, 'done');
    expect((await user.call('POST', `/v1/order/${item_id}/repair`)).data).toEqual({
      requeued: 0,
      msg: 'Nothing is missing and every row was read correctly.',
    });
    expect((await (await signedInUser()).call('POST', `/v1/order/${item_id}/repair`)).status).toBe(404);
  });
});

describe('an issue report', () => {
  it('is stored and mailed to support, and an invalid one is refused', async () => {
    const user = await signedInUser();
    const orderId = await place(user, 850, 100);
    const report = { message: 'Governor 7 has no kills at all.', rows: ['7'] };
    const { data } = await user.call('POST', `/v1/order/${orderId}/report`, report);
    const kept = await env.DB.prepare(`SELECT message, rows FROM issue_reports WHERE id = ?`)
      .bind(data.report_id)
      .first();
    expect(kept).toEqual({ message: report.message, rows: '7' });
    const { results: mails } = await env.DB.prepare(
      `SELECT text FROM outbox WHERE reference LIKE 'report:%' AND text LIKE ?`,
    )
      .bind(`%${orderId}%`)
      .all<{ text: string }>();
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text).toContain(report.message);
    for (const bad of [{ message: 'short' }, { ...report, rows: ['x'] }, {}])
      expect((await user.call('POST', `/v1/order/${orderId}/report`, bad)).status).toBe(400);
    const otherItem =
      (await user.call('POST', '/v1/order/create', { orders: [scanOf([851])] })) && (await newestOrder(user)).items[0];
    const crossed = await user.call('POST', `/v1/order/${orderId}/report`, { ...report, item_id: otherItem.item_id });
    expect(crossed.status).toBe(404);
  });
});
