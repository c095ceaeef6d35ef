import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { configuredSale } from '../../../domain/orders/sale.ts';
import { dueSchedules, runAtOnce, runSchedule } from '../../../worker/models/orders/schedule-runs.ts';
import {
  createSchedule,
  editSchedule,
  endSchedule,
  orderAtOnce,
  pauseSchedule,
  resumeSchedule,
  type Schedule,
  scheduleOf,
  scheduleUnderKey,
} from '../../../worker/models/orders/schedules.ts';
import { tryAgainNow } from '../../../worker/models/service/job-failures.ts';
import { inEnglish } from '../../support/in-english.ts';
import { db, insertUser, scanOf } from '../client.ts';
import { type Cell, expectAsWritten, insertion } from './changes.ts';

/**
 * Schedules in every state, of a user who can pay and of one who cannot: what a call changes, and that it changes
 * nothing else. All are daily and began two days ago.
 */

const NOW = 5_000_000_000_000;
const DAY = 86_400_000;
const START = NOW - 2 * DAY;

const ENTRIES = JSON.stringify([{ type: 'rok-kingdom-scan', params: scanOf([7]).params, price: 0.5 }]);
/** Schedules by name: what differs from an active one whose next run is a day ahead. */
const SCHEDULES: Readonly<Record<string, Readonly<Record<string, Cell>>>> = {
  due: { next_at: NOW },
  ahead: { next_at: NOW + 1 },
  behind: { next_at: NOW - DAY, missed_runs: 3 },
  trying: { trying_for: NOW - DAY, tries: 2, try_at: NOW, next_at: NOW + DAY },
  resting: { trying_for: NOW - DAY, tries: 2, try_at: NOW + 1, next_at: NOW + DAY },
  newer: { trying_for: NOW - DAY, tries: 1, try_at: NOW, next_at: NOW },
  last: { trying_for: NOW - DAY, tries: 1, try_at: NOW, next_at: null, end_at: NOW - DAY },
  worn: { trying_for: NOW - DAY, tries: 5, try_at: NOW, next_at: NOW + DAY },
  missed: { next_at: NOW, missed_runs: 4 },
  refused: { next_at: NOW, entries: ENTRIES.replace('rok-kingdom-scan', 'gone') },
  unready: { next_at: NOW, entries: ENTRIES.replace('rok-kingdom-scan', 'cod-server-scan') },
  paused: { state: 'paused', next_at: NOW - DAY, missed_runs: 5 },
  over: { state: 'paused', next_at: NOW - DAY, end_at: NOW - DAY },
  ended: { state: 'ended', next_at: null },
};
const NAMES = Object.keys(SCHEDULES);
const TABLES = [
  ['schedules', 'id'],
  ['runs', 'schedule_id', 'due_at'],
  ['ledger_entries', 'reference'],
  ['outbox', 'reference'],
  ['setbacks', 'job', 'subject'],
] as const;

let rich: string;
let poor: string;
/** Ids start at 101 for the user who can pay, and at 201 for the one who cannot. */
const idOf = (name: string, whose = 100): number => whose + NAMES.indexOf(name) + 1;

beforeAll(async () => {
  [rich, poor] = [
    (await insertUser({ email: 'rich@example.com' })).id,
    (await insertUser({ email: 'poor@example.com' })).id,
  ];
});
/** Whether the last test changed nothing, so that the next one can use its rows. */
let isFresh = false;
beforeEach(async () => {
  const wasFresh = isFresh;
  isFresh = false;
  if (wasFresh) return;
  const emptied = ['runs', 'schedules', 'subtasks', 'items', 'orders', 'outbox', 'setbacks'];
  const schedules = [rich, poor].flatMap((user_id, index) =>
    NAMES.map((name) => {
      const id = idOf(name, 100 * (index + 1));
      const times = { start_at: START, end_at: null, period: 'day', interval: 1, next_at: NOW + DAY };
      return insertion('schedules', { id, user_id, created_at: START, entries: ENTRIES, ...times, ...SCHEDULES[name] });
    }),
  );
  const entry = { user_id: rich, amount_cents: 500, kind: 'top_up', reference: crypto.randomUUID(), created_at: START };
  await env.DB.batch([
    ...emptied.map((table) => env.DB.prepare(`DELETE FROM ${table}`)),
    env.DB.prepare(`DELETE FROM sqlite_sequence WHERE name = 'orders'`),
    ...schedules,
    insertion('ledger_entries', entry),
    insertion('setbacks', { job: 'schedule', subject: '101', tries: 1, begun_at: START, next_at: NOW, error: 'e' }),
    insertion('setbacks', { job: 'schedule', subject: '201', tries: 1, begun_at: START, next_at: NOW, error: 'e' }),
    insertion('setbacks', { job: 'other', subject: '101', tries: 1, begun_at: START, next_at: NOW, error: 'e' }),
  ]);
});

const read = async (name: string, user = rich): Promise<Schedule> => {
  const found = await scheduleOf(db, user, idOf(name, user === rich ? 100 : 200));
  if (!found) throw new Error(name);
  return found;
};
/** Calls `act` for each of the user's schedules in turn and returns the answers by name. */
async function toEach<Answer>(
  act: (schedule: Schedule) => Promise<Answer>,
  user = rich,
): Promise<Record<string, Answer>> {
  const answers: Record<string, Answer> = {};
  for (const name of NAMES) answers[name] = await act(await read(name, user));
  return answers;
}
const ran = (schedule: Schedule): Promise<unknown> =>
  runSchedule(db, inEnglish, schedule, configuredSale('rok-kingdom-scan'), NOW).catch((error: Error) => error.message);
const times = { start_at: NOW + 5, end_at: NOW + 9 * DAY, period: 'hour', interval: 3 } as const;

const CASES: Readonly<Record<string, () => Promise<unknown>>> = {
  'schedules that are due': async () => (await dueSchedules(db, NOW)).map(({ id }) => NAMES[(id % 100) - 1]),
  'running each of a user who can pay': () => toEach(ran),
  'running each of a user who cannot pay': () => toEach(ran, poor),
  'pausing each': () => toEach(({ id, user_id }) => pauseSchedule(db, user_id, id)),
  'resuming each': () => toEach((schedule) => resumeSchedule(db, schedule, NOW)),
  'ending each': () => toEach(({ id, user_id }) => endSchedule(db, user_id, id)),
  'editing each': () => toEach((schedule) => editSchedule(db, schedule, { recurrence: times, next_at: NOW + 5 })),
  'retrying a failed one': () =>
    tryAgainNow(db, { job: 'schedule', subject: '101' }, { id: 'admin', address: '' }, NOW + 7),
  'retrying one that waits for its next try': async () => {
    await env.DB.prepare(`UPDATE setbacks SET subject = ? WHERE subject = '101'`)
      .bind(String(idOf('resting')))
      .run();
    return tryAgainNow(
      db,
      { job: 'schedule', subject: String(idOf('resting')) },
      { id: 'admin', address: '' },
      NOW + 7,
    );
  },
};

it.each(Object.entries(CASES))('%s', async (_, act) => {
  isFresh = !(await expectAsWritten(TABLES, NOW, act));
});

it('refuses changes based on an outdated read', async () => {
  const stale = {
    start_at: NOW - 3 * DAY,
    end_at: NOW + 3 * DAY,
    period: 'week',
    interval: 2,
  } as const;
  const paused = await read('paused');
  for (const [name, value] of Object.entries(stale))
    expect([name, await resumeSchedule(db, { ...paused, [name]: value }, NOW)]).toEqual([name, false]);
  const due = await read('due');
  const edit = (before: Schedule) => editSchedule(db, before, { recurrence: times, next_at: NOW + 5 });
  expect(await edit({ ...due, next_at: NOW - 1 })).toBe(false);
  expect(await edit({ ...due, state: 'paused' })).toBe(false);
  // If two runs are concurrent, one places the order.
  const before = await read('trying');
  expect(await Promise.all([ran(before), ran(before)])).toEqual(expect.arrayContaining(['placed', 'skipped']));
  for (const change of [{ next_at: NOW }, { trying_for: NOW - 2 * DAY }])
    expect([change, await ran({ ...(await read('worn')), ...change })]).toEqual([change, 'skipped']);
  expect(await read('due')).toEqual(due);
  expect(await read('paused')).toEqual(paused);
});

it('a run whose schedule ends meanwhile charges nothing', async () => {
  await env.DB.exec(
    `CREATE TRIGGER ends AFTER UPDATE OF trying_for ON schedules WHEN NEW.trying_for IS NOT NULL
    BEGIN UPDATE schedules SET state = 'ended', next_at = NULL WHERE id = NEW.id; END`.replaceAll('\n', ' '),
  );
  const balance = () => env.DB.prepare('SELECT balance_cents FROM users WHERE id = ?').bind(rich).first();
  const before = await balance();
  expect([await ran(await read('due')), await ran(await read('refused'))]).toEqual(['skipped', 'skipped']);
  await env.DB.exec('DROP TRIGGER ends');
  expect(await balance()).toEqual(before);
  for (const table of ['orders', 'runs', 'outbox'])
    expect([table, await env.DB.prepare(`SELECT count(*) AS rows FROM ${table}`).first()]).toEqual([
      table,
      { rows: 0 },
    ]);
});

it('each user has one schedule per key, and none under the key of an order', async () => {
  const recurrence = { start_at: NOW + 3 * DAY, end_at: null, period: 'day', interval: 1 } as const;
  const make = (userId: string, key: string | null, requestHash = 'h') =>
    createSchedule(db, { userId, entries: [], recurrence, idempotencyKey: key, requestHash }, NOW);
  const [mine, his] = [await make(rich, 'key'), await make(poor, 'key')];
  expect([mine.outcome, his.outcome]).toEqual(['kept', 'kept']);
  expect(await make(rich, 'key')).toEqual(mine);
  expect(await make(rich, 'key', 'another')).toEqual({ outcome: 'key_reused' });
  const idUnder = async (user: string, key: string) => (await scheduleUnderKey(db, user, key))?.id;
  expect(await idUnder(rich, 'key')).toBe(mine.outcome === 'kept' && mine.schedule.id);
  expect(await idUnder(poor, 'key')).toBe(his.outcome === 'kept' && his.schedule.id);
  expect(await idUnder(poor, 'other')).toBeUndefined();
  await insertion('orders', {
    ...{ id: 5, uuid: crypto.randomUUID(), user_id: poor, placed_at: 0, total_cents: 0, entries: '[]' },
    idempotency_key: 'placed',
  }).run();
  expect((await make(rich, 'placed')).outcome).toBe('kept');
  expect(await make(poor, 'placed')).toEqual({ outcome: 'key_reused' });
});

it('a schedule that runs at once does so once, and leads to its order', async () => {
  const recurrence = { start_at: NOW, end_at: null, period: 'day', interval: 1 } as const;
  const make = async (userId: string) => {
    const entries = JSON.parse(ENTRIES);
    const made = await createSchedule(db, { userId, entries, recurrence, idempotencyKey: null, requestHash: '' }, NOW);
    if (made.outcome !== 'kept') throw new Error(made.outcome);
    return made.schedule;
  };
  const [one, two] = [await make(rich), await make(rich)];
  await Promise.all([
    runAtOnce(db, inEnglish, one, configuredSale('rok-kingdom-scan'), NOW),
    runAtOnce(db, inEnglish, one, configuredSale('rok-kingdom-scan'), NOW),
  ]);
  const first = await orderAtOnce(db, one);
  expect(first).toEqual({ order_id: expect.any(Number), order_uuid: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  expect(await orderAtOnce(db, two)).toBeNull();
  expect(await orderAtOnce(db, { ...one, created_at: NOW - 1 })).toBeNull();
  await runAtOnce(db, inEnglish, { ...two, state: 'paused' }, configuredSale('rok-kingdom-scan'), NOW);
  await runAtOnce(db, inEnglish, two, configuredSale('rok-kingdom-scan'), NOW - 1);
  expect(await orderAtOnce(db, two)).toBeNull();
  await runAtOnce(db, inEnglish, two, configuredSale('rok-kingdom-scan'), NOW);
  expect(await orderAtOnce(db, two)).not.toEqual(first);
  expect(await env.DB.prepare('SELECT count(*) AS count FROM orders').first()).toEqual({ count: 2 });
});
