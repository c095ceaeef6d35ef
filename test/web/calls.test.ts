import './page.ts';
import type { QueryFunctionContext } from '@tanstack/react-query';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import * as account from '../../web/api/account.ts';
import * as admin from '../../web/api/admin.ts';
import * as adminEvents from '../../web/api/admin-events.ts';
import * as adminOrders from '../../web/api/admin-orders.ts';
import { adjustBalance } from '../../web/api/admin-payments.ts';
import * as balance from '../../web/api/balance.ts';
import * as boards from '../../web/api/boards.ts';
import * as compare from '../../web/api/compare.ts';
import * as reports from '../../web/api/compare-reports.ts';
import * as events from '../../web/api/events.ts';
import { chooseFollowed, followedChangesQuery, followingQuery, setOwnKingdom } from '../../web/api/following.ts';
import { licensesQuery } from '../../web/api/licenses.ts';
import { monitoredQuery, movesQuery, newsQuery, noteVisit } from '../../web/api/monitored.ts';
import { setNotifications } from '../../web/api/notifications.ts';
import { openApiQuery } from '../../web/api/openapi.ts';
import * as actions from '../../web/api/order-actions.ts';
import * as orders from '../../web/api/orders.ts';
import { outlooksQuery } from '../../web/api/outlooks.ts';
import { ownGovernorsQuery, saveOwnGovernors } from '../../web/api/own-governors.ts';
import * as pages from '../../web/api/pages.ts';
import * as results from '../../web/api/results.ts';
import * as rosters from '../../web/api/rosters.ts';
import * as scans from '../../web/api/scans.ts';
import * as schedules from '../../web/api/schedules.ts';
import * as security from '../../web/api/security.ts';
import * as shares from '../../web/api/shares.ts';
import { statsQuery } from '../../web/api/stats.ts';
import { textQuery } from '../../web/api/texts.ts';

/** Every API call as sent by the browser, and how long its answer is cached. */

interface Sent {
  call: string;
  body?: unknown;
  key?: string;
  /** Whether the request includes cookies; publicly cached answers are fetched without. */
  cookies: boolean;
}

let answer: unknown = { success: 1, data: {} };
const sent: Sent[] = [];

beforeEach(() => {
  sent.length = 0;
  answer = { success: 1, data: {} };
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    const key = headers.get('idempotency-key');
    sent.push({
      call: `${init.method ?? 'GET'} ${String(url).replace('https://muster.test', '')}`,
      ...(init.body == null ? {} : { body: typeof init.body === 'string' ? parsed(init.body) : init.body }),
      ...(key === null ? {} : { key }),
      cookies: init.credentials === 'include',
    });
    return Response.json(answer);
  });
});

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

type Query = { queryFn?: unknown };
/** Fetches like the query cache. */
const fetched = (query: Query, pageParam?: unknown): unknown =>
  (query.queryFn as (context: Partial<QueryFunctionContext>) => unknown)({
    signal: new AbortController().signal,
    pageParam,
  });

const entry = { type: 'rok-kingdom-scan', group_name: 'g', product_name: 'p', params: {}, fields: {}, price: 0.5 };
const page = { page: 1, sort: null, ascending: false, edition: 1 } as const;
const sortedPage = { ...page, page: 3, sort: 'Power', ascending: true } as const;
const file = new File(['id'], 'a b.csv', { type: 'text/csv' });
const nameless = new File(['id'], 'x');
const payload = { name: 'War', ranges: [], settings: {} } as never;
const event = { name: 'KvK' } as never;

/** A function and the call it makes. */
const [CODE, ACCEPTED] = [{ code: 'c' }, { accepted: false, version: 2 }];
const SCANS = '/v1/admin/events/3/snapshots';
const CALLS: readonly [string, () => unknown, Partial<Sent>][] = [
  ['sign in', () => account.login('ash', 'pw'), { call: 'POST /v1/login', body: { username: 'ash', password: 'pw' } }],
  [
    'sign in with a code',
    () => account.login('ash', 'pw', '123456'),
    { call: 'POST /v1/login', body: { username: 'ash', password: 'pw', code: '123456' } },
  ],
  ['sign out', () => account.logout(), { call: 'POST /v1/logout' }],
  ['orders', () => fetched(orders.ordersQuery()), { call: 'GET /v1/orders' }],
  ['older orders', () => fetched(orders.ordersQuery({ before: 40 })), { call: 'GET /v1/orders?before=40' }],
  [
    'an order',
    () => orders.createOrder([entry], null, null, 'k1'),
    { call: 'POST /v1/order/create', body: { orders: [entry], scheduleInfo: null, team_id: null }, key: 'k1' },
  ],
  ['cancel', () => actions.cancel('7'), { call: 'POST /v1/order/7/cancel' }],
  ['repair', () => actions.repair('i7'), { call: 'POST /v1/order/i7/repair' }],
  [
    'report an issue',
    () => actions.reportIssue(7, { message: 'm', rows: ['1'] }),
    { call: 'POST /v1/order/7/report', body: { message: 'm', rows: ['1'] } },
  ],
  ['entries', () => fetched(actions.entriesQuery(7)), { call: 'GET /v1/order/7/entries' }],
  ['pause', () => schedules.pauseSchedule(3), { call: 'POST /v1/orders/scheduled/3/pause' }],
  ['resume', () => schedules.resumeSchedule(3), { call: 'POST /v1/orders/scheduled/3/resume' }],
  ['end', () => schedules.endSchedule(3), { call: 'POST /v1/orders/scheduled/3/end' }],
  [
    'rows',
    () => {
      answer = { success: 1, data: { rows: [] } };
      return fetched(results.rowsQuery('i/1', { all: false, edition: 1 }));
    },
    { call: 'GET /v1/order/i%2F1/download?type=json' },
  ],
  [
    'a sorted page of many rows',
    () => fetched(results.pageQuery(results.downloadUrl('9', 'json', true), sortedPage)),
    { call: 'GET /v1/order/9/download?type=json&all=true&count=100&page=2&sort=Power&reversed=true' },
  ],
  [
    'a page as it is stored',
    () => fetched(results.pageQuery(results.downloadUrl('9', 'json', true), page)),
    { call: 'GET /v1/order/9/download?type=json&all=true&count=100&page=0' },
  ],
  ['totals of an order', () => fetched(results.combinedQuery('9')), { call: 'GET /v1/order/9/combined' }],
  ['a share', () => shares.makeShare('i1', 30), { call: 'POST /v1/order/i1/shares', body: { days: 30 } }],
  ['a share’s end', () => shares.closeShare('i1', 's1'), { call: 'DELETE /v1/order/i1/shares/s1' }],
  [
    'a top-up',
    () => balance.openCheckout(550, 'k2'),
    { call: 'POST /v1/payment/checkout', body: { amount: 5.5 }, key: 'k2' },
  ],
  [
    'a payment',
    () => fetched(balance.paymentQuery('cs_1')),
    { call: 'POST /v1/payment/status', body: { session_id: 'cs_1' } },
  ],
  ['a warning', () => balance.setWarning(250), { call: 'POST /v1/account/low-balance', body: { threshold: 2.5 } }],
  ['no warning', () => balance.setWarning(null), { call: 'POST /v1/account/low-balance', body: { threshold: null } }],
  [
    'the statement',
    () => fetched(balance.statementQuery({ kind: 'charge', from: '2026-01-01' }), 12),
    { call: 'GET /v1/account/statement?kind=charge&from=2026-01-01&before=12' },
  ],
  [
    'an adjustment',
    () => adjustBalance({ username: 'ash', amount: -125, reason: 'why', code: '123456' }, 'k3'),
    {
      call: 'POST /v1/admin/adjustments',
      body: { username: 'ash', amount: -1.25, reason: 'why', code: '123456' },
      key: 'k3',
    },
  ],
  [
    'a board’s beginning',
    () => fetched(boards.boardPartQuery({ kind: 'governor', game: 'rok', metric: 'power' })),
    { call: 'GET /v1/governor/rankings/rok?type=power&count=100&page=0', cookies: false },
  ],
  [
    'a board',
    () => fetched(boards.boardQuery({ kind: 'governor', game: 'rok', metric: 'power' })),
    { call: 'GET /v1/governor/rankings/rok?type=power&count=-1&page=0', cookies: false },
  ],
  [
    'an event’s page',
    () => fetched(events.eventPageQuery('1', { end: 9 })),
    { call: 'GET /v1/dashboards/1/page?end=9', cookies: false },
  ],
  [
    'an event’s table',
    () => fetched(events.eventTableQuery('1', { start: 0, end: 9 })),
    { call: 'GET /v1/dashboards/1/table?start=0&end=9', cookies: false },
  ],
  [
    'an event’s lines',
    () => fetched(events.eventLinesQuery('1', { start: 0, end: 9 }, ['dkp', 'power'])),
    { call: 'GET /v1/dashboards/1/lines?metrics=dkp%2Cpower&start=0&end=9', cookies: false },
  ],
  [
    'a governor of an event',
    () => fetched(events.eventGovernorQuery('1', { start: 0, end: 9 }, 5)),
    { call: 'GET /v1/dashboards/1/governor/5?start=0&end=9', cookies: false },
  ],
  ['events', () => fetched(events.eventListQuery), { call: 'GET /v1/dashboards', cookies: false }],
  ['the totals', () => fetched(statsQuery), { call: 'GET /v1/stats/global', cookies: false }],
  ['the imprint', () => fetched(textQuery('imprint')), { call: 'GET /v1/texts/imprint', cookies: false }],
  ['an admin’s events', () => fetched(adminEvents.adminEventsQuery(), null), { call: 'GET /v1/admin/events' }],
  [
    'older ones',
    () => fetched(adminEvents.adminEventsQuery('late'), 5),
    { call: 'GET /v1/admin/events?state=late&before=5' },
  ],
  ['an event', () => adminEvents.createEvent(event), { call: 'POST /v1/admin/events', body: event }],
  [
    'its change',
    () => adminEvents.changeEvent(3, event, 'v1'),
    { call: 'PUT /v1/admin/events/3?seen=v1', body: event },
  ],
  ['its end', () => adminEvents.actOnEvent(3, 'close'), { call: 'POST /v1/admin/events/3/close', body: {} }],
  [
    'a file of it',
    () => adminEvents.loadSnapshot(3, file, 0),
    { call: 'POST /v1/admin/events/3/snapshots?name=a+b.csv&captured_at=1970-01-01T00%3A00%3A00.000Z', body: file },
  ],
  [
    'a file that tells its moment',
    () => adminEvents.loadSnapshot(3, file, null),
    { call: 'POST /v1/admin/events/3/snapshots?name=a+b.csv', body: file },
  ],
  ['a scan', () => adminEvents.removeSnapshot(3, 6, 'c'), { call: `DELETE ${SCANS}/6`, body: CODE }],
  ['a file of scans', () => scans.previewFile(nameless), { call: 'POST /v1/scans/import?name=x', body: nameless }],
  [
    'the library',
    () => fetched(scans.libraryQuery({ game: 'cod', kingdom: 7, search: 'a' }), 'c1'),
    { call: 'GET /v1/scans?game=cod&kingdom=7&search=a&before=c1' },
  ],
  ['a scan’s end', () => scans.deleteScan('s1', false), { call: 'DELETE /v1/scans/s1' }],
  ['with its reports', () => scans.deleteScan('s1', true), { call: 'DELETE /v1/scans/s1?with=reports' }],
  [
    'a comparison',
    () => fetched(compare.comparedQuery({ from: 'a', to: 'b' })),
    { call: 'GET /v1/compare/table?from=a&to=b' },
  ],
  [
    'a roster as csv',
    () => rosters.saveRoster('rok', '7', { entries: [], updated_at: null }, 'id,role'),
    { call: 'POST /v1/rosters/rok/7/import?seen=0', body: 'id,role' },
  ],
  [
    'a roster by rows',
    () => rosters.saveRoster('rok', '7', { entries: [], updated_at: 60 }, []),
    { call: 'PUT /v1/rosters/rok/7?seen=60', body: [] },
  ],
  ['goals', () => fetched(rosters.goalsQuery('cod', '7')), { call: 'GET /v1/rosters/cod/7/goals' }],
  ['a report', () => reports.createReport(payload), { call: 'POST /v1/reports', body: payload }],
  ['a report’s link', () => reports.openReportLink('r1', 9), { call: 'POST /v1/reports/r1/links', body: { days: 9 } }],
  [
    'a governor',
    () => fetched(pages.governorQuery('5', 'cod', '30')),
    { call: 'GET /v1/governors/5?game=cod&days=30' },
  ],
  [
    'an alliance',
    () => fetched(pages.allianceQuery('7', 'A/B', 'rok')),
    { call: 'GET /v1/alliances/7/A%2FB?game=rok' },
  ],
  ['the search', () => fetched(pages.searchQuery('a&b')), { call: 'GET /v1/search?q=a%26b' }],
  ['outlooks', () => fetched(outlooksQuery('p', '1,2')), { call: 'GET /v1/products/p/kingdoms?kingdoms=1%2C2' }],
  ['a code', () => admin.revokeAccessCode(4, 'c'), { call: 'DELETE /v1/admin/access-codes/4', body: CODE }],
  ['reports', () => fetched(adminOrders.reportsQuery('open')), { call: 'GET /v1/admin/reports?state=open' }],
  [
    'orders of everybody',
    () => fetched(adminOrders.adminOrdersQuery({ search: 'a&b', kingdom: 7, before: 9 })),
    { call: 'GET /v1/admin/orders?search=a%26b&before=9&kingdom=7' },
  ],
  [
    'an act on an order',
    () => adminOrders.actOnOrder(5, 'cancel', { item_id: null, reason: 'as asked' }),
    { call: 'POST /v1/admin/orders/5/cancel', body: { item_id: null, reason: 'as asked' } },
  ],
  ['own governors', () => fetched(ownGovernorsQuery), { call: 'GET /v1/account/governors' }],
  [
    'others',
    () => saveOwnGovernors({ rok: [1], cod: [] }),
    { call: 'PUT /v1/account/governors', body: { rok: [1], cod: [] } },
  ],
  ['what is followed', () => fetched(followingQuery), { call: 'GET /v1/account/following' }],
  ['changes in it', () => fetched(followedChangesQuery), { call: 'GET /v1/account/following/changes' }],
  [
    'following',
    () => chooseFollowed({ dashboard_id: 4, kingdom: '7', on: true }),
    { call: 'PUT /v1/account/following/event', body: { dashboard_id: 4, kingdom: '7', on: true } },
  ],
  [
    'an own kingdom',
    () => setOwnKingdom({ game: 'cod', kingdom: null }),
    { call: 'PUT /v1/account/following/kingdom', body: { game: 'cod', kingdom: null } },
  ],
  ['the licence', () => security.acceptEula(false, 2), { call: 'POST /v1/eula/accept', body: ACCEPTED }],
  [
    'notifications',
    () => setNotifications({ by_mail: true }),
    { call: 'POST /v1/account/notifications', body: { by_mail: true } },
  ],
  ['licences', () => fetched(licensesQuery), { call: 'GET /v1/licenses' }],
  ['monitored kingdoms', () => fetched(monitoredQuery), { call: 'GET /v1/monitored/kingdoms' }],
  ['changes since the last visit', () => fetched(movesQuery), { call: 'GET /v1/monitored/moves' }],
  ['a visit', () => noteVisit(), { call: 'POST /v1/account/visit' }],
  ['news', () => fetched(newsQuery), { call: 'GET /v1/news' }],
  ['the API’s description', () => fetched(openApiQuery), { call: 'GET /v1/openapi.json', cookies: false }],
];

describe('API calls', () => {
  it.each(CALLS)('%s', async (_, act, expected) => {
    await act();
    expect(sent).toEqual([{ cookies: true, ...expected }]);
  });
});

describe('unwrapping of answers', () => {
  const named = { kind: 'kingdom', game: 'cod', metric: 'power' } as const;
  it.each<[string, () => unknown, unknown, unknown, Partial<Sent>]>([
    [
      'the days of a board',
      () => fetched(boards.boardDaysQuery(named)),
      { days: ['2026-01-02'] },
      ['2026-01-02'],
      { call: 'GET /v1/kingdom/rankings/cod/days', cookies: false },
    ],
    [
      'the days of a row',
      () => fetched(boards.rowDaysQuery(named, 3, '2026-01-02')),
      { days: [{ rank: 3 }] },
      [{ rank: 3 }],
      { call: 'GET /v1/kingdom/rankings/cod/row?type=power&place=3&day=2026-01-02', cookies: false },
    ],
    [
      'the rows of a link',
      () => fetched(shares.sharedRowsQuery('t')),
      { rows: [{ name: 'A' }] },
      [{ name: 'A' }],
      { call: 'GET /v1/shared/t/download?type=json', cookies: false },
    ],
    [
      'the rows of a scan',
      () => fetched(results.rowsQuery('i1', { all: false, edition: 1 })),
      { rows: [{ name: 'A' }] },
      [{ name: 'A' }],
      { call: 'GET /v1/order/i1/download?type=json', cookies: true },
    ],
  ])('%s', async (_, ask, data, taken, call) => {
    answer = { success: 1, data };
    expect(await ask()).toEqual(taken);
    expect(sent).toEqual([call]);
  });

  it('the previous range of an event stays visible while another loads, but not another event', () => {
    const { placeholderData } = events.eventPageQuery('7', { end: 9 });
    const shown = placeholderData as (before: unknown, query?: { queryKey: readonly unknown[] }) => unknown;
    const before = { name: 'War' };
    expect(shown(before, { queryKey: ['event', '7', 'page', null, 5] })).toBe(before);
    expect(shown(before, { queryKey: ['event', '8', 'page', null, 9] })).toBeUndefined();
    expect(shown(before)).toBeUndefined();
  });
});

describe('polling', () => {
  const every = (query: { refetchInterval?: unknown }, data?: unknown) =>
    typeof query.refetchInterval === 'function' ? query.refetchInterval({ state: { data } }) : query.refetchInterval;

  it.each<[string, unknown, unknown]>([
    ['bots of a group, every 5 seconds', every(admin.botsQuery({ group: 'One' }), { counts: { One: 1 } }), 5000],
    ['all groups until there is a bot', every(admin.botsQuery({}), { counts: {} }), 5000],
    ['all groups never again', every(admin.botsQuery({}), { counts: { One: 1 } }), false],
    ['the retry queue, every 15 seconds', every(admin.setbacksQuery), 15_000],
    ['schedules, every 30 seconds', every(schedules.schedulesQuery), 30_000],
    ['an open payment, every 3 seconds', every(balance.paymentQuery('a'), { state: 'open' }), 3000],
    ['a paid one never', every(balance.paymentQuery('a'), { state: 'paid' }), false],
    ['an event being scanned', every(adminEvents.adminEventQuery('1'), { refreshes: [{ state: 'running' }] }), 5000],
    ['another event never', every(adminEvents.adminEventQuery('1'), { refreshes: [{ state: 'done' }] }), false],
    ['sums of a small order', every(results.combinedQuery('1'), { live: true, rows: 20_000 }), 15_000],
    ['sums of a large one', every(results.combinedQuery('1'), { live: true, rows: 20_001 }), 120_000],
    ['sums of an order that has ended never', every(results.combinedQuery('1'), { live: false, rows: 1 }), false],
  ])('%s', (_, found, expected) => {
    expect(found).toBe(expected);
  });

  it('a search needs a text', () => {
    expect(pages.searchQuery('').enabled).toBe(false);
    expect(pages.searchQuery('a').enabled).toBe(true);
  });

  it('further pages load if there are any', () => {
    for (const query of [
      adminEvents.adminEventsQuery(),
      admin.outboxQuery({}),
      balance.statementQuery({}),
      scans.libraryQuery({}),
    ]) {
      expect(query.initialPageParam).toBeNull();
      expect(query.getNextPageParam({ next: 7 } as never, [], null as never, [])).toBe(7);
      expect(query.getNextPageParam({ next: null } as never, [], null as never, [])).toBeNull();
    }
  });
});
