import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Task } from '../../domain/fleet/contract.ts';
import type { WireColumns } from '../../domain/scans/rows.ts';
import { eventually } from '../support/eventually.ts';
import {
  type Bot,
  bot,
  type Caller,
  caller,
  columnsFor,
  fireCron,
  lease,
  newestOrder,
  scanOf,
  signedInUser,
  work,
} from './client.ts';

/** Tasks whose lease expired long ago. */
async function leaseLongAgo(worker: Bot, count = 1): Promise<Task[]> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3_600_000 });
  try {
    return await lease(worker, count);
  } finally {
    vi.useRealTimers();
  }
}

const subtaskId = ({ subtask_id }: Task): number => subtask_id;
const result = (task: Task, columns: WireColumns = columnsFor(task)) => ({
  subtask_id: task.subtask_id,
  lease: task.lease,
  captured_at: Date.now(),
  source: 'made up',
  columns,
});

const handIn = (worker: Bot, ...results: ReturnType<typeof result>[]) =>
  worker.call('POST', '/v1/fleet/rows', { bot_id: worker.name, results });

const first = <Value>(values: Value[]): Value => {
  const [value] = values;
  if (value === undefined) throw new Error('expected at least one');
  return value;
};

const order = async (user: Caller, kingdoms: number[], governors = 100) =>
  (await user.call('POST', '/v1/order/create', { orders: [scanOf(kingdoms, governors)] })).data.order_id as number;

const expireLeases = () => env.DB.prepare(`UPDATE subtasks SET lease_until = 1 WHERE state = 'leased'`).run();

const firstItem = async (user: Caller) => (await newestOrder(user)).items[0];

const itemWhen = (user: Caller, state: string) =>
  eventually(async () => {
    const item = await firstItem(user);
    expect(item.state).toBe(state);
    return item;
  });

// All tests share one queue, so each begins with an empty one.
beforeEach(async () => {
  await env.DB.prepare(`UPDATE subtasks SET state = 'done' WHERE state <> 'done'`).run();
});

describe('a bot', () => {
  it('needs the token of a group', async () => {
    for (const stranger of [caller(), caller({ authorization: 'Bearer nothing-of-ours-at-all' })]) {
      for (const path of ['heartbeat', 'lease', 'rows', 'fail']) {
        const { status, success } = await stranger.call('POST', `/v1/fleet/${path}`, {});
        expect({ path, status, success }).toEqual({ path, status: 401, success: 0 });
      }
    }
  });

  it('sends heartbeats and counts as online', async () => {
    const worker = await bot('steady');
    const beat = {
      bot_id: 'steady',
      account_game: 'rok',
      kingdom_id: 3584,
      governor_id: 7,
      tasking_count: 3,
      error: 'cold',
    };
    expect((await worker.call('POST', '/v1/fleet/heartbeat', beat)).status).toBe(200);
    expect((await worker.call('POST', '/v1/fleet/heartbeat', { ...beat, tasking_count: 4 })).status).toBe(200);
    const { results } = await env.DB.prepare(`SELECT tasking_count, error FROM bots WHERE bot_id = 'steady'`).all();
    expect(results).toEqual([{ tasking_count: 4, error: 'cold' }]);
    expect((await caller().call('GET', '/v1/health')).data.bots_online).toBeGreaterThan(0);
  });

  it('gets a small order early without starving a huge one', async () => {
    const [big, small] = [await signedInUser(), await signedInUser()];
    const huge = await order(big, [11, 12, 13, 14], 500);
    const tiny = await order(small, [21], 100);
    const orders = (await lease(await bot(), 5)).map((task) => task.order_id);
    expect(orders.filter((id) => id === tiny)).toHaveLength(1);
    expect(orders.filter((id) => id === huge)).toHaveLength(4);
  });

  it('gets the ranks and profile of the item, with the last range cut to the order', async () => {
    const user = await signedInUser();
    await user.call('POST', '/v1/order/create', { orders: [scanOf([31], 250, false)] });
    const tasks = await lease(await bot(), 5);
    expect(tasks.map(({ from_rank, to_rank }) => [from_rank, to_rank])).toEqual([
      [1, 100],
      [101, 200],
      [201, 250],
    ]);
    expect(tasks[0]).toMatchObject({ game: 'rok', kingdom_id: 31, full_profile: false });
  });

  it('never gets a subtask that another bot holds', async () => {
    await order(await signedInUser(), [41, 42, 43], 500);
    const bots = await Promise.all([bot('a'), bot('b'), bot('c')]);
    const leased = (await Promise.all(bots.map((worker) => lease(worker, 5)))).flat().map((task) => task.subtask_id);
    expect(new Set(leased).size).toBe(15);
    expect(leased).toHaveLength(15);
  });

  it('changes nothing by handing in twice', async () => {
    const user = await signedInUser();
    await order(user, [51]);
    const worker = await bot();
    const task = first(await lease(worker));
    expect((await handIn(worker, result(task))).data.results).toEqual([
      { subtask_id: task.subtask_id, outcome: 'accepted' },
    ]);
    expect((await handIn(worker, result(task))).data.results).toEqual([
      { subtask_id: task.subtask_id, outcome: 'duplicate' },
    ]);
    await itemWhen(user, 'done');
    const again = await handIn(worker, result(task));
    expect(again.data.results[0].outcome).toBe('duplicate');
    expect((await env.DB.prepare(`SELECT count(*) AS n FROM snapshots WHERE kingdom_id = 51`).first())?.n).toBe(1);
  });

  it('gets its next subtasks with the answer to its rows', async () => {
    await order(await signedInUser(), [55], 400);
    const [worker, other] = [await bot(), await bot('other')];
    const mine = await lease(worker, 1);
    const call = () =>
      worker.call('POST', '/v1/fleet/rows', {
        bot_id: worker.name,
        results: mine.map((task) => result(task)),
        next: { games: ['rok'], count: 2 },
      });
    const lost = await call();
    expect(lost.data.results).toEqual([{ subtask_id: first(mine).subtask_id, outcome: 'accepted' }]);
    // The answer got lost, so the bot repeats the call.
    const { data } = await call();
    expect(data.results[0].outcome).toBe('duplicate');
    expect(data.tasks.map(subtaskId)).toEqual(lost.data.tasks.map(subtaskId));
    expect(data.tasks.map((task: Task) => task.from_rank)).toEqual([101, 201]);
    expect((await lease(other, 5)).map((task) => task.from_rank)).toEqual([301]);
    expect((await handIn(worker, ...data.tasks.map((task: Task) => result(task)))).data).toEqual({
      results: data.tasks.map(({ subtask_id }: Task) => ({ subtask_id, outcome: 'accepted' })),
      tasks: [],
    });
  });

  it('loses an expired lease to another bot, and its late rows are ignored', async () => {
    const user = await signedInUser();
    await order(user, [61]);
    const [dead, living] = [await bot('dead'), await bot('living')];
    const held = await lease(dead);
    expect(await lease(living)).toEqual([]);
    await expireLeases();
    const lost = first(await leaseLongAgo(dead));
    expect(held.map(subtaskId)).toEqual([lost.subtask_id]);
    const taken = first(await lease(living));
    expect(taken.subtask_id).toBe(lost.subtask_id);
    expect((await handIn(dead, result(lost))).data.results[0].outcome).toBe('lost');
    expect((await handIn(living, result(taken))).data.results[0].outcome).toBe('accepted');
    expect(await itemWhen(user, 'done')).toMatchObject({ incomplete_count: 0, failed_count: 0 });
  });

  it('produces one snapshot with every row when another bot finishes at the same time', async () => {
    const user = await signedInUser();
    await order(user, [71], 200);
    const [left, right] = [await bot('left'), await bot('right')];
    const [one, two] = [first(await lease(left)), first(await lease(right))];
    await Promise.all([handIn(left, result(one)), handIn(right, result(two))]);
    const item = await itemWhen(user, 'done');
    const { data } = await user.call('GET', `/v1/order/item/${item.item_id}/`);
    expect(data.rows).toBe(200);
    expect((await env.DB.prepare(`SELECT count(*) AS n FROM snapshots WHERE kingdom_id = 71`).first())?.n).toBe(1);
  });

  it('can hand in late if no other bot took over', async () => {
    await order(await signedInUser(), [82]);
    const slow = await bot('slow');
    const task = first(await leaseLongAgo(slow));
    expect((await handIn(slow, result(task))).data.results[0].outcome).toBe('accepted');
  });

  it('may hand in only what it leased', async () => {
    await order(await signedInUser(), [81], 200);
    const [owner, thief] = [await bot('owner'), await bot('owner')];
    const [task, other] = (await lease(owner, 2)) as [Task, Task];
    const outcomeOf = async (worker: Bot, changes: Partial<ReturnType<typeof result>>) =>
      (await handIn(worker, { ...result(task), ...changes })).data.results[0].outcome;
    const [id, claims = '', mac] = task.lease.split('.');
    const signed = JSON.parse(Buffer.from(claims, 'base64url').toString());
    const forged = (changes: object) =>
      [id, Buffer.from(JSON.stringify({ ...signed, ...changes })).toString('base64url'), mac].join('.');
    expect(await outcomeOf(thief, {})).toBe('lost');
    for (const made of [
      'made up',
      id as string,
      `${id}.${claims}`,
      `${id}.${claims}.`,
      other.lease,
      forged({ lease_until: signed.lease_until + 1 }),
      forged({ key: 'another' }),
      forged({ id: other.subtask_id }),
    ])
      expect({ made, outcome: await outcomeOf(owner, { lease: made }) }).toEqual({ made, outcome: 'lost' });
    expect(await outcomeOf(owner, {})).toBe('accepted');
  });

  it('loses rows that it hands in after the order was cancelled', async () => {
    const user = await signedInUser();
    const id = await order(user, [83], 200);
    const worker = await bot();
    const [one, two] = (await lease(worker, 2)) as [Task, Task];
    await handIn(worker, result(one));
    expect((await user.call('POST', `/v1/order/${id}/cancel`, {})).status).toBe(200);
    expect((await handIn(worker, result(two))).data.results[0].outcome).toBe('lost');
    expect((await firstItem(user)).state).toBe('cancelled');
  });
});

describe('invalid rows are refused by name and not staged', () => {
  const changed = (task: Task, change: (columns: Record<string, (string | number | null)[]>) => void) => {
    const columns = columnsFor(task) as Record<string, (string | number | null)[]>;
    change(columns);
    return columns;
  };
  const set = (key: string, row: number, value: string | number | null) => (columns: Record<string, unknown[]>) => {
    (columns[key] as unknown[])[row] = value;
  };
  const cases: [string, (columns: Record<string, (string | number | null)[]>) => void, RegExp][] = [
    [
      'of another kingdom',
      set('home_kingdom', 4, 92),
      /row 5 \(governor 9100005\): belongs to kingdom 92, the subtask is of 91/,
    ],
    ['with an id twice', set('governor_id', 6, 9_100_001), /row 7 \(governor 9100001\): the id appears twice/],
    ['without an id', set('governor_id', 2, null), /row 3 \(governor without id\): governor_id is missing/],
    ['with a negative power', set('power', 0, -1), /row 1: power: /],
    ['with half a kill', set('killcount_t5', 3, 0.5), /row 4: killcount_t5: /],
    ['with a number past 2^53', set('killpoints', 1, 2 ** 53), /row 2: killpoints: /],
    ['with text for a number', set('deads', 1, 'many'), /row 2: deads: /],
    ['with a name of 300 letters', set('name', 8, 'x'.repeat(300)), /row 9: name: /],
    [
      'with a column too short',
      (columns) => columns.deads?.pop(),
      /column deads has 99 values where governor_id has 100/,
    ],
    ['with an unknown column', (columns) => Object.assign(columns, { gold: columns.power }), /gold/],
  ];

  it.each(cases)('%s', async (_, change, sentence) => {
    const user = await signedInUser();
    await order(user, [91]);
    const worker = await bot();
    const task = first(await lease(worker));
    const { status, msg } = await handIn(worker, result(task, changed(task, change)));
    expect({ status, msg }).toEqual({ status: 400, msg: expect.stringMatching(sentence) });
    expect((await firstItem(user)).incomplete_count).toBe(1);
    expect((await handIn(worker, result(task))).data.results[0].outcome).toBe('accepted');
  });

  it('with more rows than ranks, over 500 rows in a call, or over 1 MB', async () => {
    await order(await signedInUser(), [95], 500);
    const worker = await bot();
    const tasks = await lease(worker, 5);
    const task = first(tasks);
    const tooMany = columnsFor({ ...task, to_rank: task.to_rank + 1 });
    expect((await handIn(worker, result(task, tooMany))).msg).toMatch(/101 rows are more than the 100 ranks/);
    const [head, ...rest] = tasks.map((each) => result(each));
    if (!head) throw new Error('five tasks expected');
    const over = await handIn(worker, { ...head, columns: tooMany }, ...rest);
    expect(over).toMatchObject({ status: 413, msg: '501 rows are more than 500 in one call.' });
    const fat = await worker.call('POST', '/v1/fleet/rows', {
      bot_id: worker.name,
      results: [],
      pad: 'x'.repeat(1_000_001),
    });
    expect(fat.status).toBe(413);
    expect((await handIn(worker, ...tasks.map((each) => result(each)))).status).toBe(200);
  });
});

describe('a subtask that fails', () => {
  const fail = (worker: Bot, task: Task, permanent = false) =>
    worker.call('POST', '/v1/fleet/fail', {
      bot_id: worker.name,
      subtask_id: task.subtask_id,
      lease: task.lease,
      reason: 'Kingdom 101 is not among the scans.',
      permanent,
    });
  const skipBackOff = () => env.DB.prepare(`UPDATE subtasks SET lease_until = 0 WHERE state = 'waiting'`).run();

  it('is tried five times, then its reason reaches the customer', async () => {
    const user = await signedInUser();
    await order(user, [101]);
    const worker = await bot();
    for (let attempt = 1; attempt <= 5; attempt++) {
      const task = first(await lease(worker));
      expect((await fail(worker, task)).data.state).toBe(attempt === 5 ? 'failed' : 'waiting');
      expect(await lease(worker)).toEqual([]);
      await skipBackOff();
    }
    expect(await itemWhen(user, 'failed')).toMatchObject({
      error: 'Kingdom 101 is not among the scans.',
      has_results: false,
      failed_count: 1,
    });
  });

  it('permanently ends at once if no other bot is online, and other results stay', async () => {
    await env.DB.prepare(`DELETE FROM bots`).run();
    const user = await signedInUser();
    await order(user, [102], 200);
    const worker = await bot();
    const [bad, good] = await lease(worker, 2);
    if (!bad || !good) throw new Error('two tasks expected');
    expect((await fail(worker, bad, true)).data.state).toBe('failed');
    await handIn(worker, result(good));
    expect(await itemWhen(user, 'done')).toMatchObject({ failed_count: 1, has_results: true });
  });

  it('can be failed only by the bot that holds it', async () => {
    await order(await signedInUser(), [103]);
    const worker = await bot('holder');
    const task = first(await lease(worker));
    expect((await fail(await bot('other'), task)).status).toBe(409);
    await fail(worker, task, true);
    expect((await fail(worker, task, true)).status).toBe(409);
  });

  it('after five expired leases is ended by the cron', async () => {
    const user = await signedInUser();
    await order(user, [104]);
    const worker = await bot();
    for (let attempt = 1; attempt <= 5; attempt++) {
      expect(await lease(worker)).toHaveLength(1);
      await expireLeases();
    }
    expect(await lease(worker)).toEqual([]);
    await fireCron('* * * * *');
    expect((await itemWhen(user, 'failed')).error).toMatch(/none came back/);
  });
});

it('the cron wakes a Durable Object that missed its call', async () => {
  const user = await signedInUser();
  await order(user, [111]);
  // Simulates a crash between the two writes: D1 knows of the failure, the object does not.
  await env.DB.batch([
    env.DB.prepare(
      `UPDATE subtasks SET state = 'failed', error = 'lost' WHERE item_id IN (SELECT id FROM items WHERE kingdom_id = 111)`,
    ),
    env.DB.prepare(`UPDATE items SET incomplete_count = 0, failed_count = 1 WHERE kingdom_id = 111`),
  ]);
  await fireCron('* * * * *');
  await itemWhen(user, 'failed');
});

it('a kingdom with fewer governors than ordered delivers all it has', async () => {
  const user = await signedInUser();
  await order(user, [121], 500);
  expect(await work(await bot(), 130)).toBe(5);
  const item = await itemWhen(user, 'done');
  expect((await user.call('GET', `/v1/order/item/${item.item_id}/`)).data.rows).toBe(130);
});
