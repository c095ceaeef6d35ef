import './page.ts';
import { hashKey, type QueryKey } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { boardDaysQuery, boardPartQuery, boardQuery, rowDaysQuery } from '../../web/api/boards.ts';
import { governorLineQuery } from '../../web/api/compare.ts';
import * as events from '../../web/api/events.ts';
import { profileQuery } from '../../web/api/profiles.ts';
import { pageQuery, rowsQuery } from '../../web/api/results.ts';

/** Keys made from parts of a parameter contain every part; test/query-keys.test.ts checks whole parameters. */

const board = { kind: 'governor', game: 'rok', metric: 'power' } as const;
const page = { page: 1, sort: null, ascending: false, edition: 1 };
const [range, later] = [
  { start: 1, end: 2 },
  { start: 1, end: 3 },
] as const;

test.each<[string, { queryKey: QueryKey }[]]>([
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
        boardPartQuery({ ...board, order: { field: 'power', ascending: true } }),
        boardPartQuery({ ...board, order: { field: 'power', ascending: false } }),
        boardPartQuery({ ...board, order: { field: 'power', ascending: false }, count: 50 }),
        boardPartQuery({ ...board, order: { field: 'power', ascending: false }, count: 50, part: 1 }),
      ],
      ...[rowDaysQuery(board, 1, '2026-01-01'), rowDaysQuery(board, 2, '2026-01-01')],
    ],
  ],
  [
    'lines of governors',
    [
      ...[governorLineQuery({ game: 'rok', governor: 1 }), governorLineQuery({ game: 'rok', governor: 2 })],
      governorLineQuery({ game: 'cod', governor: 1 }),
    ],
  ],
  [
    'events',
    ['1', '2'].flatMap((id) => [
      ...[events.eventPageQuery(id, range), events.eventPageQuery(id, later), events.eventTableQuery(id, range)],
      ...[events.eventLinesQuery(id, range, ['a']), events.eventLinesQuery(id, range, ['b'])],
    ]),
  ],
  [
    'profiles',
    [
      profileQuery('rok', { kind: 'governor', id: 1 }),
      profileQuery('cod', { kind: 'governor', id: 1 }),
      profileQuery('rok', { kind: 'kingdom', id: 1 }),
    ],
  ],
  [
    'pages of results',
    [
      ...[pageQuery('1', page), pageQuery('2', page), pageQuery('1', { ...page, page: 2 })],
      ...[pageQuery('1', { ...page, sort: 'Power' }), pageQuery('1', { ...page, ascending: true })],
      ...[pageQuery('1', { ...page, edition: 2 }), rowsQuery('1', { all: true, edition: 1 })],
      ...[rowsQuery('1', { all: true, edition: 2 }), rowsQuery('1', { all: false, edition: 1 })],
    ],
  ],
])('keys of %s differ by every part', (_, queries) => {
  expect(new Set(queries.map(({ queryKey }) => hashKey(queryKey))).size).toBe(queries.length);
});
