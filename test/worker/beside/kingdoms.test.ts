import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import whole from '../../../migrations/0021_alliances_by_whole_numbers.sql?raw';
import {
  firstDay,
  kingdomRows,
  pruneHistory,
  rankedScans,
  scansSince,
} from '../../../worker/models/boards/board-rows.ts';
import { alliancePage } from '../../../worker/models/kingdoms/alliances.ts';
import {
  boughtHistory,
  governorName,
  governorPage,
  governorsNearId,
  heldHistories,
} from '../../../worker/models/kingdoms/governors.ts';
import { kingdomHistory } from '../../../worker/models/kingdoms/histories.ts';
import { kingdomPage, kingdomsNear, lastScanOf } from '../../../worker/models/kingdoms/kingdoms.ts';
import { isMonitored, monitoredKingdoms, watchedKingdoms } from '../../../worker/models/kingdoms/monitored.ts';
import { movedKingdoms } from '../../../worker/models/kingdoms/moved.ts';
import { outlooksOf, storedOf } from '../../../worker/models/kingdoms/outlook.ts';
import { search } from '../../../worker/models/kingdoms/search.ts';
import { kingdomStanding } from '../../../worker/models/kingdoms/standing.ts';
import { digest, undigested } from '../../../worker/models/scans/digest.ts';
import { daysOfGovernors, historyItem, topGovernors } from '../../../worker/models/scans/history.ts';
import { snapshotBefore, snapshotToCompare, versionsOf } from '../../../worker/models/scans/snapshots.ts';
import { db, insertUser } from '../client.ts';
import { expectAsWritten, insertion } from './changes.ts';
import { at, NOW, TODAY, writeKingdoms } from './kingdoms-world.ts';

/** Calls about one kingdom, governor or alliance show no other's data. */

const TABLES = [
  ['governor_changes', 'game', 'governor_id', 'field', 'captured_at'],
  ['kingdom_days', 'game', 'kingdom_id', 'day'],
  ['kingdoms', 'game', 'kingdom_id'],
  ['alliances', 'game', 'kingdom_id', 'tag'],
  ['search_entries', 'game', 'kind', 'ref'],
  ['setbacks', 'job', 'subject'],
  ['snapshots', 'id'],
] as const;

beforeAll(async () => {
  for (const id of ['me', 'him']) await insertUser({ id, username: id, email: `${id}@example.com` });
});
let isFresh = false;
beforeEach(async () => {
  const wasFresh = isFresh;
  isFresh = false;
  if (!wasFresh) await writeKingdoms();
});

const version = (item_id: string, number: number, captured_at: number, more = {}) =>
  insertion('snapshots', {
    ...{ key: `${item_id} v${number}`, game: 'rok', kingdom_id: 11, captured_at, source: '', rows: 5, bytes: 1 },
    ...{ quality: '{}', item_id, version: number, created_at: 1, ...more },
  });
/** An item that was repaired twice. */
const repaired = (id: string, position: number) =>
  insertion('items', {
    ...{ id, order_id: 1, position, product_id: 'rok-kingdom-scan', game: 'rok', kingdom_id: 11, governors: 100 },
    ...{
      full_profile: 1,
      price_cents: 0,
      details: '{}',
      state: 'done',
      subtask_count: 1,
      incomplete_count: 0,
      version: 3,
    },
  });
const digested = async () => {
  // Kingdom 11, which most cases read, comes last: it may drop only its own entries.
  for (const [game, kingdom_id] of [
    ['rok', 12],
    ['rok', 110],
    ['cod', 11],
    ['rok', 11],
  ] as const)
    await digest(db, env.STORE, { game, kingdom_id, captured_at: at(game === 'rok' && kingdom_id !== 12 ? 0 : -1) });
};
const compared = (captured_at: number, item_id: string | null = null) =>
  snapshotToCompare(db, { game: 'rok', kingdom_id: 11, captured_at, item_id });

const strongest = async (kingdom_id: number, count: number) => {
  const standing = await kingdomStanding(db, 'rok', kingdom_id);
  return standing
    ? topGovernors(await kingdomHistory(db, env.STORE, { game: 'rok', kingdom_id }), standing, count)
    : [];
};

const CASES: Readonly<Record<string, () => Promise<unknown>>> = {
  'a kingdom': () => kingdomPage(db, env.STORE, 'rok', 11, 30),
  'a kingdom over a few days': async () =>
    (await kingdomPage(db, env.STORE, 'rok', 11, 7))?.chart.map(({ day }) => day),
  'a kingdom of the other game': () => kingdomPage(db, env.STORE, 'cod', 11, 30),
  'a kingdom that does not exist': () => kingdomPage(db, env.STORE, 'rok', 13, 30),
  'standings of kingdoms': async () => [
    await kingdomStanding(db, 'rok', 11),
    await kingdomStanding(db, 'cod', 11),
    await kingdomStanding(db, 'cod', 12),
  ],
  'kingdoms near an id': async () => [await kingdomsNear(db, 11), await kingdomsNear(db, 50)],
  'last scans of kingdoms': () =>
    Promise.all(
      (
        [
          ['rok', 11],
          ['rok', 13],
          ['cod', 12],
        ] as const
      ).map(([game, id]) => lastScanOf(db, game, id)),
    ),
  'an alliance': () => alliancePage(db, env.STORE, { game: 'rok', kingdom_id: 11 }, 'A'),
  'an alliance of one governor': () => alliancePage(db, env.STORE, { game: 'rok', kingdom_id: 11 }, 'B'),
  'alliances that do not exist': async () => [
    await alliancePage(db, env.STORE, { game: 'rok', kingdom_id: 11 }, 'C'),
    await alliancePage(db, env.STORE, { game: 'rok', kingdom_id: 13 }, 'A'),
  ],
  'a governor': () => governorPage(db, env.STORE, 'rok', 3, 8),
  'a governor who was read on another day': () => governorPage(db, env.STORE, 'rok', 4, 7),
  'a governor who moved': () => governorPage(db, env.STORE, 'rok', 9, 30),
  'a governor who does not exist': async () => [
    await governorPage(db, env.STORE, 'cod', 5, 8),
    await governorName(db, 'cod', 5),
  ],
  'names of governors': async () => [await governorName(db, 'rok', 9), await governorName(db, 'cod', 9)],
  'governors near an id': async () => [await governorsNearId(db, 5), await governorsNearId(db, 15)],
  'scans with a governor': async () => {
    const page = await governorPage(db, env.STORE, 'rok', 1, 8);
    return page?.scans;
  },
  'a bought history': () =>
    Promise.all(
      (
        [
          ['me', 11],
          ['me', 110],
          ['me', 13],
          ['me', 14],
          ['me', 12],
          ['him', 11],
          ['him', 110],
        ] as const
      ).map(([user, kingdom]) => boughtHistory(db, user, 'rok', { kingdom }, NOW)),
    ),
  'a history of the other game': () => boughtHistory(db, 'me', 'cod', { kingdom: 11 }, NOW),
  'bought histories of a user': async () => [await heldHistories(db, 'me', NOW), await heldHistories(db, 'him', NOW)],
  'monitored kingdoms': () => monitoredKingdoms(db, env.STORE, 'me', NOW),
  'kingdoms that are monitored or not': () =>
    Promise.all(
      (
        [
          ['rok', 11],
          ['rok', 12],
          ['rok', 16],
          ['cod', 18],
          ['cod', 16],
          ['rok', 19],
          ['rok', 20],
        ] as const
      ).map(([game, kingdom]) => isMonitored(db, 'me', game, kingdom, NOW)),
    ),
  'moves since a week ago': async () => movedKingdoms(db, env.STORE, await watchedKingdoms(db, 'me', NOW), at(-7)),
  'moves since the last scan': async () => movedKingdoms(db, env.STORE, await watchedKingdoms(db, 'me', NOW), at(0)),
  'moves since just before the last scan': async () =>
    movedKingdoms(db, env.STORE, await watchedKingdoms(db, 'me', NOW), at(0) - 1),
  'outlooks of kingdoms': () => outlooksOf(db, 'rok', [12, 11, 14, 15], NOW),
  'stored data of kingdoms': () =>
    Promise.all(
      (
        [
          ['rok', 11],
          ['cod', 11],
          ['rok', 13],
        ] as const
      ).map(([game, kingdom_id]) =>
        storedOf(db, env.STORE, game, { kingdom_id, scanned_at: kingdom_id === 13 ? null : 1 }, NOW),
      ),
    ),
  'the strongest governors': async () => [await strongest(11, 9), await strongest(11, 2), await strongest(13, 2)],
  'days of governors': async () =>
    daysOfGovernors(
      await kingdomHistory(db, env.STORE, { game: 'rok', kingdom_id: 11 }),
      [2, 1, 99],
      TODAY.replace('02', '01') as typeof TODAY,
    ).map((day) => Object.values(day)),
  'the item of a history': () => Promise.all(['i5', 'i0', 'none'].map((id) => historyItem(db, id))),
  'versions of an item': async () => {
    await env.DB.batch([
      repaired('v', 90),
      repaired('w', 91),
      version('v', 1, at(-3)),
      env.DB.prepare(`UPDATE items SET snapshot_id = (SELECT id FROM snapshots WHERE key = 'v v1') WHERE id = 'v'`),
      version('v', 2, at(-2)),
      version('w', 3, at(-1)),
      version('v', 3, at(0)),
      env.DB.prepare(
        `UPDATE items SET snapshot_id = (SELECT id FROM snapshots WHERE key = items.id || ' v3') WHERE version = 3`,
      ),
    ]);
    return [
      ...[await snapshotBefore(db, 'v', 3), await snapshotBefore(db, 'v', 1), await versionsOf(db, 'v')],
      ...[await compared(at(0), 'v'), await compared(at(0), 'w'), await compared(at(0)), await compared(at(-8))],
      ...[await compared(at(-6)), await compared(at(-29))],
    ];
  },
  'kingdoms to digest': () => undigested(db, NOW),
  'kingdoms to digest, without failed ones': async () => {
    await insertion('setbacks', { job: 'digest', subject: 'rok 110', tries: 1, begun_at: 1, next_at: NOW + 1 }).run();
    return (await undigested(db, NOW)).map(({ game, kingdom_id }) => [game, kingdom_id]);
  },
  digesting: digested,
  'digesting again after changes': async () => {
    await digested();
    await env.DB.prepare(`UPDATE governors SET name = 'Zed' WHERE governor_id = 1 AND game = 'rok'`).run();
    await env.DB.prepare(`UPDATE kingdom_days SET alliances = ? WHERE kingdom_id = 11 AND game = 'rok'`)
      .bind(JSON.stringify([{ tag: 'A', name: 'New', members: 3, power: 9, score: 1, read: 1 }]))
      .run();
    await digested();
    return [await search(db, 'zed'), await search(db, 'A new'), await search(db, 'B rok'), await search(db, 'rok 1')];
  },
  finding: async () => {
    await digested();
    return Promise.all(['11', '1', 'rok 9', 'cod', '9', 'a rok a', 'nothing', ''].map((query) => search(db, query)));
  },
  'scans for a board': () => rankedScans(db, 'rok', TODAY),
  'scans for a board of an earlier day': () => rankedScans(db, 'rok', TODAY.replace('02', '01') as typeof TODAY),
  'newer scans': async () => [
    await scansSince(db, 'rok', 5),
    await scansSince(db, 'cod', 5),
    await scansSince(db, 'rok', undefined),
  ],
  'the first day': async () => [await firstDay(db, 'rok'), await firstDay(db, 'cod')],
  'a board of kingdoms': async () =>
    (await kingdomRows(db, 'rok', TODAY)).map(
      ({ kingdom_id, timestamp, total_power, player_count, inactive_player_count }) => [
        ...[kingdom_id, timestamp, total_power, player_count, inactive_player_count],
      ],
    ),
  'pruning old history': () => pruneHistory(db, at(83) + 7),
};

it.each(Object.entries(CASES))('%s', async (_, act) => {
  isFresh = !(await expectAsWritten(TABLES, NOW, act));
});

it('lists similar names by their number of typing errors', async () => {
  const named = (governor_id: number, name: string, power: number) =>
    insertion('governors', {
      ...{
        game: 'rok',
        governor_id,
        kingdom_id: 110,
        name,
        alliance_tag: '',
        power,
        profile: '{}',
        captured_at: at(0),
      },
    });
  await env.DB.batch([
    named(31, 'Nightwanderes', 900),
    named(32, 'Nightwandereq', 800),
    named(33, 'Nightwandxxxr', 999),
  ]);
  await env.DB.batch([named(34, 'Nightwandexeq', 990)]);
  await digested();
  expect((await search(db, 'nightwanderer')).governors.map(({ governor_id }) => governor_id)).toEqual([31, 32, 34]);
});

it('a migration repairs alliance entries with a broken kingdom id', async () => {
  const entry = (id: number, kind: string, ref: string) =>
    insertion('search_entries', { id, game: 'rok', kind, ref, name: ref, key: ref, pairs: '' });
  await env.DB.batch([
    ...[entry(1, 'alliance', '11.0:B'), entry(2, 'alliance', '12.0:A.0:C'), entry(3, 'alliance', '13:A.0:C')],
    ...[entry(4, 'governor', '14.0:D'), entry(5, 'alliance', '15.0:E'), entry(6, 'alliance', '15:E')],
  ]);
  for (const statement of whole.split('--> statement-breakpoint')) await env.DB.prepare(statement).run();
  const refs = await env.DB.prepare('SELECT ref FROM search_entries ORDER BY id').raw<[string]>();
  expect(refs.flat()).toEqual(['11:B', '12:A.0:C', '13:A.0:C', '14.0:D', '15:E']);
  await digested();
  expect((await search(db, 'B')).alliances).toMatchObject([{ alliance_tag: 'B', kingdom_id: 11 }]);
});
