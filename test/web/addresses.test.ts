import './page.ts';
import { describe, expect, it } from 'vitest';
import * as balance from '../../web/api/balance.ts';
import * as compare from '../../web/api/compare.ts';
import * as reports from '../../web/api/compare-reports.ts';
import * as events from '../../web/api/events.ts';
import * as results from '../../web/api/results.ts';
import * as rosters from '../../web/api/rosters.ts';
import * as scans from '../../web/api/scans.ts';
import * as security from '../../web/api/security.ts';
import * as shares from '../../web/api/shares.ts';
import { weightsOf, writtenWeights } from '../../web/components/difference/written-weights.ts';
import { eventSearch } from '../../web/components/events/event-search.ts';
import { gameSearch, pageSearch } from '../../web/components/game-search.ts';
import { viewSearch } from '../../web/components/results/search.ts';
import { compareSearch } from '../../web/routes/_signed-in/compare/-compare-search.ts';
import { filterOf, idsIn, scansSearch, toggled } from '../../web/routes/_signed-in/scans/-scans-search.ts';
import { boardSearch, defaultSize, metricFrom } from '../../web/routes/leaderboard/-board-search.ts';
import { searchReader, TABLE } from '../../web/search-params.ts';

/** Parsers of URLs, which anyone may have written: they ignore invalid parts. */

type Reader = (search: Record<string, unknown>) => object;
/** Input and parsed value; undefined if there is none. */
type Rows = Readonly<Record<string, readonly (readonly [unknown, unknown])[]>>;

const FLAG = [
  [true, true],
  ['true', true],
  [1, true],
  ['false', undefined],
  [false, undefined],
  [2, undefined],
  ['', undefined],
] as const;
const TEXT = [
  ['Ash', 'Ash'],
  [12, '12'],
  ['', undefined],
  [null, undefined],
  [['a'], undefined],
] as const;
const FIGURE = [
  [0, 0],
  ['25', 25],
  [1.5, 1.5],
  [-1, undefined],
  ['', undefined],
  [' ', undefined],
  [null, undefined],
  ['x', undefined],
  [Number.POSITIVE_INFINITY, undefined],
] as const;
const WHOLE = [
  [1, 1],
  ['1700000000000', 1_700_000_000_000],
  [0, undefined],
  [-1, undefined],
  [1.5, undefined],
  [2 ** 53, undefined],
  ['', undefined],
  ['now', undefined],
  [{}, undefined],
] as const;
const PAGE = [
  [2, 2],
  ['3', 3],
  [1, undefined],
  [0, undefined],
  [1.5, undefined],
  ['x', undefined],
] as const;
const many = Array.from({ length: 201 }, (_, index) => `T${index}`);

const DIFFERENCE: Rows = {
  q: TEXT,
  camp: TEXT,
  home: TEXT,
  alliance: TEXT,
  power: [
    [1, 1],
    ['40000000', 40_000_000],
    [0, undefined],
    ['', undefined],
    [1.5, undefined],
  ],
  who: [
    ['joined', 'joined'],
    ['gone', 'gone'],
    ['idle', 'idle'],
    ['doubted', 'doubted'],
    ['all', undefined],
  ],
  sort: TEXT,
  ascending: FLAG,
  page: PAGE,
  size: [
    [10, 10],
    ['25', 25],
    [100, 100],
    [50, 50],
    [11, undefined],
  ],
  weights: TEXT,
  open: [
    [1, 1],
    [0, undefined],
    ['x', undefined],
  ],
};

const READERS: Readonly<Record<string, [Reader, Rows]>> = {
  results: [
    viewSearch,
    {
      sort: TEXT,
      ascending: FLAG,
      digits: FLAG,
      flawed: FLAG,
      sums: FLAG,
      q: TEXT,
      columns: [
        ['power,t4', 'power,t4'],
        [Array(100).fill('a').join(), Array(100).fill('a').join()],
        [Array(101).fill('a').join(), undefined],
        ['power,', undefined],
      ],
      alliances: [
        ['ASH', ['ASH']],
        [
          ['ASH', '', 12, 'ASH'],
          ['ASH', '', '12'],
        ],
        [[{}], undefined],
        [many, many.slice(0, 200)],
      ],
      hallFrom: FIGURE,
      hallTo: FIGURE,
      powerFrom: FIGURE,
      powerTo: FIGURE,
      kingdom: FIGURE,
      page: PAGE,
      chart: [
        ['rank', 'rank'],
        ['spread', 'spread'],
        ['kills', 'kills'],
        ['pie', undefined],
      ],
    },
  ],
  boards: [
    boardSearch,
    {
      game: [
        ['cod', 'cod'],
        ['rok', undefined],
        ['chess', undefined],
      ],
      type: [
        ['killpoints', 'killpoints'],
        ['power', undefined],
        ['merits', undefined],
        [5, undefined],
      ],
      day: [
        ['2026-03-01', '2026-03-01'],
        ['constructor', undefined],
      ],
      kingdom: [
        [1001, 1001],
        [-1, undefined],
      ],
      alliance: [
        ['ABC', 'ABC'],
        [7, '7'],
        ['', undefined],
      ],
      powerFrom: [
        [5e6, 5e6],
        [1.5, undefined],
      ],
      powerTo: [
        [0, 0],
        ['many', undefined],
      ],
      row: [
        [42, '42'],
        [{}, undefined],
      ],
      page: PAGE,
      size: [
        [25, 25],
        ['50', 50],
        [100, 100],
        [26, undefined],
      ],
      sort: TEXT,
      ascending: FLAG,
      q: TEXT,
    },
  ],
  comparisons: [
    compareSearch,
    {
      ...DIFFERENCE,
      from: TEXT,
      to: TEXT,
      fights: TEXT,
      goals: TEXT,
      zeroed: TEXT,
      verified: TEXT,
      charts: FLAG,
      farms: [
        [0, 0],
        ['20', 20],
        [100, 100],
        [101, undefined],
        [-1, undefined],
        ['', undefined],
      ],
      off: [
        [5, 5],
        [1000, 1000],
        [1001, undefined],
        [0, undefined],
        [-1, undefined],
      ],
    },
  ],
  scans: [
    scansSearch,
    {
      game: [
        ['rok', 'rok'],
        ['cod', 'cod'],
        ['chess', undefined],
      ],
      of: [
        [1001, 1001],
        ['1', 1],
        [0, undefined],
        [1.5, undefined],
      ],
      tag: TEXT,
      q: TEXT,
      from: TEXT,
      to: TEXT,
      fights: TEXT,
      origin: [
        ['bought', 'bought'],
        ['imported', 'imported'],
        ['stolen', undefined],
      ],
    },
  ],
  reports: [searchReader(TABLE), { q: TEXT, sort: TEXT, ascending: FLAG, page: PAGE }],
  events: [
    eventSearch,
    {
      ...DIFFERENCE,
      tab: [
        [2, 2],
        ['3', 3],
        [1, undefined],
        [4, 4],
        [5, undefined],
      ],
      start: WHOLE,
      end: WHOLE,
      since: WHOLE,
      metric: TEXT,
      embed: FLAG,
    },
  ],
  pages: [
    pageSearch,
    {
      game: [
        ['cod', 'cod'],
        ['rok', undefined],
        ['chess', undefined],
      ],
      days: [
        ['30', '30'],
        [90, '90'],
        ['7', undefined],
        ['8', undefined],
      ],
    },
  ],
};

describe.each(Object.entries(READERS))('the address of %s', (_, [read, rows]) => {
  it('omits empty parameters', () => {
    expect(Object.values(read({})).filter((value) => value !== undefined)).toEqual([]);
  });

  it.each(Object.entries(rows).flatMap(([key, cases]) => cases.map(([given, meant]) => [key, given, meant] as const)))(
    '%s: %j',
    (key, given, meant) => {
      expect((read({ [key]: given }) as Record<string, unknown>)[key]).toEqual(meant);
    },
  );

  it('parses complete parameters', () => {
    expect(Object.keys(read({})).sort()).toEqual(Object.keys(rows).sort());
  });
});

it('a board’s metric must exist in its game, else power applies; kingdom boards have 25 rows a page', () => {
  expect(boardSearch({ game: 'cod', type: 'merits' })).toMatchObject({ game: 'cod', type: 'merits' });
  expect([
    metricFrom('governor', {}),
    metricFrom('governor', { type: 'killpoints' }),
    metricFrom('governor', { game: 'cod', type: 'merits' }),
  ]).toEqual(['power', 'score', 'score']);
  expect([defaultSize('kingdom'), defaultSize('governor'), defaultSize('alliance')]).toEqual([25, 50, 50]);
});

it('the default game is omitted from URLs', () => {
  expect([gameSearch('rok'), gameSearch('cod')]).toEqual([{}, { game: 'cod' }]);
});

it('scans are added to and removed from a URL, and the library filters by its parameters', () => {
  expect(toggled(undefined, 'a')).toBe('a');
  expect(toggled('a', 'b')).toBe('a,b');
  expect(toggled('a,b', 'a')).toBe('b');
  expect(toggled('a', 'a')).toBeUndefined();
  expect([idsIn(undefined), idsIn('a,,b')]).toEqual([[], ['a', 'b']]);
  expect(filterOf({ game: 'cod', of: 7, tag: 't', q: 'x', origin: 'bought', from: 'a' })).toEqual({
    game: 'cod',
    kingdom: 7,
    tag: 't',
    search: 'x',
    origin: 'bought',
  });
});

describe('weights in a URL', () => {
  it.each([
    [undefined, null],
    ['', null],
    ['none', {}],
    ['killcount_t4:10,killcount_t5:-20.5', { killcount_t4: 10, killcount_t5: -20.5 }],
    ['a:1000,b:-1000,c:1001,d:-1001', { a: 1000, b: -1000 }],
    ['A:1,4:1,a', null],
    [
      Array.from({ length: 13 }, (_, index) => `w${index}:1`).join(),
      Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`w${index}`, 1])),
    ],
  ])('%s', (written, weights) => {
    expect(weightsOf(written)).toEqual(weights);
  });

  it('are omitted if they are the defaults, and say so if none counts', () => {
    expect(writtenWeights({ b: 2, a: 1, c: 0 }, { a: 1, b: 2 })).toBeUndefined();
    expect(writtenWeights({ b: 2, a: 3 }, { a: 1, b: 2 })).toBe('a:3,b:2');
    expect(writtenWeights({ a: 0 }, { a: 1 })).toBe('none');
  });
});

describe('download URLs', () => {
  it.each([
    [results.downloadUrl('i 1', 'csv', false), '/v1/order/i%201/download?type=csv'],
    [results.downloadUrl('7', 'xlsx', true), '/v1/order/7/download?type=xlsx&all=true'],
    [shares.sharedFile('', 't/1', 'csv'), '/v1/shared/t%2F1/download?type=csv'],
    [scans.scanFile('s1', 'csv', 'muster'), '/v1/scans/s1/download?type=csv&dialect=muster'],
    [events.eventFile('', '1', { start: 2, end: 3 }, 'csv'), '/v1/dashboards/1/download?type=csv&start=2&end=3'],
    [events.snapshotFile('', '1', 2, 'xlsx'), '/v1/dashboards/1/snapshot/2/download?type=xlsx'],
    [balance.statementAddress({}), '/v1/account/statement/download'],
    [balance.statementAddress({ kind: 'charge', from: undefined }), '/v1/account/statement/download?kind=charge'],
    [balance.receiptAddress('p1'), '/v1/payment/receipt/p1'],
    [rosters.rosterFile('rok', '7'), '/v1/rosters/rok/7/download'],
    [compare.compareFile({ from: 'a', to: 'b' }, 'csv', { t4: '10' }), '/v1/compare/export?type=csv&t4=10&from=a&to=b'],
    [compare.compareFile({ fights: 'f' }, 'png', {}), '/v1/compare/export?type=png&fights=f'],
    [reports.sharedFile('', 't/1', 'text'), '/v1/reports/shared/t%2F1/export?type=text'],
    [security.exportAddress(), '/v1/account/export'],
  ])('%s', (address, expected) => {
    expect(address).toBe(expected);
  });

  it('each game has its own dashboard route', () => {
    expect(events.dashboardPath({ game: 'cod', dashboard_id: 3 })).toEqual({
      to: '/cod-dashboards/$dashboardId',
      params: { dashboardId: '3' },
    });
    expect(events.dashboardPath({ game: 'rok', dashboard_id: 3 }).to).toBe('/dashboards/$dashboardId');
  });
});
