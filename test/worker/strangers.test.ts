import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { SCOPES } from '../../domain/accounts/scopes.ts';
import { admin } from '../../worker/middleware/admin.ts';
import { scopeOf, signedIn } from '../../worker/middleware/session.ts';
import { eventually } from '../support/eventually.ts';
import { allRowsBut } from './all-rows.ts';
import { bot, type Caller, caller, makeKey, type Person, scanOf, signedInUser, work } from './client.ts';
import { fighter, HOUR, load, madeEvent, START } from './events/war.ts';
import { bring, fileOf, keep, SETTINGS } from './own-scans.ts';
import { happens, opens, tell } from './payments-client.ts';
import { CALLS, nameOf } from './routes.ts';

/**
 * Calls on another user's things: refused by session and by a key of all scopes, and nothing changes. The list comes
 * from the app, so every new call has to be added here. The owner then makes the same calls and succeeds.
 */

const FOR_USERS = CALLS.filter(({ handlers }) => handlers.includes(signedIn) && !handlers.includes(admin));

/** Calls on shared data, which every signed-in user may read. */
const EVERYBODYS = new Set([
  'GET /v1/alliances/:kingdom/:tag',
  'GET /v1/governors/:id',
  'GET /v1/governors/:id/nearby',
  'GET /v1/kingdoms/:id',
  'GET /v1/kingdoms/:id/nearby',
  'GET /v1/products/:product_id/kingdoms',
  // An invite is for whoever has its link (test/worker/teams.test.ts).
  'GET /v1/teams/invites/:token',
  'POST /v1/teams/invites/:token',
]);

const MARK = 'Ownmark';
const KINGDOM = 4801;

interface Owned {
  order: number;
  waiting: number;
  item: string;
  share: string;
  shortAddress: string;
  schedule: number;
  key: string;
  session: string;
  paid: string;
  payment: string;
  scan: string;
  later: string;
  fight: string;
  report: string;
  link: string;
  waitingImport: string;
  team: string;
  invite: string;
  member: string;
}

type Made = (own: Owned) => { path: string; body?: unknown };

const report = ({ scan, later }: Owned) => ({
  name: `${MARK} war`,
  ranges: [{ from: [scan], to: [later] }],
  settings: SETTINGS,
});
const scheduleInfo = () => ({ period: 'day', interval: 1, start: new Date(Date.now() + 86_400_000).toISOString() });

/** Calls that name something, with a valid body. Calls that end a thing come after those that use it. */
const NAMING: Record<string, Made> = {
  'GET /v1/order/item/:item_id': ({ item }) => ({ path: `/order/item/${item}` }),
  'GET /v1/order/:id': ({ order }) => ({ path: `/order/${order}` }),
  'GET /v1/order/:id/entries': ({ order }) => ({ path: `/order/${order}/entries` }),
  'GET /v1/order/:id/combined': ({ order }) => ({ path: `/order/${order}/combined` }),
  'GET /v1/order/:id/download': ({ item }) => ({ path: `/order/${item}/download?type=json` }),
  'POST /v1/order/:id/repair': ({ item }) => ({ path: `/order/${item}/repair` }),
  'POST /v1/order/:id/report': ({ order }) => ({
    path: `/order/${order}/report`,
    body: { message: 'It is not right.' },
  }),
  'POST /v1/order/:id/cancel': ({ waiting }) => ({ path: `/order/${waiting}/cancel` }),
  'GET /v1/order/:id/shares': ({ item }) => ({ path: `/order/${item}/shares` }),
  'POST /v1/order/:id/shares': ({ item }) => ({ path: `/order/${item}/shares`, body: { days: 1 } }),
  'POST /v1/teams/:team_id/library': ({ team, shortAddress: link }) => ({
    path: `/teams/${team}/library`,
    body: { link },
  }),
  'DELETE /v1/teams/:team_id/library/:link_id': ({ team, share }) => ({ path: `/teams/${team}/library/${share}` }),
  'DELETE /v1/order/:id/shares/:share_id': ({ item, share }) => ({ path: `/order/${item}/shares/${share}` }),
  'POST /v1/orders/scheduled/:schedule_id/pause': ({ schedule }) => ({ path: `/orders/scheduled/${schedule}/pause` }),
  'POST /v1/orders/scheduled/:schedule_id/resume': ({ schedule }) => ({ path: `/orders/scheduled/${schedule}/resume` }),
  'POST /v1/orders/scheduled/:schedule_id/edit': ({ schedule }) => ({
    path: `/orders/scheduled/${schedule}/edit`,
    body: { scheduleInfo: scheduleInfo() },
  }),
  'POST /v1/orders/scheduled/:schedule_id/end': ({ schedule }) => ({ path: `/orders/scheduled/${schedule}/end` }),
  'GET /v1/payment/receipt/:payment_id': ({ payment }) => ({ path: `/payment/receipt/${payment}` }),
  'POST /v1/payment/status': ({ paid }) => ({ path: '/payment/status', body: { session_id: paid } }),
  'DELETE /v1/account/keys/:key_id': ({ key }) => ({ path: `/account/keys/${key}` }),
  'DELETE /v1/account/sessions/:session_id': ({ session }) => ({ path: `/account/sessions/${session}` }),
  'GET /v1/compare': ({ scan, later }) => ({ path: `/compare?from=${scan}&to=${later}` }),
  'GET /v1/compare/table': ({ fight }) => ({ path: `/compare/table?fights=${fight}` }),
  'GET /v1/compare/export': ({ scan, later }) => ({ path: `/compare/export?from=${scan}&to=${later}&type=csv` }),
  'POST /v1/fights': ({ scan, later }) => ({ path: '/fights', body: { name: MARK, from: [scan], to: [later] } }),
  'DELETE /v1/fights/:fight_id': ({ fight }) => ({ path: `/fights/${fight}` }),
  'GET /v1/scans/:scan_id': ({ scan }) => ({ path: `/scans/${scan}` }),
  'GET /v1/scans/:scan_id/download': ({ scan }) => ({ path: `/scans/${scan}/download?type=csv` }),
  'PATCH /v1/scans/:scan_id': ({ scan }) => ({ path: `/scans/${scan}`, body: { name: `${MARK} again` } }),
  'POST /v1/scans/import/:import_id/preview': ({ waitingImport }) => ({
    path: `/scans/import/${waitingImport}/preview`,
    body: {},
  }),
  'POST /v1/scans/import/:import_id/save': ({ waitingImport }) => ({
    path: `/scans/import/${waitingImport}/save`,
    body: {},
  }),
  'POST /v1/reports': (own) => ({ path: '/reports', body: report(own) }),
  'GET /v1/reports/:report_id': ({ report: id }) => ({ path: `/reports/${id}` }),
  'GET /v1/reports/:report_id/export': ({ report: id }) => ({ path: `/reports/${id}/export?type=csv` }),
  'PUT /v1/reports/:report_id': (own) => ({ path: `/reports/${own.report}`, body: report(own) }),
  'POST /v1/reports/:report_id/links': ({ report: id }) => ({ path: `/reports/${id}/links`, body: { days: 1 } }),
  'DELETE /v1/reports/:report_id/links/:link_id': ({ report: id, link }) => ({ path: `/reports/${id}/links/${link}` }),
  'DELETE /v1/reports/:report_id': ({ report: id }) => ({ path: `/reports/${id}` }),
  'GET /v1/teams/:team_id': ({ team }) => ({ path: `/teams/${team}` }),
  'GET /v1/teams/:team_id/statement': ({ team }) => ({ path: `/teams/${team}/statement` }),
  'PATCH /v1/teams/:team_id': ({ team }) => ({ path: `/teams/${team}`, body: { monthly_limit: 5 } }),
  'POST /v1/teams/:team_id/transfers': ({ team }) => ({ path: `/teams/${team}/transfers`, body: { amount: 1 } }),
  'POST /v1/teams/:team_id/invites': ({ team }) => ({ path: `/teams/${team}/invites`, body: { role: 'viewer' } }),
  'GET /v1/teams/:team_id/library': ({ team }) => ({ path: `/teams/${team}/library` }),
  'DELETE /v1/teams/:team_id/invites/:invite_id': ({ team, invite }) => ({ path: `/teams/${team}/invites/${invite}` }),
  'PATCH /v1/teams/:team_id/members/:user_id': ({ team, member }) => ({
    path: `/teams/${team}/members/${member}`,
    body: { role: 'viewer' },
  }),
  'DELETE /v1/teams/:team_id/members/:user_id': ({ team, member }) => ({ path: `/teams/${team}/members/${member}` }),
  'DELETE /v1/teams/:team_id': ({ team }) => ({ path: `/teams/${team}` }),
  'DELETE /v1/scans/:scan_id': ({ scan }) => ({ path: `/scans/${scan}?with=reports` }),
};

/** Each user has their own roster of a kingdom; nobody else's is shown or changed. */
const EACH_HIS_OWN: Record<string, { path: string; body?: unknown }> = {
  'GET /v1/rosters/:game/:kingdom': { path: `/rosters/rok/${KINGDOM}` },
  'GET /v1/rosters/:game/:kingdom/goals': { path: `/rosters/rok/${KINGDOM}/goals` },
  'PUT /v1/rosters/:game/:kingdom/goals': { path: `/rosters/rok/${KINGDOM}/goals`, body: { goals: [], farms: 5 } },
  'GET /v1/rosters/:game/:kingdom/history': { path: `/rosters/rok/${KINGDOM}/history` },
  'GET /v1/rosters/:game/:kingdom/download': { path: `/rosters/rok/${KINGDOM}/download` },
  'PUT /v1/rosters/:game/:kingdom': { path: `/rosters/rok/${KINGDOM}`, body: [] },
  'POST /v1/rosters/:game/:kingdom/import': { path: `/rosters/rok/${KINGDOM}/import`, body: 'governor_id,role\n' },
};

const ROSTERS = Object.entries(EACH_HIS_OWN).map(([name, made]) => [name, () => made] as const);
const NEVER_KEPT = expect.stringMatching(/no-store/);
/** The caching rule of an answer. Cloudflare's own header takes precedence. */
const keptBy = ({ headers }: Response): string =>
  headers.get('cloudflare-cdn-cache-control') ?? headers.get('cache-control') ?? '';

/** Lists and settings: calls that name nothing. */
const LISTS = FOR_USERS.filter(({ method, path }) => method === 'GET' && !path.includes(':')).map(({ path }) => path);
const QUERIES: Readonly<Record<string, string>> = {
  '/v1/compare/line': '?game=rok&governor=1',
  '/v1/scans/search': `?q=${MARK}`,
};
const NO_LIST = /\/(live|compare|compare\/table|compare\/export|portal)$/;

let owner: Person;
let stranger: Person;
let key: Caller;
let own: Owned;
/** All stored rows, without times of last use and the log. */
let stored: () => Promise<Record<string, string | null>>;

beforeAll(async () => {
  [owner, stranger] = [await signedInUser(), await signedInUser()];
  key = caller({ authorization: `Bearer ${(await makeKey(stranger, SCOPES)).data.key}` });
  const order = async (kingdom: number, more: object = {}) =>
    (await owner.call('POST', '/v1/order/create', { orders: [scanOf([kingdom])], ...more })).data;
  const { order_id } = await order(KINGDOM);
  await work(await bot());
  const items = async () => (await owner.call('GET', '/v1/orders/')).data.orders[0].items;
  await eventually(async () => expect((await items())[0].state).toBe('done'));
  const [{ item_id }] = await items();
  const fighters = (kills: number) => fileOf([{ id: 1, kingdom: KINGDOM, name: `${MARK} One`, t4: kills }]);
  const [scan = ''] = await keep(owner, `${MARK}_2026-01-05.csv`, fighters(5));
  const [later = ''] = await keep(owner, `${MARK}_2026-01-19.csv`, fighters(9));
  const waitingImport = (await bring(owner, `${MARK}_2026-01-20.csv`, fighters(10))).data.import_id;
  const range = { name: MARK, from: [scan], to: [later] };
  const fight = (await owner.call('POST', '/v1/fights', range)).data.fight_id;
  const made = { scan, later } as Owned;
  const report_id = (await owner.call('POST', '/v1/reports', report(made))).data.report_id;
  const paid = await opens(owner, 5);
  for (const event of await happens(`sessions/${paid}/pay`)) await tell(event);
  await owner.call('PUT', `/v1/rosters/rok/${KINGDOM}`, [
    { governor_id: 1, role: 'exempt', main_id: null, note: MARK },
  ]);
  await owner.call('PUT', `/v1/rosters/rok/${KINGDOM}/goals`, { goals: [], farms: 20 });
  await owner.call('PUT', '/v1/account/governors', { rok: [KINGDOM], cod: [] });
  const { admin, id: dashboard_id } = await madeEvent();
  for (const [place, t5] of [1, 9].entries())
    await load(admin, dashboard_id, START + place * HOUR, [fighter(1, 701, t5)]);
  await owner.call('PUT', '/v1/account/following/event', { dashboard_id, on: true });
  await owner.call('POST', '/v1/account/notifications', { by_mail: true });
  const team = (await owner.call('POST', '/v1/teams', { name: MARK })).data.team_id as string;
  const member = await signedInUser(0);
  const link = (await owner.call('POST', `/v1/teams/${team}/invites`, { role: 'leader' })).data.path;
  await member.call('POST', `/v1${link}`);
  const second = caller();
  await second.call('POST', '/v1/login', { username: owner.username, password: 'four unrelated words here' });
  const sessions = (await owner.call('GET', '/v1/account/sessions')).data as { id: string; current: boolean }[];
  const one = async <Value>(sql: string) => (await env.DB.prepare(sql).bind(owner.id).raw<[Value]>())[0]?.[0] as Value;
  const share = (await owner.call('POST', `/v1/order/${item_id}/shares`, { days: 3 })).data;
  own = {
    ...made,
    order: order_id,
    item: item_id,
    waiting: (await order(KINGDOM + 1)).order_id,
    share: share.share_id,
    shortAddress: share.short,
    schedule: (await order(KINGDOM + 2, { scheduleInfo: scheduleInfo() })).schedule_id,
    key: (await makeKey(owner, ['read'], { name: MARK })).data.id,
    session: sessions.find(({ current }) => !current)?.id ?? '',
    paid,
    payment: await one<string>('SELECT id FROM payments WHERE user_id = ?'),
    fight,
    report: report_id,
    link: (await owner.call('POST', `/v1/reports/${report_id}/links`, { days: 3 })).data.link_id,
    waitingImport,
    team,
    invite: (await owner.call('POST', `/v1/teams/${team}/invites`, { role: 'viewer' })).data.invite_id,
    member: member.id,
  };
  stored = await allRowsBut(['audit_entries'], ['last_used_at', 'last_seen_at']);
});

const call = async (who: Caller, name: string, { path, body }: ReturnType<Made>) => {
  const [method = ''] = name.split(' ');
  const response = await who.fetch(`/v1${path}`, {
    method,
    headers: {
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': typeof body === 'string' ? 'text/csv' : 'application/json' }),
    },
    redirect: 'manual',
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text(), kept: keptBy(response) };
};

it('covers every call that names something', () => {
  const named = FOR_USERS.filter(({ path }) => path.includes(':')).map(nameOf);
  const known = [...EVERYBODYS, ...Object.keys(NAMING), ...Object.keys(EACH_HIS_OWN)];
  expect(named.filter((name) => !known.includes(name))).toEqual([]);
  expect(known.filter((name) => !FOR_USERS.map(nameOf).includes(name))).toEqual([]);
});

describe('for another user', () => {
  it.each(Object.entries(NAMING))('%s finds nothing and changes nothing', async (name, made) => {
    const before = await stored();
    const byKey = FOR_USERS.some((each) => nameOf(each) === name && each.handlers.some(scopeOf));
    for (const [who, status] of [
      [stranger, 404],
      [key, byKey ? 404 : 403],
    ] as const) {
      const answer = await call(who, name, made(own));
      expect({ status: answer.status, text: answer.text }).toMatchObject({ status });
      expect(answer.text).not.toContain(MARK);
      expect(await stored()).toEqual(before);
    }
  });

  it.each(Object.entries(EACH_HIS_OWN))('%s works on their own data alone', async (name, made) => {
    const kept = () =>
      Promise.all(['', '/goals'].map((part) => call(owner, 'GET', { path: `/rosters/rok/${KINGDOM}${part}` })));
    const before = await kept();
    expect(before[0]?.text).toContain(MARK);
    expect(before[1]?.text).toContain('"farms":20');
    const answer = await call(stranger, name, made);
    expect(answer.status).toBe(200);
    expect(answer.text).not.toContain(MARK);
    expect(await kept()).toEqual(before);
  });

  it('no list contains anything of the owner', async () => {
    // No bare numbers: another user's time or id may contain the same digits.
    const marks = [MARK, owner.username, own.item, own.key, own.session, own.payment, own.scan, own.fight, own.report];
    const holding: string[] = [];
    for (const path of LISTS.filter((each) => !NO_LIST.test(each))) {
      const [his, others] = await Promise.all(
        [owner, stranger].map(async (who) => {
          const response = await who.fetch(`${path}${QUERIES[path] ?? ''}`, {
            headers: { accept: 'application/json' },
          });
          expect({ path, kept: keptBy(response) }).toEqual({ path, kept: NEVER_KEPT });
          return { status: response.status, text: await response.text() };
        }),
      );
      expect({ path, his: his?.status, others: others?.status }).toEqual({ path, his: 200, others: 200 });
      expect({ path, found: marks.filter((mark) => others?.text.includes(mark)) }).toEqual({ path, found: [] });
      if (his?.text !== others?.text) holding.push(path);
    }
    // News is the only list that is the same for all.
    expect(LISTS.filter((path) => !NO_LIST.test(path) && !holding.includes(path))).toEqual(['/v1/news']);
  });

  it('no socket watches the owner’s order, alone or with one of theirs', async () => {
    const mine = (await stranger.call('POST', '/v1/order/create', { orders: [scanOf([KINGDOM + 3])] })).data.order_id;
    const live = (orders: string) =>
      stranger.fetch(`/v1/orders/live?orders=${orders}`, { headers: { upgrade: 'websocket' } });
    for (const orders of [`${own.order}`, `${mine},${own.order}`]) expect((await live(orders)).status).toBe(404);
    const { status, webSocket } = await live(`${mine}`);
    webSocket?.accept();
    webSocket?.close();
    expect(status).toBe(101);
  });
});

it('the owner may make all these calls, and no answer is cached', async () => {
  const refused: unknown[] = [];
  const files = ['/account/statement/download', '/account/export', `/order/${own.item}/download?type=csv`];
  for (const path of files) {
    const response = await owner.fetch(`/v1${path}`);
    expect({ path, status: response.status, kept: keptBy(response) }).toMatchObject({ status: 200, kept: NEVER_KEPT });
    await response.body?.cancel();
  }
  for (const [name, made] of [...Object.entries(NAMING), ...ROSTERS]) {
    const { status, text, kept } = await call(owner, name, made(own));
    if ((status !== 200 && status !== 303) || !/no-store/.test(kept ?? ''))
      refused.push({ name, status, kept, text: text.slice(0, 200) });
  }
  expect(refused).toEqual([]);
});

describe('a key of every scope but the one needed', () => {
  /** The scope that a call needs, by what it does. */
  const due = ({ method, path }: { method: string; path: string }): string => {
    if (/\/(links|shares)\b/.test(path)) return 'share';
    if (method === 'DELETE') return 'delete';
    const isLibrary = /^\/v1\/(scans|compare|fights|reports|rosters)/.test(path);
    if (method === 'GET') return isLibrary ? 'compare' : 'read';
    if (!isLibrary) return 'order';
    return path.startsWith('/v1/scans') ? 'import' : 'report';
  };
  const without: Record<string, Caller> = {};
  beforeAll(async () => {
    const user = await signedInUser(0);
    for (const scope of SCOPES) {
      const others = SCOPES.filter((each) => each !== scope);
      without[scope] = caller({ authorization: `Bearer ${(await makeKey(user, others)).data.key}` });
    }
  });
  const OPEN = FOR_USERS.filter(({ handlers }) => handlers.some(scopeOf));

  it.each(OPEN.map((each) => [nameOf(each), each] as const))('does not open %s', async (_, { method, path }) => {
    const scope = due({ method, path });
    const answer = await (without[scope] as Caller).call(
      method,
      path.replace(/:\w+/g, '1'),
      method === 'GET' ? undefined : {},
    );
    expect(answer).toMatchObject({ status: 403, msg: `This API key lacks the scope '${scope}'.` });
  });
});
