import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { RETURN_AFTER_MS } from '../../../domain/orders/order.ts';
import { refuseKingdom } from '../../../worker/models/fleet/refusals.ts';
import {
  failAbandoned,
  failSubtask,
  handOver,
  hearEmpty,
  leasedBy,
  leaseSubtasks,
  putOff,
} from '../../../worker/models/fleet/subtasks.ts';
import { cancelItems, cancelUnavailable } from '../../../worker/models/orders/cancellations.ts';
import { beginFinishing, endWithoutRows, finishedItems } from '../../../worker/models/orders/finishing.ts';
import { ordersAmong } from '../../../worker/models/orders/orders.ts';
import { repairableItems, repairItem } from '../../../worker/models/orders/repairs.ts';
import { giveUpItem, undeliveredItems } from '../../../worker/models/orders/undelivered.ts';
import { requeueAll } from '../../../worker/models/service/restore.ts';
import { db, insertUser } from '../client.ts';
import { cell } from '../people.ts';
import { type Cell, changesOf, expectAsWritten, insertion } from './changes.ts';

/**
 * An order with an item in every state, its subtasks in every state, and the same for another user: what a call
 * changes, and that it changes nothing else.
 */

const NOW = 5_000_000_000_000;
const MINUTE = 60_000;
const ORIGIN = 'https://muster.test';
const [PLACED, ENDED] = [NOW - 60 * MINUTE, NOW - RETURN_AFTER_MS];

type Fields = Readonly<Record<string, Cell>>;

const done = { state: 'done' };
const waiting = { state: 'waiting' };
const off = { state: 'cancelled' };
const leased = (bot_id: string, lease_until: number, attempts: number) => ({
  ...{ state: 'leased', bot_id, lease_until, attempts },
});
const failed = (error: string) => ({ state: 'failed', error, attempts: 5 });

/** Items by name: whether they have results, their fields, and their subtasks by number. */
const ITEMS: Readonly<Record<string, [hasResults: boolean, fields: Fields, parts: readonly Fields[]]>> = {
  open: [false, { state: 'open' }, [done, waiting, leased('bot', NOW + 500, 1)]],
  mending: [
    true,
    { state: 'open', version: 2, repaired_at: NOW - 10 * MINUTE, error: 'down' },
    [leased('other', NOW + 500, 1), leased('other', NOW, 2), failed('down')],
  ],
  worn: [
    false,
    { state: 'open', preparing_until: NOW + 1 },
    [leased('bot', NOW, 5), { ...waiting, lease_until: NOW + 1 }, done],
  ],
  empty: [
    false,
    { state: 'open' },
    [
      { ...waiting, empty_by: 'bot', lease_until: NOW - 10 * MINUTE + 1, attempts: 1 },
      { ...waiting, empty_by: 'bot', lease_until: NOW - 10 * MINUTE, attempts: 1 },
      { ...leased('bot', NOW + 500, 2), empty_by: 'other' },
    ],
  ],
  ending: [false, { state: 'finishing' }, [done, done, done]],
  again: [true, { state: 'finishing', error: 'down' }, [done, failed('down'), done]],
  part: [true, { state: 'done', finished_at: ENDED, error: 'down' }, [done, failed('down'), done]],
  done: [true, { state: 'done', finished_at: ENDED - 1, repaired_at: NOW - 10 * MINUTE + 1 }, [done, done, done]],
  failed: [
    false,
    { state: 'failed', finished_at: ENDED + 1, error: 'first' },
    [failed('first'), failed('second'), failed('third')],
  ],
  off: [false, { state: 'cancelled', finished_at: ENDED, returned_cents: 150 }, [off, off, off]],
  stored: [true, { state: 'done', finished_at: ENDED }, []],
};
const TABLES = [
  ['items', 'id'],
  ['subtasks', 'item_id', 'number'],
  ['ledger_entries', 'reference'],
] as const;

/** The statements of such an order; `whose` precedes the names of its items. */
function orderOf(user_id: string, id: number, whose: string): D1PreparedStatement[] {
  const uuid = crypto.randomUUID();
  const items = Object.entries(ITEMS).flatMap(([name, [hasResults, fields, parts]], position) => {
    const item_id = `${whose} ${name}`;
    const [kingdom_id, snapshot_id] = [100 * id + position, hasResults ? 100 * id + position : null];
    const count = (...states: string[]) => parts.filter(({ state }) => states.includes(String(state))).length;
    const about = { game: 'rok', kingdom_id };
    const snapshot = {
      ...about,
      captured_at: PLACED,
      source: '',
      rows: 200,
      bytes: 1,
      quality: '{}',
      created_at: PLACED,
    };
    return [
      ...(snapshot_id
        ? [insertion('snapshots', { id: snapshot_id, key: `${item_id}.parquet`, item_id, ...snapshot })]
        : []),
      insertion('items', {
        ...{
          id: item_id,
          order_id: id,
          position,
          product_id: 'rok-kingdom-scan',
          ...about,
          governors: 250,
          full_profile: 1,
        },
        ...{ price_cents: 150, details: '{}', snapshot_id, subtask_count: parts.length },
        ...{ incomplete_count: count('waiting', 'leased'), failed_count: count('failed'), ...fields },
      }),
      ...parts.map((part, number) =>
        insertion('subtasks', {
          ...{
            item_id,
            number,
            order_id: id,
            game: 'rok',
            kingdom_id,
            due: PLACED + 1000 * (3 * position + number),
            ...part,
          },
          ...(part.state === 'leased' ? { lease: `${item_id} ${number}` } : {}),
        }),
      ),
    ];
  });
  const order = { id, uuid, user_id, placed_at: PLACED, total_cents: 0, entries: '[]' };
  return [insertion('orders', order), ...items];
}

let users: string[];

beforeAll(async () => {
  users = [(await insertUser()).id, (await insertUser()).id];
});
/** Whether the last test changed nothing, so that the next one can use its rows. */
let isFresh = false;
beforeEach(async () => {
  const wasFresh = isFresh;
  isFresh = false;
  if (wasFresh) return;
  const emptied = ['subtasks', 'items', 'orders', 'snapshots'].map((table) => env.DB.prepare(`DELETE FROM ${table}`));
  await env.DB.batch([...emptied, ...users.flatMap((user, index) => orderOf(user, index + 1, index ? 'his' : 'my'))]);
});

const partOf = (item: string, number: number) =>
  cell<number>('SELECT id FROM subtasks WHERE item_id = ? AND number = ?', item, number);
const claim = async (item: string, number: number) => ({
  subtask_id: await partOf(item, number),
  lease: `${item} ${number}`,
});
/** Calls `act` for each of my items in turn and returns the answers by name. */
async function toEach<Answer>(act: (item: string) => Promise<Answer>): Promise<Record<string, Answer>> {
  const answers: Record<string, Answer> = {};
  for (const name of Object.keys(ITEMS)) answers[name] = await act(`my ${name}`);
  return answers;
}
const WISH = { bot: 'bot', games: ['rok', 'rok'], count: 20, seconds: 60, idle: false } as const;

const CASES: Readonly<Record<string, () => Promise<unknown>>> = {
  'cancelling the open items of an order': () =>
    cancelItems(db, { orderId: 1, userId: users[0] as string, itemId: null }, NOW),
  'cancelling one item': () => cancelItems(db, { orderId: 1, userId: users[0] as string, itemId: 'my failed' }, NOW),
  'finding that each item is unavailable': () => toEach((item) => cancelUnavailable(db, item, 'why', NOW)),
  'giving up items that were not repaired for a day': async () => {
    const unread = await undeliveredItems(db, NOW);
    const ended = [];
    for (const each of unread.filter(({ order_id }) => order_id === 1))
      ended.push(await giveUpItem(db, each, ORIGIN, NOW));
    return [unread.map(({ item_id, has_results, got }) => [item_id, has_results, got]), ended];
  },
  'giving up a millisecond later': async () => {
    const unread = await undeliveredItems(db, NOW + 1);
    const [mine] = unread.filter(({ item_id }) => item_id === 'my failed');
    return [unread.map(({ item_id }) => item_id), mine && (await giveUpItem(db, mine, ORIGIN, NOW + 1))];
  },
  'giving up all open items a day after their order': async () => {
    const at = PLACED + RETURN_AFTER_MS;
    const early = (await undeliveredItems(db, at - 1)).map(({ item_id }) => item_id);
    const left = (await undeliveredItems(db, at)).filter(({ order_id }) => order_id === 1);
    const ended = [];
    for (const each of left) ended.push((await giveUpItem(db, each, ORIGIN, at))?.item_id);
    return [early, ended];
  },
  'repairing each': () =>
    toEach((item) => repairItem(db, { item: { item_id: item, failed_count: 1 }, badRows: [105] }, NOW)),
  'repairing each without misread rows': () =>
    toEach((item) => repairItem(db, { item: { item_id: item, failed_count: 1 }, badRows: [] }, NOW)),
  'beginning to finish each': async () => {
    const ready = Object.keys(ITEMS).map((name) => ({ item_id: `my ${name}`, version: 1, captured_at: NOW }));
    return Object.fromEntries([...(await beginFinishing(db, ready))].map(([name, { state }]) => [name, state]));
  },
  'ending each without rows': () => toEach((item) => endWithoutRows(db, item, NOW)),
  leasing: async () => (await leaseSubtasks(db, { ...WISH, games: [...WISH.games] }, NOW)).leased.length,
  'leasing by a bot that holds leases': async () =>
    (await leaseSubtasks(db, { ...WISH, games: [...WISH.games], idle: true }, NOW)).leased.length,
  'leasing two': async () => (await leaseSubtasks(db, { ...WISH, games: ['rok'], count: 2 }, NOW)).leased.length,
  'handing in': async () => {
    const parts = [
      await partOf('my open', 2),
      await partOf('my worn', 1),
      await partOf('my failed', 1),
      await partOf('my off', 1),
      // Of an earlier version.
      await partOf('my mending', 1),
    ];
    return handOver(
      db,
      'bot',
      parts.map((id) => ({ id, lease: 'a lease', version: 1 })),
      null,
      NOW,
    );
  },
  'a failure': async () =>
    (await failSubtask(db, 'bot', { ...(await claim('my open', 2)), reason: 'why' }, NOW))?.ended.length,
  'a refusal of the kingdom by the only bot': async () =>
    (await refuseKingdom(db, 'bot', { ...(await claim('my open', 2)), reason: 'why' }, NOW))?.ended.length,
  'a fifth failure': async () =>
    (await failSubtask(db, 'bot', { ...(await claim('my worn', 0)), reason: 'why' }, NOW))?.ended.length,
  'an empty report by one bot': async () => hearEmpty(db, 'bot', await claim('my open', 2), NOW),
  'an empty report by a second bot': async () => hearEmpty(db, 'bot', await claim('my empty', 2), NOW),
  'postponing a subtask': async () => putOff(db, 'bot', { ...(await claim('my worn', 0)), until: NOW + 77 }, NOW),
  'failing abandoned subtasks': async () =>
    (await failAbandoned(db, NOW)).map(({ item_id, error }) => [item_id, error]),
  'requeueing all open work': () => requeueAll(db, NOW),
};
const WRONG: Readonly<
  Record<string, (subtask_id: number) => [bot: string, claim: { subtask_id: number; lease: string }]>
> = {
  'of another bot': (subtask_id) => ['other', { subtask_id, lease: 'my open 2' }],
  'with another lease': (subtask_id) => ['bot', { subtask_id, lease: 'my worn 0' }],
  'for another subtask': (subtask_id) => ['bot', { subtask_id: subtask_id + 1, lease: 'my open 2' }],
};

it.each(Object.entries(CASES))('%s', async (_, act) => {
  isFresh = !(await expectAsWritten(TABLES, NOW, act));
});

it.each(Object.entries(WRONG))('a wrong claim changes nothing: %s', async (_, wrong) => {
  const [bot, wrongly] = wrong(await partOf('my open', 2));
  const changes = await changesOf(TABLES, async () => {
    expect(await leasedBy(db, bot, [{ id: wrongly.subtask_id, lease: wrongly.lease }], NOW + 77)).toEqual([]);
    expect(await failSubtask(db, bot, { ...wrongly, reason: 'why' }, NOW)).toBeNull();
    expect(await refuseKingdom(db, bot, { ...wrongly, reason: 'why' }, NOW)).toBeNull();
    expect(await hearEmpty(db, bot, wrongly, NOW)).toBe('lost');
    expect(await putOff(db, bot, { ...wrongly, until: NOW + 77 }, NOW)).toBeNull();
  });
  expect(changes).toEqual({});
});

it('returns only the named orders that belong to the user', async () => {
  const [mine, his] = users as [string, string];
  await insertion('orders', { id: 3, uuid: 'third', user_id: mine, placed_at: 1, total_cents: 0, entries: '[]' }).run();
  expect(await ordersAmong(db, mine, [2, 1, 9])).toEqual([1]);
  expect((await ordersAmong(db, mine, [3, 1])).sort()).toEqual([1, 3]);
  expect([await ordersAmong(db, his, [1, 3]), await ordersAmong(db, mine, [])]).toEqual([[], []]);
});

it('lists items to finish, items to repair, and leased subtasks', async () => {
  const ids = (found: readonly { item_id: string }[]) => found.map(({ item_id }) => item_id);
  expect(ids(await finishedItems(db, { orderId: 1 }))).toEqual(['my ending', 'my again']);
  expect(ids(await finishedItems(db, { now: NOW }))).toEqual(['my ending', 'my again', 'his ending', 'his again']);
  expect(await repairableItems(db, 1)).toEqual([
    { item_id: 'my part', governors: 250, failed_count: 1, key: 'my part.parquet', quality: '{}' },
    { item_id: 'my done', governors: 250, failed_count: 0, key: 'my done.parquet', quality: '{}' },
    { item_id: 'my failed', governors: 250, failed_count: 3, key: null, quality: null },
  ]);
  const [mine] = await leasedBy(
    db,
    'bot',
    [await claim('my open', 2)].map(({ subtask_id: id, lease }) => ({ id, lease })),
    NOW + 77,
  );
  expect(mine).toMatchObject({
    item_id: 'my open',
    order_id: 1,
    kingdom_id: 100,
    version: 1,
    from_rank: 201,
    ranks: 50,
  });
});
