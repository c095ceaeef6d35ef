import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import type { Task } from '../../domain/fleet/contract.ts';
import { bot, columnsFor, scanOf, signedInUser } from './client.ts';
import { cell } from './people.ts';

/** Everything about the order and its work that a call counted twice would change. */
async function standing(orderId: number) {
  const { results: subtasks } = await env.DB.prepare(
    'SELECT number, state, attempts, error FROM subtasks WHERE order_id = ? ORDER BY number',
  )
    .bind(orderId)
    .all();
  const item = await env.DB.prepare(
    'SELECT state, incomplete_count, failed_count, version FROM items WHERE order_id = ?',
  )
    .bind(orderId)
    .first();
  const bots = await env.DB.prepare('SELECT bot_id, packets_count, tasking_count FROM bots ORDER BY bot_id').all();
  return { subtasks, item, bots: bots.results };
}

it('repeating any bot call, at once or later, counts nothing twice', async () => {
  const user = await signedInUser();
  const placed = await user.call('POST', '/v1/order/create', { orders: [scanOf([61], 300)] });
  const orderId = placed.data.order_id as number;
  const worker = await bot('repeats');
  const call = (path: string, body: object) => worker.call('POST', `/v1/fleet/${path}`, body);
  const { data } = await call('lease', { bot_id: worker.name, games: ['rok'], count: 3 });
  const [failing, good, other] = data.tasks as Task[];
  if (!failing || !good || !other) throw new Error('three tasks expected');

  const result = (task: Task) => ({
    subtask_id: task.subtask_id,
    lease: task.lease,
    captured_at: Date.now(),
    source: 'made up',
    columns: columnsFor(task),
  });
  const calls: [string, object][] = [
    ['heartbeat', { bot_id: worker.name, account_game: 'rok', packets_count: 7, tasking_count: 3 }],
    [
      'fail',
      {
        bot_id: worker.name,
        subtask_id: failing.subtask_id,
        lease: failing.lease,
        reason: 'No way in.',
        permanent: false,
      },
    ],
    ['rows', { bot_id: worker.name, results: [result(good)] }],
  ];
  for (const [path, body] of calls) {
    const first = await call(path, body);
    expect(first.status).toBe(200);
    const once = await standing(orderId);
    const again = await Promise.all([call(path, body), call(path, body), call(path, body)]);
    await call(path, body);
    expect(again.every(({ status }) => status < 500)).toBe(true);
    expect({ path, ...(await standing(orderId)) }).toEqual({ path, ...once });
  }
  const { subtasks, item, bots } = await standing(orderId);
  expect(subtasks.map(({ state, attempts }) => [state, attempts])).toEqual([
    ['waiting', 1],
    ['done', expect.any(Number)],
    ['leased', expect.any(Number)],
  ]);
  expect(item).toMatchObject({ state: 'open', incomplete_count: 2, failed_count: 0 });
  expect(bots).toEqual([{ bot_id: 'repeats', packets_count: 7, tasking_count: 3 }]);
  expect(await cell('SELECT count(*) FROM subtasks WHERE order_id = ?', orderId)).toBe(3);
});
