import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Task } from '../../domain/fleet/contract.ts';
import { DashboardCache } from '../../durable-objects/dashboard-cache.ts';
import { OrderProgress } from '../../durable-objects/order-progress.ts';
import { eventually } from '../support/eventually.ts';
import { bot, caller, columnsFor, type Person, scanOf, signedInUser } from '../worker/client.ts';
import { fighter, HOUR, load, madeEvent, START } from '../worker/events/war.ts';
import { booksOfUser, rowsWhere } from '../worker/payments-client.ts';

/** A Durable Object that is reset during a call, as by a deployment: nothing is lost or counted twice. */

const DEPLOYED = 'Durable Object reset because its code was updated.';

interface Internals {
  ctx: DurableObjectState;
}

/** Lets the next calls of a method do their work, then resets their object before they answer. */
function resetting<Name extends string>(
  prototype: Record<Name, (...given: never[]) => unknown>,
  name: Name,
  times = 1,
) {
  const act = prototype[name] as (this: unknown, ...given: unknown[]) => Promise<unknown>;
  const bent = vi.spyOn(prototype as never, name as never) as unknown as {
    mockImplementationOnce(bend: (this: unknown, ...given: unknown[]) => Promise<unknown>): void;
    mock: { calls: unknown[][] };
  };
  for (let time = 0; time < times; time++)
    bent.mockImplementationOnce(async function (this: unknown, ...given: unknown[]) {
      await act.apply(this, given);
      (this as Internals).ctx.abort(DEPLOYED);
    });
  return bent;
}

beforeEach(async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  await env.DB.prepare(`UPDATE subtasks SET state = 'done' WHERE state IN ('waiting', 'leased')`).run();
});
afterEach(() => {
  vi.restoreAllMocks();
});

const ordered = async (user: Person, kingdom: number): Promise<number> =>
  (await user.call('POST', '/v1/order/create', { orders: [scanOf([kingdom], 200)] })).data.order_id;

/** A bot that holds all of an order's work, and what it hands in. */
async function read() {
  const worker = await bot('resets');
  const { data } = await worker.call('POST', '/v1/fleet/lease', { bot_id: worker.name, games: ['rok'], count: 3 });
  const results = (data.tasks as Task[]).map((task) => ({
    subtask_id: task.subtask_id,
    lease: task.lease,
    captured_at: Date.now(),
    source: 'made up',
    columns: columnsFor(task),
  }));
  return { worker, handIn: () => worker.fetch('/v1/fleet/rows', rowsCall(worker.name, results)) };
}

const rowsCall = (bot_id: string, results: object[]): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ bot_id, results }),
});

const delivered = (user: Person) =>
  eventually(async () => {
    const [order] = (await user.call('GET', '/v1/orders/')).data.orders;
    expect(order.items[0].state).toBe('done');
  });

describe('an order’s object', () => {
  it('that is reset while it takes rows accepts them in the same call', async () => {
    const user = await signedInUser();
    const orderId = await ordered(user, 72_001);
    const { handIn } = await read();
    const bent = resetting(OrderProgress.prototype, 'stage');
    const answer = await handIn();
    expect(answer.status).toBe(200);
    expect(bent).toHaveBeenCalledTimes(2);
    await delivered(user);
    expect(
      await rowsWhere(
        `SELECT snapshots.rows FROM snapshots JOIN items ON items.id = item_id WHERE order_id = ?`,
        orderId,
      ),
    ).toEqual([{ rows: 200 }]);
    expect(await booksOfUser(user.id)).toMatchObject({ balance: 10_000 - 100, sum: 10_000 - 100 });
  });

  it('that is reset repeatedly counts as a storage failure, and the bot’s next try works', async () => {
    const user = await signedInUser();
    await ordered(user, 72_002);
    const { handIn } = await read();
    resetting(OrderProgress.prototype, 'stage', 2);
    const refused = await handIn();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '60']);
    expect(await refused.json()).toMatchObject({ msg: expect.stringContaining('try again in a minute') });
    expect((await handIn()).status).toBe(200);
    await delivered(user);
  });

  it('that is reset during a cancellation still reports it, and the price is refunded once', async () => {
    const user = await signedInUser();
    const orderId = await ordered(user, 72_003);
    resetting(OrderProgress.prototype, 'cancel');
    const { status, data } = await user.call('POST', `/v1/order/${orderId}/cancel`);
    expect([status, data]).toMatchObject([200, { cancelled: 1, returned: 1 }]);
    expect((await user.call('POST', `/v1/order/${orderId}/cancel`)).status).toBe(409);
    expect(await booksOfUser(user.id)).toMatchObject({ balance: 10_000, sum: 10_000 });
  });

  it('that is reset while a bot returns its work counts the failure once', async () => {
    await ordered(await signedInUser(), 72_004);
    const worker = await bot('returns');
    const { data } = await worker.call('POST', '/v1/fleet/lease', { bot_id: worker.name, games: ['rok'], count: 1 });
    const [task] = data.tasks as [Task];
    resetting(OrderProgress.prototype, 'giveBack');
    const { subtask_id, lease } = task;
    const failed = { bot_id: worker.name, subtask_id, lease, reason: 'No way in.', permanent: false };
    expect((await worker.call('POST', '/v1/fleet/fail', failed)).status).toBe(200);
    expect(await rowsWhere('SELECT attempts, state FROM subtasks WHERE id = ?', subtask_id)).toEqual([
      { attempts: 1, state: 'waiting' },
    ]);
  });
});

it('an event’s object that is reset while it streams a file breaks the download off, stores nothing of it, and sends it whole later', async () => {
  const { admin, id } = await madeEvent();
  await load(admin, id, START, [fighter(1, 701, 10)]);
  await load(admin, id, START + HOUR, [fighter(1, 701, 50)]);
  const stored = async () => {
    const { objects } = await env.STORE.list({ prefix: `answers/dashboards/${id}/` });
    return objects.filter(({ key }) => key.includes('file'));
  };
  const fetchOf = DashboardCache.prototype.fetch;
  vi.spyOn(DashboardCache.prototype, 'fetch').mockImplementationOnce(async function (this: DashboardCache, request) {
    const { body } = await fetchOf.call(this, request);
    const reader = (body as ReadableStream<Uint8Array>).getReader();
    let pieces = 0;
    const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
      if (pieces++ > 0) {
        await reader.cancel();
        return (this as unknown as Internals).ctx.abort(DEPLOYED);
      }
      controller.enqueue((await reader.read()).value ?? new Uint8Array());
    };
    return new Response(new ReadableStream<Uint8Array>({ pull }, { highWaterMark: 0 }));
  });
  const path = `/v1/dashboards/${id}/download?type=csv`;
  const broken = await caller().fetch(path);
  expect(broken.status).toBe(200);
  await expect(broken.text()).rejects.toThrow();
  expect(await stored()).toEqual([]);
  const whole = await caller().fetch(path);
  expect(await whole.text()).toContain('Fighter 1');
  expect(await stored()).toHaveLength(1);
});

it('an event’s object that is reset during a call still answers it', async () => {
  const { admin, id } = await madeEvent();
  await load(admin, id, START, [fighter(1, 701, 10)]);
  await load(admin, id, START + HOUR, [fighter(1, 701, 50)]);
  const bent = resetting(DashboardCache.prototype, 'fetch');
  const { status, data } = await caller().call('GET', `/v1/dashboards/${id}/table`);
  expect([status, data.name]).toEqual([200, ['Fighter 1']]);
  expect(bent.mock.calls.length).toBeGreaterThan(1);
});
