import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { MAX_BOTS, type Task } from '../../domain/fleet/contract.ts';
import { putFolderReport } from '../../worker/gateways/folder-reports.ts';
import { bot, columnsFor, db, scanOf, signedInAdmin, signedInUser } from './client.ts';
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

/** Limits on what one bot token can make the service store. */

const groupOf = () => cell('SELECT id FROM bot_groups ORDER BY created_at DESC, rowid DESC LIMIT 1');

it('at the bot limit of a token, a new bot replaces the one silent longest', async () => {
  const other = await bot('other');
  await other.call('POST', '/v1/fleet/heartbeat', { bot_id: 'other', account_game: 'rok' });
  const worker = await bot();
  const beat = (bot_id: string) => worker.call('POST', '/v1/fleet/heartbeat', { bot_id, account_game: 'rok' });
  const group = await groupOf();
  await db.$client
    .prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
       INSERT INTO bots (group_id, bot_id, account_game, last_connected_at) SELECT ?1, 'bot-' || i, 'rok', i FROM n`,
    )
    .bind(group, MAX_BOTS)
    .run();
  const count = () => cell(`SELECT count(*) FROM bots WHERE group_id = '${group}'`);
  const isThere = (id: string) => cell(`SELECT count(*) FROM bots WHERE group_id = '${group}' AND bot_id = '${id}'`);
  expect((await beat('bot-1')).status).toBe(200);
  expect((await beat('new')).status).toBe(200);
  expect(await count()).toBe(MAX_BOTS);
  expect(await Promise.all(['bot-1', 'bot-2', 'bot-3', 'new'].map(isThere))).toEqual([1, 0, 1, 1]);
  expect(await cell(`SELECT count(*) FROM bots WHERE bot_id = 'other'`)).toBe(1);
});

it('at the report limit of a token, a new report replaces the oldest', async () => {
  const keyOf = (index: number) => `folder-reports/full/bot-${index}.json`;
  for (let index = 0; index < MAX_BOTS; index += 50)
    await Promise.all(Array.from({ length: 50 }, (_, more) => env.STORE.put(keyOf(index + more), '{}')));
  await putFolderReport(env.STORE, 'full', 'bot-7', []);
  await putFolderReport(env.STORE, 'full', 'new', []);
  const { objects } = await env.STORE.list({ prefix: 'folder-reports/full/' });
  const left = objects.map(({ key }) => key);
  expect(left).toHaveLength(MAX_BOTS);
  expect(left).toEqual(expect.arrayContaining(['folder-reports/full/new.json', keyOf(7), keyOf(MAX_BOTS - 1)]));
});
