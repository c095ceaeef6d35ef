import './page.ts';
import { hashKey, type QueryKey } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import * as admin from '../../web/api/admin.ts';
import { accountsQuery, wholeAccountQuery } from '../../web/api/admin-accounts.ts';
import { adminEventQuery } from '../../web/api/admin-events.ts';
import { adminOrderQuery, adminOrdersQuery, reportsQuery } from '../../web/api/admin-orders.ts';
import { paymentsQuery } from '../../web/api/admin-payments.ts';
import * as watch from '../../web/api/admin-watch.ts';
import { statementQuery } from '../../web/api/balance.ts';
import { boardDaysQuery, boardPartQuery, boardQuery, rowDaysQuery } from '../../web/api/boards.ts';
import { comparedQuery, governorLineQuery } from '../../web/api/compare.ts';
import * as events from '../../web/api/events.ts';
import { ordersQuery } from '../../web/api/orders.ts';
import { outlooksQuery } from '../../web/api/outlooks.ts';
import { allianceQuery, governorQuery, kingdomQuery, searchQuery } from '../../web/api/pages.ts';
import { profileQuery } from '../../web/api/profiles.ts';
import { combinedQuery, pageQuery, rowsQuery } from '../../web/api/results.ts';
import { libraryQuery } from '../../web/api/scans.ts';
import { sharedRowsQuery } from '../../web/api/shares.ts';

/** Each argument of a query is part of its key. Otherwise a page would show the answer to another question. */

const board = { kind: 'governor', game: 'rok', metric: 'power' } as const;
const page = { page: 1, sort: null, ascending: false, rows: 9 };
const [range, later] = [
  { start: 1, end: 2 },
  { start: 1, end: 3 },
] as const;

test.each<[string, { queryKey: QueryKey }[]]>([
  ['accounts', [accountsQuery({}), accountsQuery({ role: 'admin' }), wholeAccountQuery('1'), wholeAccountQuery('2')]],
  ['events of admins', [adminEventQuery('1'), adminEventQuery('2')]],
  [
    'orders of admins',
    [adminOrdersQuery({}), adminOrdersQuery({ kingdom: 1 }), adminOrderQuery(1), adminOrderQuery(2)],
  ],
  ['reports of flaws', [reportsQuery('open'), reportsQuery('answered'), reportsQuery('open', 5)]],
  ['payments', [paymentsQuery({}), paymentsQuery({ before: '1' })]],
  ['activity', [watch.activityQuery({}), watch.activityQuery({ user: 'a' })]],
  [
    'bots',
    [
      ...[admin.botQuery('1'), admin.botQuery('2'), admin.botsQuery({}), admin.botsQuery({ page: 2 })],
      ...[admin.botsQuery({ group: '1' }), admin.botsQuery({ group: '2' })],
    ],
  ],
  ['the statement', [statementQuery({}), statementQuery({ kind: 'charge' })]],
  [
    'boards',
    [
      ...[board, { ...board, kind: 'alliance' as const }, { ...board, game: 'cod' as const }].flatMap((one) => [
        boardQuery(one),
        boardPartQuery(one),
        boardDaysQuery(one),
      ]),
      ...[boardQuery({ ...board, day: '2026-01-01' }), boardQuery({ ...board, metric: 'score' })],
      ...[
        rowDaysQuery(board, 1, '2026-01-01'),
        rowDaysQuery(board, 2, '2026-01-01'),
        rowDaysQuery(board, 1, '2026-01-02'),
      ],
    ],
  ],
  [
    'comparisons',
    [
      ...[comparedQuery({ from: 'a', to: 'b' }), comparedQuery({ from: 'b', to: 'a' }), comparedQuery({ fights: 'a' })],
      ...[governorLineQuery({ game: 'rok', governor: 1 }), governorLineQuery({ game: 'rok', governor: 2 })],
      governorLineQuery({ game: 'cod', governor: 1 }),
    ],
  ],
  [
    'events',
    [
      ...['1', '2'].flatMap((id) => [
        ...[events.eventPageQuery(id, range), events.eventPageQuery(id, later)],
        ...[events.eventTableQuery(id, range), events.eventTableQuery(id, later)],
        ...[events.eventLinesQuery(id, range, ['a']), events.eventLinesQuery(id, range, ['b'])],
        ...[events.eventGovernorQuery(id, range, 1), events.eventGovernorQuery(id, range, 2)],
      ]),
      ...[events.kingdomWarsQuery('rok', 1), events.kingdomWarsQuery('cod', 1), events.kingdomWarsQuery('rok', 2)],
      ...[
        events.allianceWarsQuery('rok', 1, 'A'),
        events.allianceWarsQuery('rok', 1, 'B'),
        events.governorWarsQuery(1),
      ],
    ],
  ],
  ['orders', [ordersQuery(), ordersQuery({ before: 5 })]],
  ['outlooks', [outlooksQuery('a', '1'), outlooksQuery('b', '1'), outlooksQuery('a', '2')]],
  [
    'pages',
    (['rok', 'cod'] as const).flatMap((game) => [
      ...[governorQuery('1', game, '30'), governorQuery('2', game, '30'), governorQuery('1', game, '90')],
      ...[kingdomQuery('1', game, '30'), kingdomQuery('2', game, '30'), kingdomQuery('1', game, '90')],
      ...[allianceQuery('1', 'A', game), allianceQuery('2', 'A', game), allianceQuery('1', 'B', game)],
    ]),
  ],
  ['searches', [searchQuery('a'), searchQuery('b')]],
  [
    'profiles',
    [
      profileQuery('rok', { kind: 'governor', id: 1 }),
      profileQuery('cod', { kind: 'governor', id: 1 }),
      profileQuery('rok', { kind: 'kingdom', id: 1 }),
    ],
  ],
  [
    'rows',
    [
      ...[
        rowsQuery('1', false),
        rowsQuery('2', false),
        rowsQuery('1', true),
        sharedRowsQuery('1'),
        sharedRowsQuery('2'),
      ],
      ...[combinedQuery('1'), combinedQuery('2'), pageQuery('1', page), pageQuery('2', page)],
      ...[pageQuery('1', { ...page, page: 2 }), pageQuery('1', { ...page, sort: 'Power' })],
      pageQuery('1', { ...page, ascending: true }),
    ],
  ],
  ['the library', [libraryQuery({}), libraryQuery({ game: 'rok' })]],
])('%s', (_, queries) => {
  expect(new Set(queries.map(({ queryKey }) => hashKey(queryKey))).size).toBe(queries.length);
});
