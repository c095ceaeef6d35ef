import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { KingdomGoals } from '../../../domain/compare/contract.ts';
import type { RosterEntry } from '../../../domain/compare/roster-rules.ts';
import { MAX_ITEM_SHARES, MAX_SHARES } from '../../../domain/orders/contract.ts';
import { addFight, dropFight, fightsOf, rangesOfFights } from '../../../worker/models/compare/fights.ts';
import { goalsOf, keepGoals } from '../../../worker/models/compare/kingdom-goals.ts';
import {
  addReport,
  changeReport,
  dropReport,
  endLink,
  linksOf,
  openLink,
  reportBehind,
  reportOf,
  reportsOf,
} from '../../../worker/models/compare/reports.ts';
import { keepRoster, rosterOf, rosterOver } from '../../../worker/models/compare/rosters.ts';
import {
  beginImport,
  dropImport,
  expiredImports,
  filesToday,
  importOf,
  mappingFor,
  refuseImport,
  rememberStatements,
} from '../../../worker/models/library/imports.ts';
import { expiredScans, hangingOn, removeScan } from '../../../worker/models/library/removal.ts';
import {
  addScans,
  keysOf,
  labelScan,
  libraryOutline,
  listScans,
  ownScansBefore,
  rowsOf,
  type Saved,
  scansFrom,
  scansOf,
} from '../../../worker/models/library/scans.ts';
import { openShare, revokeShare, sharedItem, sharesOf } from '../../../worker/models/orders/shares.ts';
import { db, insertUser } from '../client.ts';
import { expectAsWritten, insertion } from './changes.ts';
import { DAY, HOUR, IMPORTS, NOW, WHO, writeLibrary } from './library-world.ts';

/**
 * Two users with imported and bought scans, and things made of them: what a call shows or changes, and that it
 * touches nothing else.
 */

const TABLES = [
  ['scans', 'id'],
  ['imports', 'id'],
  ['scan_labels', 'user_id', 'scan_id'],
  ['header_mappings', 'user_id', 'headers_hash'],
  ['reports', 'id'],
  ['report_links', 'id'],
  ['fights', 'id'],
  ['rosters', 'user_id', 'game', 'kingdom_id'],
  ['kingdom_goals', 'user_id', 'game', 'kingdom_id'],
  ['share_links', 'id'],
  ['setbacks', 'job', 'subject'],
] as const;

beforeAll(async () => {
  for (const id of [...WHO, 'her']) await insertUser({ id, username: id, email: `${id}@example.com` });
});
/** Whether the last test changed nothing, so that the next one can use its rows. */
let isFresh = false;
beforeEach(async () => {
  const wasFresh = isFresh;
  isFresh = false;
  if (wasFresh) return;
  await writeLibrary(TABLES.map(([table]) => table));
});

const ids = (rows: readonly { scan_id?: string; report_id?: string; fight_id?: string; id?: string }[]) =>
  rows.map((row) => row.scan_id ?? row.report_id ?? row.fight_id ?? row.id);
const listed = async (filter: Parameters<typeof listScans>[2]) => ids((await listScans(db, 'me', filter)).scans);
const edited = async (entries: RosterEntry[]) =>
  keepRoster(
    db,
    'me',
    { game: 'rok', kingdom: 11 },
    {
      before: await rosterOf(db, 'me', 'rok', 11),
      entries,
      entry: { userId: 'me', actor: 'user', action: 'roster.changed' },
    },
    NOW,
  );

const payload = { name: 'New', ranges: [{ from: ['me early'], to: ['me last'] }], settings: {} } as never;
const saving = (scans: readonly (readonly [string, number, number])[], more: Partial<Saved> = {}) =>
  addScans(
    db,
    {
      file: { id: 'me waiting', user_id: 'me', content_hash: 'same' } as Saved['file'],
      scans: scans.map(([id, kingdom_id, hours]) => ({
        ...{ id, game: 'rok', kingdom_id, captured_at: NOW - hours * HOUR, range_from: null, stage: null },
        ...{ key: `${id} key`, source: 's', dialect: 'd', rows: 10, bytes: 1, quality: { ok: 10 } },
      })),
      ...{ remember: null, expires_at: NOW + DAY, rowsKept: 1000, ...more },
    },
    NOW,
  );
const begin = (content_hash: string, more: { name?: string; said?: object; user_id?: string } = {}, most = 9) =>
  beginImport(
    db,
    { user_id: 'me', name: 'file.csv', content_hash, said: {} as never, ...(more as object) },
    most,
    NOW,
  ).then((found) => found?.id ?? null);

const keptGoals = (goals: KingdomGoals) =>
  keepGoals(
    db,
    'me',
    { game: 'rok', kingdom: 11 },
    goals,
    { userId: 'me', actor: 'user', action: 'goals.changed' },
    NOW,
  );

const CASES: Readonly<Record<string, () => Promise<unknown>>> = {
  'the library': () => listed({}),
  'the library of a game': () => listed({ game: 'cod' }),
  'the library of a kingdom': () => listed({ kingdom: 12 }),
  'the library by tag': async () => [
    await listed({ tag: 'war' }),
    await listed({ tag: 'b' }),
    await listed({ tag: 'wa' }),
  ],
  'the library by search words': async () =>
    Promise.all(['AFTER', 'note', 'csv', 'bots', '11', ''].map((search) => listed({ search }))),
  'bought scans of the library': () => listed({ origin: 'bought' }),
  'imported scans of the library': () => listed({ origin: 'imported' }),
  'the next page of the library': () => listed({ before: `${NOW - 10 * HOUR}-me scan` }),
  'the outline of the library': () => libraryOutline(db, 'me'),
  'scans by their ids': async () =>
    ids(await scansOf(db, 'me', ['me late', 'him late', 'me away', 'me history', 'me none', 'me scan', 'me early'])),
  'the scans before given ones': () =>
    ownScansBefore(
      db,
      'me',
      [
        ['rok', 11, 10],
        ['rok', 11, 9],
        ['rok', 11, 30],
        ['rok', 12, 0],
        ['cod', 11, 0],
        ['rok', 11, 0],
      ].map(([game, kingdom_id, hours]) => ({ game, kingdom_id, captured_at: NOW - Number(hours) * HOUR }) as never),
    ),
  'my rows and keys': async () => [
    await rowsOf(db, 'me'),
    await rowsOf(db, 'her'),
    await keysOf(db, 'me', ['me early', 'him late', 'me late']),
    ids(await scansFrom(db, 'me', 'same')),
    ids(await scansFrom(db, 'me', 'other')),
  ],
  'saving scans': () =>
    saving([
      ['n1', 13, 1],
      ['n2', 13, 2],
    ]),
  'saving scans of which some exist': () =>
    saving([
      ['n1', 11, 30],
      ['n2', 13, 2],
    ]),
  'saving within a limit that covers new rows only': async () => {
    const both = [
      ['n1', 11, 30],
      ['n2', 13, 2],
    ] as const;
    return [await saving(both, { rowsKept: 624 }), await saving(both, { rowsKept: 625 })];
  },
  'saving an existing scan when the library is full': () => saving([['n1', 11, 30]], { rowsKept: 0 }),
  'saving a scan of the same time as one of another file': () => saving([['n1', 11, 5]]),
  'saving and remembering the columns': () =>
    saving([['n1', 13, 1]], { remember: { headersHash: 'headers', mapping: { of: 'new' } as never } }),
  'saving as many rows as the limit': () =>
    saving(
      [
        ['n1', 13, 1],
        ['n2', 13, 2],
      ],
      { rowsKept: 635 },
    ),
  'saving more rows than the limit': () =>
    saving(
      [
        ['n1', 13, 1],
        ['n2', 13, 2],
      ],
      { rowsKept: 634 },
    ),
  'saving from a saved file': () =>
    saving([['n1', 13, 1]], { file: { id: 'me saved', user_id: 'me', content_hash: 'same' } as Saved['file'] }),
  'saving from another user’s file': () =>
    saving([['n1', 13, 1]], { file: { id: 'him waiting', user_id: 'me', content_hash: 'same' } as Saved['file'] }),
  'naming a scan': () => labelScan(db, 'me', 'me late', { name: 'New' }),
  'tagging a scan': () => labelScan(db, 'me', 'me late', { tags: ['x'] }),
  'adding a note to a scan': () => labelScan(db, 'me', 'me early', { note: 'New' }),
  'things made of a scan': () => hangingOn(db, 'me', 'me early'),
  'things of which a scan is only the end': () => hangingOn(db, 'me', 'me last'),
  'removing a scan': () => removeScan(db, 'me', 'me early'),
  'removing a bought scan': () => removeScan(db, 'me', 'me scan'),
  'removing another user’s scan': () => removeScan(db, 'me', 'him late'),
  'removing another user’s bought scan': () => removeScan(db, 'me', 'him scan'),
  'expired scans and imports': async () => [ids(await expiredScans(db, NOW)), ids(await expiredImports(db, NOW))],
  'expired scans and imports that wait for no retry': async () => {
    await env.DB.batch([
      insertion('setbacks', { job: 'own scans', subject: 'me other', tries: 1, begun_at: 1, next_at: NOW + 1 }),
      insertion('setbacks', { job: 'unsaved files', subject: 'him over', tries: 1, begun_at: 1, next_at: NOW + 1 }),
    ]);
    return [ids(await expiredScans(db, NOW)), ids(await expiredImports(db, NOW))];
  },
  'importing a waiting file': () => begin('hash waiting'),
  'importing a file that waits half a day at most': () => begin('hash nearly'),
  'importing a waiting file under another name': () => begin('hash waiting', { name: 'new.csv' }),
  'importing a waiting file with other settings': () => begin('hash waiting', { said: { kingdom: 5 } }),
  'importing a file that waits for another user': () => begin('hash waiting', { user_id: 'her' }),
  'importing one file too many': () => begin('new', {}, 3),
  'importing the last file allowed': () => begin('new', {}, 4),
  'an import': async () =>
    Promise.all(
      [...Object.keys(IMPORTS).map((name) => `me ${name}`), 'him waiting'].map(
        async (id) => (await importOf(db, 'me', id, NOW))?.id,
      ),
    ),
  'imports of a day': () => filesToday(db, 'me', NOW),
  'refusing imports': async () => {
    for (const id of ['me waiting', 'me saved', 'him waiting']) await refuseImport(db, 'me', id);
  },
  'dropping imports': async () => {
    for (const id of ['me over', 'me waiting']) await dropImport(db, id, NOW);
  },
  'remembered columns': async () => [
    await mappingFor(db, 'me', 'headers'),
    await mappingFor(db, 'me', 'others'),
    await mappingFor(db, 'her', 'headers'),
  ],
  'replacing remembered columns': () =>
    env.DB.batch(rememberStatements(db, 'me', 'headers', { of: 'new' } as never, NOW)).then(() => null),
  'a report': () => addReport(db, 'me', 'rok', payload, NOW).then(Boolean),
  'changing a report': () => changeReport(db, 'me', 'me of scan', 'rok', payload, NOW),
  'changing another user’s report': () => changeReport(db, 'me', 'him of scan', 'rok', payload, NOW),
  'dropping a report': () => dropReport(db, 'me', 'me of early'),
  'dropping another user’s report': () => dropReport(db, 'me', 'him of early'),
  reports: async () => [
    ids(await reportsOf(db, 'me')),
    (await reportOf(db, 'me', 'me of scan'))?.ranges,
    await reportOf(db, 'me', 'him of scan'),
  ],
  'a link': () => openLink(db, 'me', 'me of early', 3, NOW).then((link) => link?.expires_at),
  'a link to another user’s report': () => openLink(db, 'me', 'him of early', 3, NOW),
  links: async () => [ids(await linksOf(db, 'me', 'me of early', NOW)), await linksOf(db, 'me', 'him of early', NOW)],
  'ending a link': async () => [
    await endLink(db, 'me', { report_id: 'me of early', link_id: 'me open' }, NOW),
    await endLink(db, 'me', { report_id: 'me of early', link_id: 'me open' }, NOW + 1),
    await endLink(db, 'me', { report_id: 'me of early', link_id: 'me open scan' }, NOW),
    await endLink(db, 'me', { report_id: 'him of early', link_id: 'him open' }, NOW),
  ],
  'reports behind links': async () =>
    Promise.all(
      ['me open', 'me open scan', 'me closed', 'me over', 'him open'].map(async (id) => {
        const found = await reportBehind(db, id, NOW);
        return found && [found.report.report_id, found.user_id, found.expires_at];
      }),
    ),
  'a fight': () =>
    addFight(db, 'me', { game: 'rok', name: 'New', from: ['me early'], to: ['me last'] }, NOW).then(Boolean),
  fights: async () =>
    [await fightsOf(db, 'me'), await fightsOf(db, 'me', 'cod')].map((all) =>
      all.map(({ fight_id, from, to }) => [fight_id, ids(from), ids(to)]),
    ),
  'ranges of fights': () => rangesOfFights(db, 'me', ['me of scan', 'him of scan']),
  'dropping fights': async () => [
    await dropFight(db, 'me', 'me of scan'),
    await dropFight(db, 'me', 'him of scan'),
    await dropFight(db, 'me', 'none'),
  ],
  rosters: async () => [
    await rosterOf(db, 'me', 'rok', 11),
    await rosterOf(db, 'me', 'cod', 12),
    await rosterOver(db, 'me', 'rok', [12, 11, 10]),
    await rosterOver(db, 'me', 'cod', [11]),
  ],
  'a roster': () => edited([{ governor_id: 5, role: 'main', main_id: null, note: '' }]),
  'an empty roster': () => edited([]),
  goals: async () => [
    await goalsOf(db, 'me', { game: 'rok', kingdom: 11 }),
    await goalsOf(db, 'me', { game: 'cod', kingdom: 12 }),
  ],
  'other goals': () => keptGoals({ goals: [], farms: 9 }),
  'empty goals': () => keptGoals({ goals: [], farms: null }),
  sharing: async () => [
    (await openShare(db, { itemId: 'me scan', userId: 'me', days: 2 }, NOW))?.expires_at,
    (await openShare(db, { itemId: 'me scan', orderId: 1, userId: 'me', days: 2 }, NOW))?.order_id,
  ],
  shares: async () => [
    ids(await sharesOf(db, 'me', 'me scan', NOW)),
    ids(await sharesOf(db, 'me', '1', NOW)),
    ids(await sharesOf(db, 'me', 'him scan', NOW)),
    ids(await sharesOf(db, 'me', '2', NOW)),
  ],
  'ending shares': async () => {
    const ended = [];
    for (const [itemId, id] of [
      ['me scan', 'me open all'],
      ['1', 'me open'],
      ['him scan', 'him open'],
      ['me scan', 'me closed'],
      ['me scan', 'me open'],
      ['1', 'me open all'],
    ] as const)
      ended.push(await revokeShare(db, { userId: 'me', itemId, id }, NOW));
    return ended;
  },
  'items behind shares': async () =>
    Promise.all(
      ['me open', 'me open all', 'me closed', 'me over', 'him open all'].map(async (id) => {
        const found = await sharedItem(db, id, NOW);
        return found && [found.item.id, found.snapshot?.key, found.order_id, found.expires_at];
      }),
    ),
};

it.each(Object.entries(CASES))('%s', async (_, act) => {
  isFresh = !(await expectAsWritten(TABLES, NOW, act));
});

it('limits links, reports and fights of each user', async () => {
  const many = (count: number, row: (index: number) => D1PreparedStatement) =>
    env.DB.batch(Array.from({ length: count }, (_, index) => row(index)));
  const link = { report_id: 'me of early', user_id: 'me', created_at: 1, expires_at: NOW + 1 };
  await many(18, (index) => insertion('report_links', { id: `more ${index}`, ...link }));
  const open = () => openLink(db, 'me', 'me of early', 1, NOW);
  expect([(await open()) !== null, await open()]).toEqual([true, null]);
  const item = { user_id: 'me', created_at: 1, expires_at: NOW + 1 };
  await many(MAX_ITEM_SHARES - 2, (index) =>
    insertion('share_links', { id: `of ${index}`, item_id: 'me scan', ...item }),
  );
  const share = (itemId: string) => openShare(db, { itemId, userId: 'me', days: 1 }, NOW);
  expect([(await share('me scan')) !== null, await share('me scan')]).toEqual([true, null]);
  // Two of the order and those of the item are open already.
  await many(MAX_SHARES - MAX_ITEM_SHARES - 2, (index) =>
    insertion('share_links', { id: `all ${index}`, item_id: `${index}`, ...item }),
  );
  expect([(await share('me history')) !== null, await share('me history')]).toEqual([true, null]);
  const rest = { user_id: 'me', game: 'rok', name: '', created_at: 1 };
  await many(196, (index) =>
    insertion('reports', { id: `more ${index}`, ...rest, ranges: '[]', settings: '{}', updated_at: 1 }),
  );
  const add = () => addReport(db, 'me', 'rok', payload, NOW);
  expect([(await add()) !== null, await add()]).toEqual([true, null]);
  await many(496, (index) => insertion('fights', { id: `more ${index}`, ...rest, from_scans: '[]', to_scans: '[]' }));
  const fight = () => addFight(db, 'me', { game: 'rok', name: '', from: [], to: [] }, NOW);
  expect([(await fight()) !== null, await fight()]).toEqual([true, null]);
  expect(await fightsOf(db, 'me')).toHaveLength(500);
});
