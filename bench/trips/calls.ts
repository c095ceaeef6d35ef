/** The pages and calls measured, each with the sequential trips that it may make, warm and in a new isolate. */

/** Ids of what the seeded service contains, for the paths of the calls. */
export interface Facts {
  /** Order, one of its items, and two scans of a kingdom in the library. */
  order: number;
  item: string;
  scans: readonly string[];
  report: string;
  kingdom: number;
  governor: number;
  event: number;
  start: number;
  end: number;
  boardKingdom: number;
}

export interface Measure {
  name: string;
  path: string;
  body?: unknown;
  /** Signed in; of these calls, only the session's own user may see the answer. */
  mine?: true;
  warm: number;
  cold: number;
  /** Why this call makes more trips than its kind may. */
  why?: string;
}

const visitor = (path: string, name = path): Measure => ({ name, path, warm: 0, cold: 1 });
const mine = (path: string, name = path): Measure => ({ name, path, mine: true, warm: 2, cold: 2 });

/** Public pages and calls. */
export function publicCalls({ event, start, end, governor, boardKingdom }: Facts): Measure[] {
  const range = `start=${start}&end=${end}`;
  return [
    visitor('/'),
    visitor('/leaderboard'),
    visitor('/leaderboard/governor'),
    visitor('/leaderboard/kingdom'),
    visitor(`/dashboards/${event}`, '/dashboards/{id}'),
    visitor(`/players/${governor}`, '/players/{id}'),
    visitor(`/kingdoms/${boardKingdom}`, '/kingdoms/{id}'),
    visitor('/v1/stats/global'),
    visitor('/v1/governor/rankings?type=power&count=100&page=0', '/v1/governor/rankings, a page'),
    visitor('/v1/governor/rankings?type=power&count=-1&page=0', '/v1/governor/rankings, all'),
    visitor('/v1/alliance/rankings/rok?type=power&count=100&page=0', '/v1/alliance/rankings/rok'),
    visitor('/v1/kingdom/rankings/rok'),
    visitor('/v1/kingdom/rankings/rok/days'),
    visitor('/v1/dashboards'),
    visitor(`/v1/dashboards/${event}`, '/v1/dashboards/{id}'),
    visitor(`/v1/dashboards/${event}/page`, '/v1/dashboards/{id}/page'),
    visitor(`/v1/dashboards/${event}/table?${range}`, '/v1/dashboards/{id}/table'),
    visitor(`/v1/dashboards/${event}/data?${range}`, '/v1/dashboards/{id}/data'),
    visitor('/v1/products/list'),
    visitor('/v1/eula'),
    visitor('/v1/texts/imprint'),
  ];
}

/** Reads of a signed-in user: every GET of the API that needs a session. */
export function ownCalls(facts: Facts): Measure[] {
  const { order, item, scans, kingdom, governor, report } = facts;
  const [from = '', to = ''] = scans;
  const sides = `from=${from}&to=${to}`;
  return [
    mine('/v1/account'),
    mine('/v1/account/sessions'),
    mine('/v1/account/activity'),
    mine('/v1/account/export'),
    mine('/v1/account/governors'),
    mine('/v1/account/keys'),
    mine('/v1/account/notifications'),
    mine('/v1/account/shares'),
    mine('/v1/account/balance'),
    mine('/v1/account/statement'),
    mine('/v1/account/statement/download'),
    mine('/v1/licenses'),
    mine('/v1/news'),
    mine('/v1/monitored/kingdoms'),
    mine('/v1/monitored/moves'),
    mine('/v1/orders'),
    mine('/v1/orders/scheduled'),
    mine(`/v1/order/${order}`, '/v1/order/{id}'),
    mine(`/v1/order/item/${item}`, '/v1/order/item/{id}'),
    mine(`/v1/order/${order}/entries`, '/v1/order/{id}/entries'),
    mine(`/v1/order/${order}/shares`, '/v1/order/{id}/shares'),
    mine(`/v1/order/${item}/download?type=json`, '/v1/order/{item}/download, json'),
    mine(`/v1/order/${item}/download?type=csv`, '/v1/order/{item}/download, csv'),
    mine(
      `/v1/order/${order}/download?type=json&all=true&sort=Power&count=100&page=0`,
      '/v1/order/{id}/download, sorted',
    ),
    mine(`/v1/order/${order}/combined`, '/v1/order/{id}/combined'),
    {
      ...mine(`/v1/governors/${governor}`, '/v1/governors/{id}'),
      cold: 3,
      why: 'the scans with changes of all columns are named by the history',
    },
    mine(`/v1/governors/${governor}/nearby`, '/v1/governors/{id}/nearby'),
    mine(`/v1/kingdoms/${kingdom}`, '/v1/kingdoms/{id}'),
    mine(`/v1/kingdoms/${kingdom}/nearby`, '/v1/kingdoms/{id}/nearby'),
    mine(`/v1/alliances/${kingdom}/T1`, '/v1/alliances/{kingdom}/{tag}'),
    mine('/v1/search?q=gov'),
    mine(`/v1/products/rok-kingdom-scan/kingdoms?kingdoms=${kingdom}`, '/v1/products/{id}/kingdoms'),
    mine('/v1/scans'),
    mine('/v1/scans/search?q=Governor'),
    mine(`/v1/scans/${from}`, '/v1/scans/{id}'),
    mine(`/v1/scans/${from}/download?type=csv`, '/v1/scans/{id}/download'),
    mine(`/v1/compare?${sides}`, '/v1/compare'),
    mine(`/v1/compare/table?${sides}`, '/v1/compare/table'),
    mine(`/v1/compare/export?${sides}&type=csv`, '/v1/compare/export'),
    mine(`/v1/compare/line?game=rok&governor=${governor}`, '/v1/compare/line'),
    mine('/v1/fights'),
    mine(`/v1/rosters/rok/${kingdom}`, '/v1/rosters/{game}/{kingdom}'),
    mine('/v1/reports'),
    mine(`/v1/reports/${report}`, '/v1/reports/{id}'),
    mine(`/v1/reports/${report}/export?type=csv`, '/v1/reports/{id}/export'),
    mine('/v1/admin/bots'),
    mine('/v1/admin/orders'),
    mine('/v1/admin/figures'),
    mine('/v1/admin/setbacks'),
    mine('/v1/admin/outbox'),
    mine('/v1/admin/access-codes'),
    mine('/v1/admin/events'),
    mine('/v1/admin/reports'),
    mine('/v1/admin/reconciliations'),
  ];
}

export const CREDENTIALS = { username: 'bench', password: 'a password of some length' };

export const orderOf = (kingdoms: readonly number[], governors: number) => ({
  orders: [
    {
      type: 'rok-kingdom-scan',
      params: { kingdoms: kingdoms.map(String), governors, full_profile: true },
      price: (kingdoms.length * Math.ceil(governors / 100)) / 2,
    },
  ],
});

/** Writes that users wait for. */
export const writes = (): Measure[] => [
  { name: 'POST /v1/login', path: '/v1/login', body: CREDENTIALS, warm: 2, cold: 2 },
  {
    name: 'POST /v1/order/create',
    path: '/v1/order/create',
    body: orderOf([90_001], 100),
    mine: true,
    warm: 2,
    cold: 2,
  },
];

type Data = Record<string, unknown>;

/** The served service. */
export interface Served {
  /** Calls the API as the signed-in user and returns the answer's data. */
  call(method: string, path: string, body?: unknown): Promise<unknown>;
  /** Calls the benchmarks' own endpoints. */
  made(path: string): Promise<unknown>;
  /** Makes the user an admin and signs them in. */
  admin(): Promise<void>;
  ask(measure: Measure): Promise<Response>;
  close(): Promise<void>;
}

/** Fills the service and returns what it contains. */
export async function fill({ call, made, admin }: Served): Promise<Facts> {
  const get = async (path: string): Promise<Data> => (await call('GET', path)) as Data;
  const post = async (path: string, body: unknown): Promise<Data> => (await call('POST', path, body)) as Data;
  await made('orders/bench/prepare?token=bench');
  await admin();
  await made('boards/fill?from=1&to=11');
  await made('boards/publish');
  await made('boards/publish-kingdoms');
  const { id: event } = (await made('events/bench/fill?rows=2000&snapshots=2')) as { id: number };
  for (let scan = 0; scan < 2; scan++) {
    await post('/v1/order/create', orderOf([80_001, 80_002], 300));
    await made('orders/bench/publish?from=0&count=2&governors=300');
  }
  await made('orders/bench/remember?kingdom=80001&governors=300&days=30');
  const { orders } = (await get('/v1/orders')) as { orders: { order_id: number; items: { item_id: string }[] }[] };
  const { order_id: order = 0, items = [] } = orders[0] ?? {};
  const item = items[0]?.item_id ?? '';
  const list = (await get('/v1/scans?kingdom=80001')) as { scans: { scan_id: string }[] };
  const scans = list.scans.map(({ scan_id }) => scan_id);
  const [to = '', from = ''] = scans;
  const span = { from: [from], to: [to] };
  const settings = { weights: {}, power_off: 0, goals: [], zeroed: {}, farms: null, columns: [], note: '' };
  const { report_id: report } = await post('/v1/reports', { name: 'Report', ranges: [span], settings });
  const { snapshots } = (await get(`/v1/dashboards/${event}`)) as { snapshots: { ts: number }[] };
  const moments = snapshots.map(({ ts }) => ts).sort((a, b) => a - b);
  return {
    order,
    item,
    scans: [from, to],
    report: String(report),
    kingdom: 80_001,
    governor: 8_000_100_001,
    event,
    start: moments[0] ?? 0,
    end: moments.at(-1) ?? 0,
    boardKingdom: 5,
  };
}
