import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import type { BotKingdoms, Task } from '../../domain/fleet/contract.ts';
import { queuesOf } from '../../worker/models/service/fleet-troubles.ts';
import { type Answer, type Bot, bot, columnsFor, db, fireCron, lease, scanOf, signedInUser } from './client.ts';

/** Which bot gets which subtask, by the kingdoms that it declares and those that it refused. */

/** A bot that is online; without `kingdoms`, it makes no declaration. */
async function online(kingdoms?: BotKingdoms, name = 'bot-1'): Promise<Bot> {
  const worker = await bot(name);
  await beat(worker, kingdoms);
  return worker;
}
const beat = (worker: Bot, kingdoms?: unknown): Promise<Answer> =>
  worker.call('POST', '/v1/fleet/heartbeat', { bot_id: worker.name, account_game: 'rok', kingdoms });
const kingdomsOf = async (worker: Bot, count = 5): Promise<number[]> =>
  (await lease(worker, count)).map(({ kingdom_id }) => kingdom_id);
async function refuse(worker: Bot, reason = 'Not here.'): Promise<string> {
  const [task] = await lease(worker);
  if (!task) throw new Error('no task to refuse');
  const { subtask_id, lease: held } = task;
  const claim = { bot_id: worker.name, subtask_id, lease: held, reason, permanent: true };
  return (await worker.call('POST', '/v1/fleet/fail', claim)).data.state;
}
async function deliver(worker: Bot): Promise<number> {
  const tasks = await lease(worker, 5);
  const results = tasks.map((task) => ({
    ...{ subtask_id: task.subtask_id, lease: task.lease, captured_at: Date.now(), source: 'made up' },
    columns: columnsFor(task),
  }));
  if (results.length > 0) await worker.call('POST', '/v1/fleet/rows', { bot_id: worker.name, results });
  return tasks.length;
}
async function ordered(kingdoms: number[], governors = 100) {
  const user = await signedInUser();
  await user.call('POST', '/v1/order/create', { orders: [scanOf(kingdoms, governors)] });
  return user;
}
const itemOf = (kingdom: number) =>
  env.DB.prepare(`SELECT state, error, failed_count, incomplete_count FROM items WHERE kingdom_id = ?`)
    .bind(kingdom)
    .first();
const attemptsOf = async (kingdom: number) =>
  (await env.DB.prepare(`SELECT max(attempts) AS most FROM subtasks WHERE kingdom_id = ?`).bind(kingdom).first())?.most;
const lastHeard = (worker: Bot, ago: number) =>
  env.DB.prepare(`UPDATE bots SET last_connected_at = ? WHERE bot_id = ?`)
    .bind(Date.now() - ago, worker.name)
    .run();
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

beforeEach(async () => {
  await env.DB.batch(
    [
      `DELETE FROM bots`,
      `UPDATE subtasks SET state = 'cancelled'`,
      `UPDATE items SET state = 'cancelled' WHERE state <> 'done'`,
    ].map((sql) => env.DB.prepare(sql)),
  );
});

describe('a bot that declares its kingdoms', () => {
  it('is leased only these, in queue order', async () => {
    await ordered([2001, 2002, 2003, 2004]);
    expect(await kingdomsOf(await online({ rok: [2004, 2002, 2999] }))).toEqual([2002, 2004]);
    expect(await kingdomsOf(await online({ cod: 'all' }))).toEqual([]);
    expect(await kingdomsOf(await online({ rok: [], cod: [2001] }))).toEqual([]);
    expect(await kingdomsOf(await online({ rok: 'all' }), 1)).toEqual([2001]);
    expect(await kingdomsOf(await online())).toEqual([2003]);
  });

  it('is leased only these with a hand-in too', async () => {
    await ordered([2011, 2012, 2013]);
    const worker = await online({ rok: [2011, 2013] });
    const [task] = await lease(worker);
    const { data } = await worker.call('POST', '/v1/fleet/rows', {
      bot_id: worker.name,
      results: [
        {
          ...{ subtask_id: task?.subtask_id, lease: task?.lease, captured_at: Date.now(), source: 'made up' },
          columns: columnsFor(task as Task),
        },
      ],
      next: { games: ['rok'], count: 5 },
    });
    expect(data.tasks.map(({ kingdom_id }: Task) => kingdom_id)).toEqual([2013]);
  });

  it('can change its declaration later', async () => {
    await ordered([2021]);
    const worker = await online({ rok: [2099] });
    expect(await kingdomsOf(worker)).toEqual([]);
    await beat(worker, { rok: [2099, 2021] });
    expect(await kingdomsOf(worker)).toEqual([2021]);
  });

  it.each([
    ['a game that does not exist', { chess: 'all' }],
    ['a kingdom that is not a number', { rok: ['many'] }],
    ['kingdom 0', { rok: [0] }],
    ['an unknown word', { rok: 'some' }],
    ['too many kingdoms', { rok: Array(5001).fill(7) }],
  ])('is refused with a message for %s', async (_, kingdoms) => {
    const { status, msg } = await beat(await bot(), kingdoms);
    expect(status).toBe(400);
    expect(msg).toContain('kingdoms');
  });

  it('is leased subtasks that an earlier release created', async () => {
    await ordered([2031]);
    await env.DB.batch([
      env.DB.prepare(`UPDATE subtasks SET state = 'cancelled'`),
      env.DB.prepare(
        `INSERT INTO subtasks (item_id, number, order_id, game, due)
         SELECT id, 7, order_id, game, 1 FROM items WHERE kingdom_id = 2031`,
      ),
    ]);
    expect(await kingdomsOf(await online({ rok: [2031] }))).toEqual([2031]);
  });
});

describe('a refused kingdom', () => {
  it('goes to another bot without counting an attempt, however many refuse it', async () => {
    await ordered([2101], 200);
    const refusing = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => online(undefined, name)));
    const able = await online(undefined, 'able');
    for (const worker of refusing) {
      expect(await refuse(worker)).toBe('waiting');
      expect(await lease(worker)).toEqual([]);
    }
    expect(await attemptsOf(2101)).toBe(0);
    expect(await deliver(able)).toBe(2);
    expect((await itemOf(2101))?.incomplete_count).toBe(0);
  });

  it('fails at once with the reason if no other bot of the last hour can scan it', async () => {
    await ordered([2111], 500);
    const last = await online(undefined, 'last');
    const elsewhere = await online({ rok: [2112] }, 'elsewhere');
    const gone = await online(undefined, 'gone');
    const revoked = await online(undefined, 'revoked');
    await lastHeard(gone, HOUR + 1000);
    await env.DB.prepare(
      `UPDATE bot_groups SET revoked_at = 1 WHERE id = (SELECT group_id FROM bots WHERE bot_id = 'revoked')`,
    ).run();
    expect(await refuse(last, 'Its folder is empty.')).toBe('failed');
    expect(await itemOf(2111)).toMatchObject({
      error: 'Its folder is empty.',
      failed_count: 5,
      incomplete_count: 0,
    });
    for (const worker of [elsewhere, gone, revoked]) expect(await lease(worker)).toEqual([]);
  });

  it('waits for a bot that was online within the hour', async () => {
    await ordered([2121]);
    const away = await online(undefined, 'away');
    await lastHeard(away, HOUR - 10 * MINUTE);
    expect(await refuse(await online(undefined, 'here'))).toBe('waiting');
    await fireCron('* * * * *', Date.now() + 5 * MINUTE);
    expect(await itemOf(2121)).toMatchObject({ state: 'open', failed_count: 0 });
    expect(await deliver(away)).toBe(1);
  });

  it('is offered again after a repair, and after the bot changes its declaration', async () => {
    const user = await ordered([2131]);
    const worker = await online({ rok: [2131] });
    expect(await refuse(worker)).toBe('failed');
    await expect.poll(async () => (await itemOf(2131))?.state).toBe('failed');
    const { data } = await user.call('GET', '/v1/orders/');
    await user.call('POST', `/v1/order/${data.orders[0].order_id}/repair`);
    const other = await online({ rok: 'all' }, 'other');
    expect(await refuse(worker)).toBe('waiting');
    await beat(worker, { rok: [2131] });
    expect(await lease(worker)).toEqual([]);
    await beat(worker, { rok: [2131, 2132] });
    expect(await kingdomsOf(worker)).toEqual([2131]);
    expect(await lease(other)).toEqual([]);
  });

  it('can be refused only by the bot that holds its lease', async () => {
    await ordered([2141]);
    const [holder, other] = [await online(undefined, 'holder'), await online(undefined, 'other')];
    const [task] = await lease(holder);
    const claim = { subtask_id: task?.subtask_id, lease: task?.lease, reason: 'Not here.', permanent: true };
    expect((await other.call('POST', '/v1/fleet/fail', { bot_id: other.name, ...claim })).status).toBe(409);
    expect((await env.DB.prepare(`SELECT count(*) AS n FROM refusals WHERE bot_id LIKE '%/other'`).first())?.n).toBe(0);
    expect(await itemOf(2141)).toMatchObject({ state: 'open', failed_count: 0 });
  });
});

describe('a kingdom that nobody declares', () => {
  it('fails with a reason after five minutes', async () => {
    await ordered([2201, 2202], 200);
    const worker = await online({ rok: [2202] });
    expect(await kingdomsOf(worker)).toEqual([2202, 2202]);
    await fireCron('* * * * *', Date.now() + 4 * MINUTE);
    expect(await itemOf(2201)).toMatchObject({ failed_count: 0 });
    await fireCron('* * * * *', Date.now() + 5 * MINUTE);
    expect(await itemOf(2201)).toMatchObject({
      error: 'No bot that was online in the last hour can scan it.',
      failed_count: 2,
    });
    expect(await itemOf(2202)).toMatchObject({ failed_count: 0, incomplete_count: 2 });
  });

  it('fails too if the only bot that can scan it died with a lease', async () => {
    await ordered([2221], 200);
    const [dead] = [await online({ rok: [2221] }, 'dead'), await online({ rok: [2299] }, 'other')];
    expect(await lease(dead, 5)).toHaveLength(2);
    await lastHeard(dead, HOUR);
    await fireCron('* * * * *', Date.now() + 4 * MINUTE);
    expect((await itemOf(2221))?.incomplete_count).toBe(2);
    const later = Date.now() + 20 * MINUTE;
    expect((await queuesOf(db, ['rok'], later))[0]?.waiting_since).not.toBeNull();
    await fireCron('* * * * *', later);
    expect(await itemOf(2221)).toMatchObject({ failed_count: 2, incomplete_count: 0 });
  });

  it('fails at once if the last bot refuses it while a dead bot has a part of it', async () => {
    await ordered([2231], 300);
    const [dead, last] = [await online(undefined, 'dead'), await online(undefined, 'last')];
    const [[held], [task]] = [await lease(dead), await lease(last)];
    await lastHeard(dead, HOUR);
    await env.DB.prepare('UPDATE subtasks SET lease_until = 1 WHERE id = ?').bind(held?.subtask_id).run();
    const claim = {
      bot_id: last.name,
      subtask_id: task?.subtask_id,
      lease: task?.lease,
      reason: 'No.',
      permanent: true,
    };
    expect((await last.call('POST', '/v1/fleet/fail', claim)).data.state).toBe('failed');
    expect(await itemOf(2231)).toMatchObject({ failed_count: 3, incomplete_count: 0 });
  });

  it.each<[string, number, BotKingdoms]>([
    ['leaves the game out', 2211, { cod: 'all' }],
    ['lists none of the game', 2212, { cod: 'all', rok: [] }],
  ])('waits while every bot online %s', async (_, kingdom, kingdoms) => {
    await ordered([kingdom]);
    await online(kingdoms);
    const late = await online({ rok: [1] }, 'late');
    await lastHeard(late, HOUR);
    await fireCron('* * * * *', Date.now() + 5 * MINUTE);
    expect(await itemOf(kingdom)).toMatchObject({ state: 'open', failed_count: 0 });
  });
});

it('an unreachable kingdom fails alone, and the order keeps its other results', async () => {
  const user = await ordered([2301, 2302]);
  const worker = await online({ rok: [2302] });
  await deliver(worker);
  await fireCron('* * * * *', Date.now() + 5 * MINUTE);
  const { data } = await user.call('GET', '/v1/orders/');
  await expect
    .poll(async () => {
      const { results } = await env.DB.prepare(`SELECT state FROM items WHERE order_id = ? ORDER BY kingdom_id`)
        .bind(data.orders[0].order_id)
        .all();
      return results.map(({ state }) => state);
    })
    .toEqual(['failed', 'done']);
});

describe('an empty lease', () => {
  const askAgain = async (worker: Bot): Promise<number> =>
    (await worker.call('POST', '/v1/fleet/lease', { bot_id: worker.name, games: ['rok'] })).data.ask_again_ms;

  it('tells bots to poll soon while there is work, and later when idle', async () => {
    const [worker, other] = [await online({ rok: [2499] }), await online({ rok: 'all' }, 'other')];
    await ordered([2401]);
    expect(await askAgain(worker)).toBe(5000);
    await deliver(other);
    expect(await askAgain(worker)).toBe(1000);
    const placed = (ago: number) =>
      env.DB.prepare(`UPDATE orders SET placed_at = ?`)
        .bind(Date.now() - ago)
        .run();
    await placed(5 * MINUTE);
    expect(await askAgain(worker)).toBeGreaterThanOrEqual(30_000);
    expect(await askAgain(worker)).toBeLessThan(31_000);
    await placed(24 * HOUR);
    expect(await askAgain(worker)).toBe(240_000);
  });
});
