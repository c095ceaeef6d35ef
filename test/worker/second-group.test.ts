import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { Task } from '../../domain/fleet/contract.ts';
import { bot, columnsFor, scanOf, signedInAdmin, signedInUser } from './client.ts';
import { cell } from './people.ts';

/** The token of one bot group cannot touch the work of another, not even under the same bot names. */

async function leased(kingdom: number) {
  const user = await signedInUser();
  await user.call('POST', '/v1/order/create', { orders: [scanOf([kingdom])] });
  const [own, thief] = [await bot('same-name'), await bot('same-name')];
  const { data } = await own.call('POST', '/v1/fleet/lease', { bot_id: own.name, games: ['rok'], count: 1 });
  const [task] = data.tasks as [Task];
  expect(task.kingdom_id).toBe(kingdom);
  const { subtask_id, lease } = task;
  const rows = {
    bot_id: own.name,
    results: [{ subtask_id, lease, captured_at: Date.now(), source: 'made up', columns: columnsFor(task) }],
  };
  return { own, thief, task, rows, claim: { bot_id: own.name, subtask_id, lease } };
}

const stateOf = (id: number) => cell(`SELECT state FROM subtasks WHERE id = ${id}`);
const attemptsOf = (id: number) => cell(`SELECT attempts FROM subtasks WHERE id = ${id}`);

describe('the token of a second bot group', () => {
  it('cannot hand in, fail or postpone a subtask of the first group’s bot, under any name', async () => {
    const { own, thief, task, rows, claim } = await leased(9301);
    const before = await attemptsOf(task.subtask_id);
    const handed = await thief.call('POST', '/v1/fleet/rows', rows);
    expect(handed.data.results).toEqual([{ subtask_id: task.subtask_id, outcome: 'lost' }]);
    for (const [path, body] of [
      ['/v1/fleet/fail', { ...claim, reason: 'Stolen.', permanent: true }],
      ['/v1/fleet/prepare', { ...claim, minutes: 60 }],
    ] as const) {
      expect([path, (await thief.call('POST', path, body)).status]).toEqual([path, 409]);
    }
    expect([await stateOf(task.subtask_id), await attemptsOf(task.subtask_id)]).toEqual(['leased', before]);
    expect((await own.call('POST', '/v1/fleet/rows', rows)).status).toBe(200);
    expect(await stateOf(task.subtask_id)).toBe('done');
  });

  it('cannot change the status or the file report of the first group’s bot', async () => {
    const { own, thief } = await leased(9302);
    const beat = (who: typeof own, error: string) =>
      who.call('POST', '/v1/fleet/heartbeat', { bot_id: own.name, account_game: 'rok', error });
    await beat(own, 'mine');
    await beat(thief, 'theirs');
    const { results } = await env.DB.prepare(`SELECT error FROM bots WHERE bot_id = ? ORDER BY error`)
      .bind(own.name)
      .all();
    expect(results).toEqual([{ error: 'mine' }, { error: 'theirs' }]);
    expect((await thief.call('GET', '/v1/admin/bots')).status).toBe(404);
    expect((await (await signedInAdmin()).call('GET', '/v1/admin/bots')).status).toBe(200);
  });
});
