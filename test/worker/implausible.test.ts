import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Task } from '../../domain/fleet/contract.ts';
import { MAX_ATTEMPTS } from '../../domain/orders/order.ts';
import { IMPLAUSIBLE_ROWS } from '../../domain/orders/reasons.ts';
import type { WireColumns } from '../../domain/scans/rows.ts';
import { handOver } from '../../worker/models/fleet/subtasks.ts';
import { eventually } from '../support/eventually.ts';
import {
  type Bot,
  bot,
  type Caller,
  columnsFor,
  db,
  newestOrder,
  scanOf,
  signedInAdmin,
  signedInUser,
  work,
} from './client.ts';
import { cell } from './people.ts';

/** Implausible rows are held back, read again by another bot, and shown to admins. */

type Reads = (task: Task) => WireColumns;

beforeEach(async () => {
  await env.DB.batch([
    env.DB.prepare(`UPDATE subtasks SET state = 'done' WHERE state IN ('waiting', 'leased')`),
    env.DB.prepare(`DELETE FROM setbacks`),
  ]);
});

const place = async (user: Caller, kingdom: number, governors = 200): Promise<number> =>
  (await user.call('POST', '/v1/order/create', { orders: [scanOf([kingdom], governors)] })).data.order_id;
const itemOf = async (user: Caller) => (await newestOrder(user)).items[0];
const stateIs = (user: Caller, about: object) =>
  eventually(async () => expect(await itemOf(user)).toMatchObject(about));

/** Lets a bot lease all it can and hand in what it reads. Returns the number of tasks. */
async function reads(worker: Bot, columns: Reads): Promise<number> {
  const wish = { bot_id: worker.name, games: ['rok'], count: 5 };
  const tasks: Task[] = (await worker.call('POST', '/v1/fleet/lease', wish)).data.tasks;
  if (tasks.length === 0) return 0;
  const results = tasks.map((task) => ({
    ...{ subtask_id: task.subtask_id, lease: task.lease, captured_at: Date.now(), source: 'made up' },
    columns: columns(task),
  }));
  const { status, msg } = await worker.call('POST', '/v1/fleet/rows', { bot_id: worker.name, results });
  expect([status, msg]).toEqual([200, undefined]);
  return tasks.length;
}

const garbage: Reads = (task) => {
  const columns = columnsFor(task);
  return { ...columns, name: (columns.name ?? []).map(() => 'AAAA'), power: (columns.power ?? []).map(() => 7) };
};
/** The same kingdom after everybody in it was replaced. */
const others =
  (from: number): Reads =>
  (task) => {
    const columns = columnsFor(task);
    return { ...columns, governor_id: (columns.governor_id as number[]).map((id) => id + from) };
  };
const cut: Reads = (task) => columnsFor(task, 34);

async function scanned(kingdom: number) {
  const user = await signedInUser();
  await place(user, kingdom, 300);
  await work(await bot());
  await stateIs(user, { state: 'done' });
  await place(user, kingdom, 300);
  return user;
}
const powers = (kingdom: number) =>
  env.DB.prepare(`SELECT count(*) AS n, min(power) AS least FROM governors WHERE kingdom_id = ?`).bind(kingdom).first();
const held = async () =>
  (
    await env.DB.prepare(
      `SELECT subject, tries, error FROM setbacks WHERE job = 'implausible rows' ORDER BY begun_at`,
    ).all<{
      subject: string;
      tries: number;
      error: string;
    }>()
  ).results;

describe('implausible rows', () => {
  it('are read again by another bot, and admins see the first bot', async () => {
    const user = await signedInUser();
    await place(user, 73_001);
    const bad = await bot('bad');
    expect(await reads(bad, garbage)).toBe(2);
    await stateIs(user, { state: 'open', incomplete_count: 2 });
    expect(await powers(73_001)).toEqual({ n: 0, least: null });
    expect(await reads(bad, garbage)).toBe(0);
    expect(await reads(await bot('good'), columnsFor)).toBe(2);
    await stateIs(user, { state: 'done', failed_count: 0, error: null, returned: 0 });
    expect(await powers(73_001)).toEqual({ n: 200, least: 99_800_000 });
    const [told] = await held();
    expect(told).toMatchObject({ tries: 2, error: expect.stringContaining("rows have the same name, 'AAAA'") });
    expect(told?.subject).toMatch(/\/bad$/);
    const admin = await signedInAdmin();
    const { setbacks } = (await admin.call('GET', '/v1/admin/setbacks')).data;
    expect(setbacks[0]).toMatchObject({ job: 'implausible rows', by_itself: true });
  });

  it('are read again by the same bot after ten minutes if there is no other', async () => {
    const user = await signedInUser();
    const order = await place(user, 73_004, 700);
    const only = await bot('only');
    expect([await reads(only, garbage), await reads(only, garbage)]).toEqual([5, 2]);
    await stateIs(user, { state: 'open', incomplete_count: 7 });
    expect(await reads(only, columnsFor)).toBe(0);
    await env.DB.prepare('UPDATE subtasks SET lease_until = lease_until - 600000 WHERE order_id = ?').bind(order).run();
    expect([await reads(only, columnsFor), await reads(only, columnsFor)]).toEqual([5, 2]);
    await stateIs(user, { state: 'done', incomplete_count: 0, failed_count: 0 });
    expect(await reads(only, columnsFor)).toBe(0);
    expect(await cell(`SELECT count(*) FROM subtasks WHERE order_id = ${order} AND state <> 'done'`)).toBe(0);
  });

  it('fail the item if every bot returns them and no kingdom can look like that', async () => {
    const user = await signedInUser();
    await place(user, 73_002, 100);
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      expect(await reads(await bot(), garbage)).toBe(1);
      await stateIs(user, attempt < MAX_ATTEMPTS - 1 ? { state: 'open', incomplete_count: 1 } : { state: 'failed' });
    }
    expect(await itemOf(user)).toMatchObject({ has_results: false, error: IMPLAUSIBLE_ROWS });
    expect(await powers(73_002)).toEqual({ n: 0, least: null });
  });

  it('of one part delay only that part, and after the last attempt the others are delivered', async () => {
    const user = await scanned(73_003);
    const partly: Reads = (task) =>
      task.from_rank === 101 ? others(5_000_000 * Math.random())(task) : columnsFor(task);
    const whole: Reads = (task) => {
      const columns = partly(task);
      return { ...columns, governor_id: (columns.governor_id as number[]).map(Math.floor) };
    };
    expect(await reads(await bot(), whole)).toBe(3);
    await stateIs(user, { state: 'open', incomplete_count: 1 });
    for (let attempt = 1; attempt < MAX_ATTEMPTS; attempt++) {
      expect(await reads(await bot(), whole)).toBe(1);
      if (attempt < MAX_ATTEMPTS - 1) await stateIs(user, { state: 'open', incomplete_count: 1 });
    }
    await stateIs(user, { state: 'done', failed_count: 1, has_results: true, error: IMPLAUSIBLE_ROWS });
  });
});

describe('rows unlike the previous scan', () => {
  it('are accepted once another bot reads the same, as after a migration', async () => {
    const user = await scanned(73_010);
    expect(await reads(await bot(), others(5_000_000))).toBe(3);
    await stateIs(user, { state: 'open', incomplete_count: 2 });
    expect(await reads(await bot(), others(5_000_000))).toBe(2);
    await stateIs(user, { state: 'done', returned: 0 });
    expect(await powers(73_010)).toEqual({ n: 600, least: 99_700_000 });
  });

  it('of a truncated file are not delivered', async () => {
    const user = await scanned(73_011);
    expect(await reads(await bot(), cut)).toBe(3);
    await stateIs(user, { state: 'open', incomplete_count: 3 });
    expect(await reads(await bot(), columnsFor)).toBe(3);
    await stateIs(user, { state: 'done', returned: 0, failed_count: 0 });
  });

  it('of a shrunken kingdom are accepted from two bots, with a refund for the rest', async () => {
    const user = await scanned(73_012);
    expect(await reads(await bot(), cut)).toBe(3);
    await stateIs(user, { state: 'open', incomplete_count: 3 });
    expect(await reads(await bot(), cut)).toBe(3);
    await stateIs(user, { state: 'done', returned: 1 });
  });

  it('are held back once, even if the first hand-in ends late', async () => {
    const user = await scanned(73_013);
    const first = await bot('first');
    expect(await reads(first, others(7_000_000))).toBe(3);
    await stateIs(user, { state: 'open', incomplete_count: 2 });
    const { results } = await env.DB.prepare(
      `SELECT subtasks.id FROM subtasks JOIN items ON items.id = item_id WHERE items.kingdom_id = 73013 AND subtasks.state = 'waiting'`,
    ).all<{ id: number }>();
    const [told] = await held();
    // Simulates that the last step of its hand-in runs only now.
    await handOver(
      db,
      told?.subject ?? '',
      results.map(({ id }) => ({ id, lease: 'its first lease', version: 1 })),
      null,
    );
    expect(await itemOf(user)).toMatchObject({ incomplete_count: 2 });
    expect(await reads(await bot(), columnsFor)).toBe(2);
    await stateIs(user, { state: 'done' });
  });
});
