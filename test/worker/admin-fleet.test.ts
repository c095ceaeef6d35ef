import { env } from 'cloudflare:workers';
import parsePrometheusTextFormat from 'parse-prometheus-text-format';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Task } from '../../domain/fleet/contract.ts';
import {
  type Caller,
  caller,
  columnsFor,
  fireCron,
  type Person,
  scanOf,
  settled,
  signedInAdmin,
  signedInUser,
  work,
} from './client.ts';
import { cell } from './people.ts';

/** Fleet administration: groups and tokens, paused bots, their work, and the queues. */

let admin: Person;
beforeAll(async () => {
  admin = await signedInAdmin();
});

const REASON = { reason: 'the game was updated' };
const place = async (user: Person, kingdom: number, governors = 100): Promise<number> =>
  (await user.call('POST', '/v1/order/create', { orders: [scanOf([kingdom], governors)] })).data.order_id;
const group = async (id: string) =>
  (await admin.call('POST', '/v1/admin/groups', { group_id: id, name: `Group ${id}`, ...REASON })).data.token;
const botOf = async (id: string, name = 'one') => {
  const worker = { ...caller({ authorization: `Bearer ${await group(id)}` }), name };
  await worker.call('POST', '/v1/fleet/heartbeat', { bot_id: name, account_game: 'rok' });
  return worker;
};
const ofGroup = async (id: string) =>
  (await admin.call('GET', '/v1/admin/groups')).data.groups.find(
    ({ group_id }: { group_id: string }) => group_id === id,
  );

describe('a group', () => {
  it('is created with a token shown once, and gets a new one on demand', async () => {
    const token = await group('alpha');
    expect(await admin.call('POST', '/v1/admin/groups', { group_id: 'alpha', name: 'x', ...REASON })).toMatchObject({
      ...{ status: 409, msg: 'group_id: exists already.' },
    });
    expect(await admin.call('POST', '/v1/admin/groups', { group_id: 'A B', name: 'x', ...REASON })).toMatchObject({
      ...{ status: 400, msg: expect.stringMatching(/^group_id: /) },
    });
    const beat = { bot_id: 'one', account_game: 'rok' };
    const hello = async (bearer: string) =>
      (await caller({ authorization: `Bearer ${bearer}` }).call('POST', '/v1/fleet/heartbeat', beat)).status;
    const next = (await admin.call('POST', '/v1/admin/groups/alpha/token', REASON)).data.token;
    expect([await hello(next), await hello(token)]).toEqual([200, 401]);
    expect(await ofGroup('alpha')).toMatchObject({ name: 'Group alpha', bot_count: 1, online_count: 1 });
    expect(JSON.stringify(await ofGroup('alpha'))).not.toContain(next);
    expect((await admin.call('POST', '/v1/admin/groups/nobody/token', REASON)).status).toBe(404);
    const actions = `SELECT group_concat(action) FROM audit_entries WHERE subject = 'alpha'`;
    expect(await cell(actions)).toBe('group.added,group.rotated');
  });
});

describe('a paused or retired bot', () => {
  it('gets no work, and the leases of a retired one go to others', async () => {
    const user = await signedInUser();
    const [worker, other] = [await botOf('bravo'), await botOf('charlie')];
    const act = (path: string, body: object = {}) => admin.call('POST', `/v1/admin/${path}`, { ...REASON, ...body });
    await place(user, 7101);
    expect((await act('groups/bravo/pause')).status).toBe(200);
    expect((await act('groups/bravo/pause')).status).toBe(409);
    expect(await work(worker)).toBe(0);
    const { bots } = (await admin.call('GET', '/v1/admin/bots')).data;
    expect(bots['Group bravo'][0]).toMatchObject({ rest: 'group paused', group_id: 'bravo' });
    await act('groups/bravo/resume');
    expect((await act('bots/one/pause', { group_id: 'bravo' })).status).toBe(200);
    expect(await work(worker)).toBe(0);
    await act('bots/one/resume', { group_id: 'bravo' });
    const { tasks } = (await worker.call('POST', '/v1/fleet/lease', { bot_id: 'one', games: ['rok'], count: 5 })).data;
    expect(tasks).toHaveLength(1);
    expect((await admin.call('GET', '/v1/admin/bots/one/work')).data).toContainEqual(
      expect.objectContaining({ group_id: 'bravo', in_hand: [expect.objectContaining({ kingdom_id: 7101 })] }),
    );
    expect(await work(other)).toBe(0);
    expect((await act('bots/one/retire', { group_id: 'bravo' })).status).toBe(200);
    expect(await work(other)).toBe(1);
    expect((await admin.call('GET', '/v1/admin/bots')).data.bots['Group bravo']).toBeUndefined();
    expect((await act('bots/one/retire', { group_id: 'nobody' })).status).toBe(404);
    expect((await act('groups/charlie/retire')).status).toBe(200);
    expect((await ofGroup('charlie')).revoked_at).toEqual(expect.any(Number));
  });

  it.each(['bot', 'group'])('of a retired %s, a fifth attempt goes to others too', async (what) => {
    const user = await signedInUser();
    const id = `delta-${what}`;
    const [worker, other] = [await botOf(id), await botOf(`echo-${what}`)];
    const order = await place(user, 7102);
    await env.DB.prepare('UPDATE subtasks SET attempts = 4 WHERE order_id = ?').bind(order).run();
    await worker.call('POST', '/v1/fleet/lease', { bot_id: 'one', games: ['rok'], count: 1 });
    expect(await cell('SELECT attempts FROM subtasks WHERE order_id = ?', order)).toBe(5);
    const path = what === 'bot' ? 'bots/one/retire' : `groups/${id}/retire`;
    const body = { ...REASON, ...(what === 'bot' && { group_id: id }) };
    expect((await admin.call('POST', `/v1/admin/${path}`, body)).status).toBe(200);
    expect(await work(other)).toBe(1);
  });
});

describe('a retired bot', () => {
  const wish = { bot_id: 'one', games: ['rok'], count: 1 };
  const handIn = async (who: Caller, [task]: Task[]) => {
    const { subtask_id, lease } = task as Task;
    const result = { subtask_id, lease, captured_at: Date.now(), source: 'made up', columns: columnsFor(task as Task) };
    return (await who.call('POST', '/v1/fleet/rows', { bot_id: 'one', results: [result] })).data.results[0].outcome;
  };

  it.each(['bot', 'group'])('cannot hand in what it held before its %s was retired', async (what) => {
    const user = await signedInUser();
    const id = `golf-${what}`;
    const [worker, other] = [await botOf(id), await botOf(`hotel-${what}`)];
    await place(user, 7103);
    const { tasks } = (await worker.call('POST', '/v1/fleet/lease', wish)).data;
    const path = what === 'bot' ? 'bots/one/retire' : `groups/${id}/retire`;
    const body = { ...REASON, ...(what === 'bot' && { group_id: id }) };
    expect((await admin.call('POST', `/v1/admin/${path}`, body)).status).toBe(200);
    // The group's token stays cached for seconds.
    expect((await worker.call('POST', '/v1/fleet/lease', wish)).data.tasks).toEqual([]);
    expect(await handIn(worker, tasks)).toBe('lost');
    expect(await handIn(other, (await other.call('POST', '/v1/fleet/lease', wish)).data.tasks)).toBe('accepted');
    expect((await settled(user)).items[0].state).toBe('done');
  });
});

describe('the state of the fleet', () => {
  it('shows the queue by lane and age, the pace and the reasons of failed attempts', async () => {
    const user = await signedInUser();
    const worker = await botOf('delta');
    const rok = async () => (await admin.call('GET', '/v1/admin/fleet')).data.games[0];
    await work(worker);
    const before = await rok();
    expect(before).toMatchObject({
      game: 'rok',
      lanes: { customers: 0, events: 0 },
      oldest_seconds: null,
      seconds_to_empty: 0,
    });
    const order = await place(user, 7201, 300);
    await env.DB.prepare('UPDATE subtasks SET due = ? WHERE order_id = ? AND number = 0')
      .bind(Date.now() - 2 * 3_600_000, order)
      .run();
    const { tasks } = (await worker.call('POST', '/v1/fleet/lease', { bot_id: 'one', games: ['rok'], count: 1 }))
      .data as {
      tasks: Task[];
    };
    await worker.call('POST', '/v1/fleet/fail', { bot_id: 'one', ...tasks[0], reason: 'No login.' });
    const full = await rok();
    expect(full).toMatchObject({
      lanes: { customers: 3, events: 0 },
      ages: { minute: 2, longer: 1 },
      failed_last_hour: before.failed_last_hour + 1,
    });
    expect(full.oldest_seconds).toBeGreaterThan(7100);
    expect((await admin.call('GET', '/v1/admin/fleet')).data.reasons).toContainEqual({ reason: 'No login.', count: 1 });
    await env.DB.prepare('UPDATE subtasks SET lease_until = 0 WHERE order_id = ?').bind(order).run();
    await work(worker);
    expect((await rok()).done_last_hour).toBe(before.done_last_hour + 3);
    const work_of = (await admin.call('GET', '/v1/admin/bots/one/work')).data.find(
      ({ group_id }: { group_id: string }) => group_id === 'delta',
    );
    expect(work_of).toMatchObject({ done_last_day: 3, failed_last_day: 1, rows_last_hour: 300 });
    expect(work_of.tasks.map(({ done }: { done: boolean }) => done).sort()).toEqual([false, true, true, true]);
    expect((await admin.call('GET', '/v1/admin/bots/nobody/work')).status).toBe(404);
  });

  it('counts only the ordered ranks of a bot’s last part', async () => {
    const worker = await botOf('foxtrot', 'ranks');
    const order = await place(await signedInUser(), 7202, 150);
    const workOf = async () => (await admin.call('GET', '/v1/admin/bots/ranks/work')).data[0];
    await env.DB.prepare('UPDATE subtasks SET due = 0 WHERE order_id = ?').bind(order).run();
    await worker.call('POST', '/v1/fleet/lease', { bot_id: 'ranks', games: ['rok'], count: 2 });
    const ranks = [
      { from_rank: 1, to_rank: 100 },
      { from_rank: 101, to_rank: 150 },
    ];
    const rangesOf = (parts: Task[]) =>
      parts.map(({ from_rank, to_rank }) => ({ from_rank, to_rank })).sort((a, b) => a.from_rank - b.from_rank);
    expect(rangesOf((await workOf()).in_hand)).toEqual(ranks);
    await env.DB.prepare('UPDATE subtasks SET lease_until = 1 WHERE order_id = ?').bind(order).run();
    await work(worker);
    const { tasks, rows_last_hour } = await workOf();
    expect([rangesOf(tasks), rows_last_hour]).toEqual([ranks, 150]);
  });

  it('has the same figures as the metrics', async () => {
    const user = await signedInUser();
    const worker = await botOf('echo');
    const order = await place(user, 7301, 400);
    await env.DB.prepare('UPDATE subtasks SET due = due - 7200000 WHERE order_id = ? AND number = 0').bind(order).run();
    const lease = () => worker.call('POST', '/v1/fleet/lease', { bot_id: 'one', games: ['rok'], count: 1 });
    const [failing] = (await lease()).data.tasks as Task[];
    await worker.call('POST', '/v1/fleet/fail', { bot_id: 'one', ...failing, reason: 'No login.' });
    await lease();
    const { games } = (await admin.call('GET', '/v1/admin/fleet')).data;
    const families = parsePrometheusTextFormat(await (await admin.fetch('/v1/admin/metrics')).text());
    const metric = (name: string, labels: Record<string, string>): number | null => {
      const found = families
        .find((family) => family.name === `muster_${name}`)
        ?.metrics.find((each) => Object.entries(labels).every(([label, value]) => each.labels?.[label] === value));
      return found ? Number(found.value) : null;
    };
    for (const { game, oldest_seconds, ...state } of games) {
      const oldest = metric('queue_oldest_seconds', { game });
      expect({ game, oldest: oldest === null }).toEqual({ game, oldest: oldest_seconds === null });
      if (oldest !== null) expect(Math.abs(oldest - oldest_seconds)).toBeLessThan(30);
      expect({
        bots_online: metric('bots_online', { game }),
        leased: metric('subtasks_leased', { game }),
        done_last_hour: metric('subtasks_done_last_hour', { game }),
        failed_last_hour: metric('attempts_failed_last_hour', { game }),
        lanes: {
          customers: metric('subtasks_queued', { game, lane: 'customers' }),
          events: metric('subtasks_queued', { game, lane: 'events' }),
        },
      }).toEqual({
        ...{ bots_online: state.bots_online, leased: state.leased, lanes: state.lanes },
        ...{ done_last_hour: state.done_last_hour, failed_last_hour: state.failed_last_hour },
      });
    }
    const [rok] = games;
    expect([rok.lanes.customers, rok.leased, rok.failed_last_hour > 0, rok.oldest_seconds > 7100]).toEqual([
      ...[4, 1],
      ...[true, true],
    ]);
    await user.call('POST', `/v1/order/${order}/cancel`);
  });

  it('forgets failed attempts after a month', async () => {
    const insert = (days: number) =>
      env.DB.prepare(
        `INSERT INTO failed_attempts (at, subtask_id, item_id, order_id, game, bot_id, reason) VALUES (?, 1, 'i', 1, 'rok', 'b', ?)`,
      ).bind(Date.now() - days * 86_400_000, `${days} days`);
    await env.DB.batch([insert(31), insert(29)]);
    await fireCron('10 0 * * *');
    expect(await cell(`SELECT group_concat(reason) FROM failed_attempts WHERE reason LIKE '% days'`)).toBe('29 days');
  });
});
