import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { type ItemState, type OrderAction, refusalOf, STANDINGS, type Standing } from '../../domain/orders/order.ts';
import { SCHEDULE_ACTIONS, SCHEDULE_STATES, scheduleRefusal } from '../../domain/orders/schedule.ts';
import { eventually } from '../support/eventually.ts';
import { type Answer, bot, type Caller, scanOf, signedInUser, work } from './client.ts';

/** The server follows the table of actions for every standing and every call. */

const CALLS: Record<Exclude<OrderAction, 'results'>, (user: Caller, order: Placed) => Promise<Answer>> = {
  download: (user, { item_id }) => user.call('GET', `/v1/order/${item_id}/download?type=csv`),
  share: (user, { item_id }) => user.call('POST', `/v1/order/${item_id}/shares`, { days: 1 }),
  repair: (user, { item_id }) => user.call('POST', `/v1/order/${item_id}/repair`),
  cancel: (user, { order_id }) => user.call('POST', `/v1/order/${order_id}/cancel`),
  report: (user, { order_id }) =>
    user.call('POST', `/v1/order/${order_id}/report`, { message: 'Something is wrong here.' }),
  reorder: (user, { order_id }) => user.call('GET', `/v1/order/${order_id}/entries`),
};

interface Placed {
  order_id: number;
  item_id: string;
}

const withResults = (how: Standing): boolean => ['done', 'repairing', 'stored'].includes(how);
const stateOf = (how: Standing): ItemState => (how === 'repairing' ? 'open' : how === 'stored' ? 'done' : how);

let user: Awaited<ReturnType<typeof signedInUser>>;
beforeAll(async () => {
  user = await signedInUser();
});

/** An order whose only item has the given standing. */
async function standing(how: Standing): Promise<Placed> {
  const { data } = await user.call('POST', '/v1/order/create', { orders: [scanOf([61_001])] });
  const newest = async () => (await user.call('GET', '/v1/orders/')).data.orders[0].items[0];
  const { item_id } = await newest();
  if (withResults(how)) {
    await work(await bot());
    await eventually(async () => expect((await newest()).state).toBe('done'));
  }
  await env.DB.prepare(`UPDATE items SET state = ?, subtask_count = ? WHERE id = ?`)
    .bind(stateOf(how), how === 'stored' ? 0 : 1, item_id)
    .run();
  // Keeps the bots of other tests off it.
  await env.DB.prepare(`UPDATE subtasks SET state = 'failed' WHERE item_id = ? AND state <> 'done'`)
    .bind(item_id)
    .run();
  return { order_id: data.order_id, item_id };
}

describe.each(STANDINGS)('an item that is %s', (how) => {
  // One user each, because reports are limited per minute.
  beforeAll(async () => {
    user = await signedInUser();
  });
  it.each(Object.keys(CALLS) as (keyof typeof CALLS)[])('answers %s as the table says', async (action) => {
    const placed = await standing(how);
    const refusal = refusalOf(action, {
      state: stateOf(how),
      has_results: withResults(how),
      subtask_count: how === 'stored' ? 0 : 1,
    });
    const response = await (action === 'download' && refusal === null
      ? user.fetch(`/v1/order/${placed.item_id}/download?type=csv`)
      : CALLS[action](user, placed));
    if (refusal === null) expect(response.status).toBe(200);
    else expect(response).toMatchObject({ status: 409, msg: refusal });
  });
});

describe.each(SCHEDULE_STATES)('a schedule that is %s', (state) => {
  it.each(SCHEDULE_ACTIONS)('answers %s as the table says', async (action) => {
    const scheduleInfo = { period: 'day', interval: 1, start: new Date(Date.now() + 86_400_000).toISOString() };
    const { data } = await user.call('POST', '/v1/order/create', { orders: [scanOf([61_002])], scheduleInfo });
    await env.DB.prepare(`UPDATE schedules SET state = ? WHERE id = ?`).bind(state, data.schedule_id).run();
    const body = action === 'edit' ? { scheduleInfo } : {};
    const response = await user.call('POST', `/v1/orders/scheduled/${data.schedule_id}/${action}`, body);
    const refusal = scheduleRefusal(action, state);
    if (refusal === null) expect(response.status).toBe(200);
    else expect(response).toMatchObject({ status: 409, msg: refusal });
  });
});
