import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Task } from '../../domain/fleet/contract.ts';
import { GAME_IDS, GAMES, type GameId } from '../../domain/games/games.ts';
import { MAX_ATTEMPTS } from '../../domain/orders/order.ts';
import { eventually } from '../support/eventually.ts';
import { type Bot, bot, type Caller, columnsFor, lease, newestOrder, scanOf, signedInUser } from './client.ts';
import { rowsWhere } from './payments-client.ts';

/** Broken or malicious bots: what they hand in must neither end work nor invent results. */

const MINUTE_MS = 60_000;

const only = async (worker: Bot): Promise<Task> => {
  const [task, ...others] = await lease(worker, 5);
  if (!task || others.length > 0) throw new Error(`${others.length + (task ? 1 : 0)} tasks where one was expected`);
  return task;
};
const resultOf = (task: Task, more: object = {}) => ({
  subtask_id: task.subtask_id,
  lease: task.lease,
  captured_at: Date.now(),
  source: 'made up',
  columns: columnsFor(task),
  ...more,
});
const handIn = (worker: Bot, results: object[], more: object = {}) =>
  worker.call('POST', '/v1/fleet/rows', { bot_id: worker.name, results, ...more });
const outcomeOf = (answer: { data: { results: { outcome: string }[] } }) => answer.data.results[0]?.outcome;
const say = (worker: Bot, what: string, { subtask_id, lease: held }: Task, more: object) =>
  worker.call('POST', `/v1/fleet/${what}`, { bot_id: worker.name, subtask_id, lease: held, ...more });
const subtaskOf = async ({ subtask_id }: Task) =>
  (await rowsWhere(`SELECT state, attempts, bot_id, empty_by, lease_until FROM subtasks WHERE id = ?`, subtask_id))[0];
/** Moves the queue's clock forward by `ms`. */
const later = (ms: number) =>
  env.DB.prepare(`UPDATE subtasks SET lease_until = lease_until - ? WHERE state = 'waiting'`).bind(ms).run();

async function ordered(governors = 100, game: GameId = 'rok') {
  const user = await signedInUser();
  const [first] = [scanOf([7001], governors)];
  const entry = { ...first, params: { ...first.params } };
  const { status, msg } = await user.call('POST', '/v1/order/create', { orders: [entry] });
  if (status !== 200) throw new Error(msg);
  if (game === 'cod')
    await env.DB.batch([
      env.DB.prepare(`UPDATE subtasks SET game = 'cod' WHERE state = 'waiting'`),
      env.DB.prepare(
        `UPDATE items SET game = 'cod' WHERE id IN (SELECT item_id FROM subtasks WHERE state = 'waiting')`,
      ),
    ]);
  return user;
}

const itemOf = async (user: Caller) => (await newestOrder(user)).items[0];

// All tests share one queue, so each begins with an empty one.
beforeEach(async () => {
  await env.DB.prepare(`UPDATE subtasks SET state = 'done' WHERE state <> 'done'`).run();
});

describe('a repeated hand-in that asks for more', () => {
  it('gets the same lease again without counting an attempt', async () => {
    await ordered(200);
    const worker = await bot();
    const [task] = await lease(worker);
    const again = () => handIn(worker, [resultOf(task as Task)], { next: { games: ['rok'], count: 1 } });
    const { data } = await again();
    const [next] = data.tasks as Task[];
    for (let repeat = 0; repeat < 6; repeat++) {
      const { data: repeated } = await again();
      expect(repeated.tasks).toMatchObject([{ subtask_id: next?.subtask_id }]);
    }
    expect(await subtaskOf(next as Task)).toMatchObject({ state: 'leased', attempts: 1 });
    // Leasing again after the lease expired counts as an attempt.
    await env.DB.prepare(`UPDATE subtasks SET lease_until = 1 WHERE id = ?`).bind(next?.subtask_id).run();
    await again();
    expect(await subtaskOf(next as Task)).toMatchObject({ attempts: 2 });
  });
});

describe('a hand-in after the bot gave its lease back', () => {
  it.each<[string, object]>([
    ['fail', { reason: 'The game does not answer.' }],
    ['prepare', { minutes: 5 }],
  ])('by %s is lost, but is accepted under a new lease', async (what, more) => {
    const user = await ordered();
    const worker = await bot();
    const task = await only(worker);
    expect((await say(worker, what, task, more)).status).toBe(200);
    expect(outcomeOf(await handIn(worker, [resultOf(task)]))).toBe('lost');
    expect(await subtaskOf(task)).toMatchObject({ state: 'waiting' });
    expect(await itemOf(user)).toMatchObject({ state: 'open', incomplete_count: 1 });
    await later(10 * MINUTE_MS);
    const second = await only(worker);
    expect(outcomeOf(await handIn(worker, [resultOf(task)]))).toBe('lost');
    expect(outcomeOf(await handIn(worker, [resultOf(second)]))).toBe('accepted');
  });

  it('does not affect other leases of the bot', async () => {
    await ordered(200);
    const worker = await bot();
    const [one, two] = (await lease(worker, 2)) as [Task, Task];
    await say(worker, 'fail', one, { reason: 'The game does not answer.' });
    const { data } = await handIn(worker, [resultOf(one), resultOf(two)]);
    expect(data.results.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['lost', 'accepted']);
  });
});

describe('the time of a reading', () => {
  it.each(GAME_IDS)('%s: is refused before the game’s release and accepted from then on', async (game) => {
    await ordered(100, game);
    const worker = await bot();
    const task = await only(worker);
    const { name, released } = GAMES[game];
    for (const captured_at of [0, released - 1])
      expect(await handIn(worker, [resultOf(task, { captured_at })])).toMatchObject({
        status: 400,
        msg: expect.stringMatching(`results\\[0\\]: captured_at: ${name} came out on`),
      });
    expect(await subtaskOf(task)).toMatchObject({ state: 'leased' });
    expect(outcomeOf(await handIn(worker, [resultOf(task, { captured_at: released })]))).toBe('accepted');
  });
});

describe('an empty kingdom', () => {
  const none = { columns: {} };

  it('is refunded once a second bot confirms it', async () => {
    const user = await ordered(200);
    const [one, two] = [await bot('one'), await bot('two')];
    const [first, second] = (await lease(one, 2)) as [Task, Task];
    const { data } = await handIn(one, [resultOf(first, none), resultOf(second, none)]);
    expect(data.results.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['unconfirmed', 'accepted']);
    expect(await itemOf(user)).toMatchObject({ state: 'open', incomplete_count: 1 });
    // The ended lease takes neither the same answer again nor rows.
    for (const columns of [{}, columnsFor(first)])
      expect(outcomeOf(await handIn(one, [resultOf(first, { columns })]))).toBe('lost');
    expect(await lease(one)).toEqual([]);
    const taken = await only(two);
    expect(taken.subtask_id).toBe(first.subtask_id);
    expect(outcomeOf(await handIn(two, [resultOf(taken, none)]))).toBe('accepted');
    expect(outcomeOf(await handIn(two, [resultOf(taken, none)]))).toBe('duplicate');
    await eventually(async () => expect((await itemOf(user)).state).toBe('cancelled'));
    const back = await rowsWhere(`SELECT sum(amount_cents) AS left FROM ledger_entries WHERE user_id = ?`, user.id);
    expect(back).toEqual([{ left: 10_000 }]);
  });

  it('is delivered as usual if the second bot finds rows', async () => {
    const user = await ordered();
    const [one, two] = [await bot('one'), await bot('two')];
    await handIn(one, [resultOf(await only(one), none)]);
    expect(outcomeOf(await handIn(two, [resultOf(await only(two))]))).toBe('accepted');
    await eventually(async () => expect((await itemOf(user)).state).toBe('done'));
  });

  it('fails after five attempts if only one bot reports it', async () => {
    const user = await ordered();
    const worker = await bot('alone');
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      expect(outcomeOf(await handIn(worker, [resultOf(await only(worker), none)]))).toBe('unconfirmed');
      await later(10 * MINUTE_MS - 1000);
      expect(await lease(worker)).toEqual([]);
      await later(1000);
    }
    expect(
      await rowsWhere(`SELECT state, attempts FROM subtasks WHERE empty_by IS NOT NULL AND state <> 'done'`),
    ).toEqual([{ state: 'failed', attempts: MAX_ATTEMPTS }]);
    await eventually(async () => expect((await itemOf(user)).state).toBe('failed'));
  });

  it('needs no confirmation for deeper ranks', async () => {
    const user = await ordered(200);
    const worker = await bot();
    const [first, second] = (await lease(worker, 2)) as [Task, Task];
    const { data } = await handIn(worker, [resultOf(first), resultOf(second, none)]);
    expect(data.results.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['accepted', 'accepted']);
    await eventually(async () => expect((await itemOf(user)).state).toBe('done'));
  });
});

describe('columns', () => {
  it('named __proto__ are refused, not silently dropped', async () => {
    await ordered();
    const worker = await bot();
    const task = await only(worker);
    const body = JSON.stringify({ bot_id: worker.name, results: [resultOf(task)] });
    for (const name of ['__proto__', '\\u005f_proto__']) {
      const answer = await worker.call(
        'POST',
        '/v1/fleet/rows',
        body.replace('"columns":{', `"columns":{"${name}":[1],`),
      );
      expect(answer).toMatchObject({ status: 400, msg: expect.stringMatching(/columns: __proto__ cannot be used/) });
    }
    expect(await subtaskOf(task)).toMatchObject({ state: 'leased' });
  });

  it.each(
    GAME_IDS.flatMap((game) =>
      GAMES[game].columns.filter(({ most }) => most).map(({ key, most }) => ({ game, key, most })),
    ),
  )('$game $key: a value above the maximum is refused, naming the row', async ({ game, key, most = 0 }) => {
    const { checkColumns } = await import('../../domain/scans/rows.ts');
    const { roles, governor } = GAMES[game];
    const row: Record<string, (number | string | null)[]> = {
      [roles.id]: [11],
      [roles.kingdom]: [7],
      [roles.name]: ['a'],
      [roles.power]: [1],
    };
    const check = (value: number) => checkColumns(game, { ...row, [key]: [value] }, { kingdom: 7, ranks: 1 });
    const flaw = check(most + 1);
    expect(flaw).toMatch(new RegExp(`^row 1 \\(${governor.one} ${key === roles.id ? most + 1 : 11}\\): ${key}: `));
    expect(flaw).toContain(`${most.toLocaleString('en-US')} at most`);
    if (key !== roles.kingdom) expect(check(most)).toBeNull();
    // The sum of a scan of 5,000 rows is exact enough and fits the database.
    expect(most * 5000 * 100).toBeLessThan(2 ** 63 * 250);
  });
});
