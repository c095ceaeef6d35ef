import { env } from 'cloudflare:workers';
import { beforeEach, expect, it } from 'vitest';
import { eventPayload } from '../../../domain/events/contract.ts';
import {
  dropEventSnapshot,
  eventHead,
  loadedBefore,
  partsOf,
  putEventSnapshot,
  putLoadedFile,
} from '../../../worker/models/events/event-snapshots.ts';
import { editEvent, eventOf, listEvents, markEvent } from '../../../worker/models/events/events.ts';
import {
  beginGathering,
  dueEvents,
  endGathering,
  failGathering,
  gatheringsOf,
  openGatherings,
} from '../../../worker/models/events/gatherings.ts';
import { db } from '../client.ts';
import { eventOf as planOf } from '../events/war.ts';
import { type Cell, expectAsWritten, insertion } from './changes.ts';

/** Events in every state, with snapshots and gatherings: what a call changes, and that it changes nothing else. */

const NOW = 4_000_000_000_000;
const HOUR = 3_600_000;
const START = NOW - 10 * HOUR;

const plan = (more: Record<string, unknown> = {}) =>
  eventPayload.parse(planOf({ start: START, end: NOW + 100 * HOUR, dates: {}, gather: true, ...more }));
/** Events by name: what differs from an open one that is gathered next in an hour. */
const EVENTS: Readonly<Record<string, Readonly<Record<string, Cell>>>> = {
  due: { next_refresh: NOW },
  late: { next_refresh: NOW - 1 },
  ahead: { next_refresh: NOW + 1 },
  closed: { mark: 'closed', next_refresh: NOW },
  archived: { mark: 'archived', next_refresh: NOW },
  running: { next_refresh: NOW },
  again: { next_refresh: NOW },
};
const NAMES = Object.keys(EVENTS);
const idOf = (name: string): number => NAMES.indexOf(name) + 1;
const admin = { id: 'admin', address: '192.0.2.1' };

const TABLES = [
  ['events', 'id'],
  ['event_snapshots', 'event_id', 'ts'],
  ['event_parts', 'event_snapshot_id', 'kingdom_id'],
  ['event_part_versions', 'event_snapshot_id', 'kingdom_id', 'snapshot_id'],
  ['event_files', 'event_id', 'hash'],
  ['event_refreshes', 'event_id', 'due_at'],
  ['orders', 'idempotency_key'],
  ['audit_entries', 'id'],
] as const;

/** Whether the last test changed nothing, so that the next one can use its rows. */
let isFresh = false;
beforeEach(async () => {
  const wasFresh = isFresh;
  isFresh = false;
  if (wasFresh) return;
  const emptied = ['event_files', 'event_part_versions', 'event_parts', 'event_refreshes', 'event_snapshots', 'events'];
  const work = ['subtasks', 'items', 'orders', 'snapshots'];
  const sequences = "'orders', 'event_snapshots', 'event_refreshes'";
  const events = NAMES.map((name) => {
    const about = { game: 'rok', kvk_id: 'K', name, start_at: START, end_at: NOW + 100 * HOUR, created_at: START };
    const text = JSON.stringify(plan({ name }));
    return insertion('events', {
      ...{ id: idOf(name), ...about, updated_at: START, plan: text, next_refresh: NOW + HOUR, ...EVENTS[name] },
    });
  });
  const scan = (id: number, kingdom_id: number, captured_at: number, more = {}) =>
    insertion('snapshots', {
      ...{ id, key: `scan-${id}`, game: 'rok', kingdom_id, captured_at, source: '', rows: 10 * id, bytes: 1 },
      ...{ quality: '{}', created_at: captured_at, ...more },
    });
  // Two snapshots of each of two events, alike except for their scans.
  const snapshots = [
    [1, 'due', START + HOUR, [701, 3], [702, 2, 1], [703, null, 1]],
    [2, 'due', START, [701, 1], [702, 2]],
    [3, 'running', START, [701, 1], [702, null, 1]],
    [4, 'running', START + HOUR, [701, 3, 1]],
  ] as const;
  // Orders 2 and 3 are under way, order 1 has ended.
  const gathered = [
    [1, 'running', NOW - HOUR, 'failed', 1],
    [2, 'running', NOW, 'running', 2],
    [3, 'again', NOW, 'running', 3],
    [4, 'due', NOW - 2 * HOUR, 'failed', null],
    [5, 'due', NOW - HOUR, 'done', null],
  ] as const;
  const items = [1, 2, 3].flatMap((order_id) => [
    insertion('orders', {
      ...{
        id: order_id,
        uuid: `${order_id}`,
        user_id: 'service:events',
        placed_at: NOW,
        total_cents: 0,
        entries: '[]',
      },
      idempotency_key: `old:${order_id}`,
    }),
    ...(['done', 'open', 'failed', 'finishing'] as const).map((state, position) =>
      insertion('items', {
        ...{
          id: `${order_id} ${state}`,
          order_id,
          position,
          product_id: 'rok-kingdom-scan',
          game: 'rok',
          governors: 100,
        },
        ...{ kingdom_id: 701 + position, full_profile: 1, price_cents: 0, details: '{}', subtask_count: 1, state },
        ...{ incomplete_count: 0, snapshot_id: state === 'done' ? 3 + order_id : null },
        error: state === 'failed' ? 'down' : null,
      }),
    ),
  ]);
  await env.DB.batch([
    ...[...emptied, ...work].map((table) => env.DB.prepare(`DELETE FROM ${table}`)),
    env.DB.prepare(`DELETE FROM sqlite_sequence WHERE name IN (${sequences})`),
    ...events,
    ...[scan(1, 701, START), scan(2, 702, START), scan(3, 701, START + HOUR)],
    ...[1, 2, 3].map((order) => scan(3 + order, 701, NOW - order, { item_id: `${order} done` })),
    ...snapshots.flatMap(([id, name, ts, ...parts]) => [
      insertion('event_snapshots', { id, event_id: idOf(name), ts, source: 'bots', created_at: ts }),
      ...parts.map(([kingdom_id, snapshot_id, stands_in = 0]) =>
        insertion('event_parts', { event_snapshot_id: id, kingdom_id, snapshot_id, stands_in }),
      ),
      insertion('event_files', {
        event_id: idOf(name),
        hash: `hash ${ts - START}`,
        event_snapshot_id: id,
        answer: `{"of":${id}}`,
      }),
    ]),
    ...items,
    ...gathered.map(([id, name, due_at, state, order_id]) =>
      insertion('event_refreshes', {
        ...{ id, event_id: idOf(name), due_at, state, order_id, started_at: due_at, deadline: due_at + HOUR / 2 - id },
        ...{ msg: state === 'failed' ? `${name} failed` : '', ended_at: state === 'running' ? null : due_at + 5 },
      }),
    ),
  ]);
});

const read = async (name: string) =>
  (await eventOf(db, idOf(name))) as NonNullable<Awaited<ReturnType<typeof eventOf>>>;
const gatheringOf = async (name: string) => {
  const found = (await openGatherings(db)).find(({ event }) => event.id === idOf(name));
  if (!found) throw new Error(name);
  return found;
};
async function toEach<Answer>(act: (name: string) => Promise<Answer>): Promise<Record<string, Answer>> {
  const answers: Record<string, Answer> = {};
  for (const name of NAMES) answers[name] = await act(name);
  return answers;
}
const parts = [{ kingdom_id: 702, key: 'scan-2' }];
const kingdoms = [701, 702, 704];

const CASES: Readonly<Record<string, () => Promise<unknown>>> = {
  'events to gather': async () => (await dueEvents(db, NOW)).map(({ plan: { name } }) => name),
  'gathering an event': async () => beginGathering(db, await read('due'), NOW, NOW + 3),
  'gathering an event twice': async () => {
    const event = await read('due');
    return [await beginGathering(db, event, NOW, NOW + 3), await beginGathering(db, event, NOW, NOW + 4)];
  },
  'gathering an event that is being gathered': async () => beginGathering(db, await read('running'), NOW + 1, NOW + 3),
  'gatherings under way': async () =>
    (await openGatherings(db)).map(({ id, event, items }) => [
      id,
      event.plan.name,
      items.map(({ item_id, kingdom_id, ended, error, key }) => [item_id, kingdom_id, ended, error, key]),
    ]),
  'ending a gathering': async () =>
    endGathering(db, await gatheringOf('running'), { ts: NOW, parts, msg: 'well' }, NOW + 3),
  'giving up a gathering': async () => failGathering(db, await gatheringOf('running'), 'badly', NOW + 3),
  'gatherings of an event': async () => (await gatheringsOf(db, [idOf('running')])).get(idOf('running')),
  'a snapshot of an existing time': () =>
    putEventSnapshot(db, idOf('due'), { ts: START + HOUR, source: 'other', kingdoms, parts }, NOW + 3),
  'a file for an existing time': () =>
    putLoadedFile(
      db,
      idOf('due'),
      { ts: START + HOUR, hash: 'new', source: 'file', kingdoms, parts, answer: { of: 'file' } },
      admin,
      NOW + 3,
    ),
  'deleting a snapshot': () => dropEventSnapshot(db, idOf('due'), START + HOUR, admin, NOW + 3),
  'deleting a snapshot that does not exist': () => dropEventSnapshot(db, idOf('due'), START + 2 * HOUR, admin, NOW + 3),
  'the head of an event': async () => {
    const { snapshots, failed } = (await eventHead(db, idOf('due'))) ?? {};
    return { snapshots, failed };
  },
  'the head of an event whose last gathering failed': async () => {
    const { snapshots, failed } = (await eventHead(db, idOf('running'))) ?? {};
    return { snapshots, failed };
  },
  'the parts of two snapshots': async () =>
    (await partsOf(db, idOf('due'), [START, START + HOUR]))?.parts.map((part) => Object.values(part)),
  'the parts of one snapshot': async () =>
    (await partsOf(db, idOf('running'), [START + HOUR]))?.parts.map((part) => Object.values(part)),
  'closing each': () => toEach(async (name) => markEvent(db, await read(name), 'close', admin, NOW + 3)),
  'opening each': () => toEach(async (name) => markEvent(db, await read(name), 'reopen', admin, NOW + 3)),
  'editing one': async () =>
    editEvent(db, await read('running'), plan({ name: 'new', kvk_id: 'N', end: NOW + HOUR }), admin, NOW + 3),
};

it.each(Object.entries(CASES))('%s', async (_, act) => {
  isFresh = !(await expectAsWritten(TABLES, NOW, act));
});

it('finds nothing for events that do not exist, and files by event', async () => {
  expect(await eventHead(db, 99)).toBeNull();
  expect(await partsOf(db, 99, [START])).toBeNull();
  expect(await eventOf(db, 99)).toBeNull();
  expect((await listEvents(db, { before: 3 })).map(({ id }) => id)).toEqual([2, 1]);
  expect(await loadedBefore(db, idOf('due'), 'hash 0')).toEqual({ of: 2 });
  expect(await loadedBefore(db, idOf('running'), 'hash 0')).toEqual({ of: 3 });
  expect(await loadedBefore(db, idOf('late'), 'hash 0')).toBeNull();
  expect(await loadedBefore(db, idOf('due'), 'hash')).toBeNull();
});
