import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { usualSettings } from '../../domain/compare/contract.ts';
import type { EventPayload } from '../../domain/events/contract.ts';
import { type Client, ended, order, rowsOf, signedIn, waitFor } from './client.ts';

/**
 * Addresses of every screen of the product, with data to show. They come from the route tree, so a new screen is
 * included. A parameter without an example here ends the run.
 */

const ROOT = resolve(import.meta.dirname, '../..');

export type Who = 'visitor' | 'user' | 'admin';

interface Screen {
  path: string;
  who: Who;
}

/** A screen and the address at which there is something to see of it. */
export interface Placed extends Screen {
  at: string;
}

/** Every path of the route tree, and behind which guard it lies. */
export function screensOf(): Screen[] {
  const tree = readFileSync(join(ROOT, 'web/route-tree.gen.ts'), 'utf8');
  const guarded = new Set(
    [...tree.matchAll(/'\/_signed-in(\/[^']*)': typeof/g)].map(([, path = '']) => path.replace(/(.)\/$/, '$1')),
  );
  const paths = JSON.parse(readFileSync(join(ROOT, 'dist/web/pages.json'), 'utf8')) as string[];
  return [...new Set(paths.map((path) => path.replace(/(.)\/$/, '$1')))]
    .filter((path) => path !== '/logout')
    .sort()
    .map((path) => ({ path, who: path.startsWith('/admin') ? 'admin' : guarded.has(path) ? 'user' : 'visitor' }));
}

/** A path with examples in place of its parameters. */
export function filled(path: string, examples: Readonly<Record<string, string>>): string {
  return path.replace(/\$(\w+)/g, (_, name: string) => {
    const example = examples[`${path} $${name}`] ?? examples[`$${name}`];
    if (example === undefined) throw new Error(`${path} needs an example of $${name} in test/support/every-screen.ts.`);
    return example;
  });
}

const DAY_MS = 86_400_000;

/** Makes the data to show: orders with results, a comparison, links to them, and events in every state. */
async function examplesOf(address: string): Promise<Record<string, string>> {
  const [client, admin] = [await signedIn(address), await signedIn(address, 'admin', 'admin-muster')];
  const first = await waitFor(client, await order(client, 'rok', [1003, 1004], 300), ended);
  const second = await waitFor(client, await order(client, 'rok', [1003, 1004], 300), ended);
  const [from = '', to = ''] = [first, second].map(({ items }) => items[0]?.item_id ?? '');
  const [governor] = await rowsOf(client, from);
  const link = await client.call<{ path: string }>('POST', `/v1/order/${from}/shares`, { days: 7 });
  const { report_id } = await client.call<{ report_id: string }>('POST', '/v1/reports', {
    name: 'A week of kingdom 1003',
    ranges: [{ name: '', from: [from], to: [to] }],
    settings: { ...usualSettings('rok'), note: 'Thank you all.' },
  });
  const report = await client.call<{ path: string }>('POST', `/v1/reports/${report_id}/links`, { days: 30 });
  const { team_id } = await client.call<{ team_id: string }>('POST', '/v1/teams', { name: 'Council of 1003' });
  const invite = await client.call<{ path: string }>('POST', `/v1/teams/${team_id}/invites`, {
    role: 'leader',
    days: 7,
  });
  const events = await eventsOf(address, admin);
  const { accounts } = await admin.call<{ accounts: { user_id: string }[] }>('GET', '/v1/admin/accounts?search=demo');
  await client.call('POST', '/v1/payment/checkout', { amount: 5 });
  const { payments } = await admin.call<{ payments: { payment_id: string }[] }>('GET', '/v1/admin/payments');
  const { bots } = await admin.call<{ bots: Record<string, { bot_id: string }[]> }>('GET', '/v1/admin/bots');
  return {
    $orderId: from,
    $id: String(governor?.governor_id),
    $kingdomId: '1003',
    $tag: String(governor?.alliance_tag),
    '/shared/$token $token': link.path.replace('/shared/', ''),
    '/reports/shared/$token $token': report.path.replace('/reports/shared/', ''),
    $code: 'no-such-link',
    $reportId: report_id,
    $teamId: team_id,
    '/teams/invites/$token $token': invite.path.replace('/teams/invites/', ''),
    '/dashboards/$dashboardId $dashboardId': events.running,
    '/cod-dashboards/$dashboardId $dashboardId': events.runningCod,
    '/dashboards/$dashboardId/kingdoms/$kingdom $dashboardId': events.running,
    '/dashboards/$dashboardId/kingdoms/$kingdom $kingdom': events.kingdom,
    '/cod-dashboards/$dashboardId/kingdoms/$kingdom $dashboardId': events.runningCod,
    '/cod-dashboards/$dashboardId/kingdoms/$kingdom $kingdom': events.kingdomCod,
    '/admin/orders/$orderId $orderId': String(first.order_id),
    $userId: accounts[0]?.user_id ?? '',
    $governorId: String(governor?.governor_id),
    $paymentId: payments[0]?.payment_id ?? '',
    $eventId: events.running,
    $botId: Object.values(bots)[0]?.[0]?.bot_id ?? '',
    _order: String(first.order_id),
    _compared: `from=${from}&to=${to}`,
    _upcoming: events.upcoming,
    _gappy: events.gappy,
    _ended: events.ended,
    _archived: events.archived,
  };
}

interface AdminsEvent {
  dashboard_id: number;
  state: string;
  event: EventPayload;
}

/** Events of every age: the seed's, of which one is archived, and two of ours, which are made once in each copy. */
async function eventsOf(address: string, admin: Client) {
  const { events } = await admin.call<{ events: AdminsEvent[] }>('GET', '/v1/admin/events');
  const oneOf = (game: string, ...states: string[]): AdminsEvent => {
    // The oldest ones are the seed's.
    const found = events.findLast(({ event, state }) => event.game === game && states.includes(state));
    if (!found) throw new Error(`The seed has no event of ${game} that is ${states.join(' or ')}.`);
    return found;
  };
  const own = async (event: EventPayload, fill?: (id: number) => Promise<void>): Promise<string> => {
    const made = events.find((each) => each.event.kvk_id === event.kvk_id);
    if (made) return String(made.dashboard_id);
    const { dashboard_id } = await admin.call<{ dashboard_id: number }>('POST', '/v1/admin/events', event);
    await fill?.(dashboard_id);
    await admin.call('POST', `/v1/admin/events/${dashboard_id}/publish`);
    return String(dashboard_id);
  };
  const running = oneOf('rok', 'running');
  const runningCod = oneOf('cod', 'running');
  const kingdomOf = ({ event }: AdminsEvent): string => String(event.camps[0]?.kingdoms[0]);
  const runningId = String(running.dashboard_id);
  const start = Date.now() + 5 * DAY_MS;
  const coming = { name: 'Lost Kingdom to come', kvk_id: 'ROK-NEXT', dates: {}, start, end: start + 35 * DAY_MS };
  const gappy = { name: 'Lost Kingdom with a gap', kvk_id: 'ROK-GAP', gather: false };
  const over = oneOf('cod', 'ended', 'archived');
  if (over.state === 'ended') await admin.call('POST', `/v1/admin/events/${over.dashboard_id}/archive`);
  return {
    running: runningId,
    runningCod: String(runningCod.dashboard_id),
    kingdom: kingdomOf(running),
    kingdomCod: kingdomOf(runningCod),
    ended: String(oneOf('rok', 'ended').dashboard_id),
    upcoming: await own({ ...running.event, ...coming }),
    gappy: await own({ ...running.event, ...gappy }, (id) => loadWithGap(address, admin, runningId, id)),
    archived: String(over.dashboard_id),
  };
}

/** Loads the first and the newest scan of one event into another, the newest without one of its kingdoms. */
async function loadWithGap(address: string, admin: Client, from: string, to: number): Promise<void> {
  const { snapshots } = await admin.call<{ snapshots: { ts: number }[] }>('GET', `/v1/dashboards/${from}/`);
  const [first = 0, newest = 0] = [snapshots[0]?.ts, snapshots.at(-1)?.ts];
  for (const ts of [first, newest]) {
    const file = await admin.send('GET', `/v1/dashboards/${from}/snapshot/${ts}/download?type=csv`);
    const [header = '', ...lines] = (await file.text()).split('\r\n');
    const column = header.split(',').indexOf('home_kingdom');
    const gone = lines[0]?.split(',')[column];
    const kept = ts === first ? lines : lines.filter((line) => line.split(',')[column] !== gone);
    const loaded = await fetch(`${address}/v1/admin/events/${to}/snapshots?captured_at=${new Date(ts).toISOString()}`, {
      method: 'POST',
      headers: { cookie: admin.cookie(), 'content-type': 'text/csv' },
      body: [header, ...kept].join('\r\n'),
    });
    if (!loaded.ok) throw new Error(`The event with a gap: ${await loaded.text()}`);
  }
}

/** Names and addresses of screens that look different for some search parameters. */
const moreOf = (examples: Readonly<Record<string, string>>): Placed[] => [
  { path: '/order, combined', at: `/order/${examples._order}?all=true`, who: 'user' },
  { path: '/order, sums', at: `/order/${examples._order}?all=true&sums=true`, who: 'user' },
  { path: '/compare, of two scans', at: `/compare?${examples._compared}`, who: 'user' },
  { path: '/dashboards, upcoming', at: `/dashboards/${examples._upcoming}`, who: 'visitor' },
  { path: '/dashboards, a kingdom missing', at: `/dashboards/${examples._gappy}`, who: 'visitor' },
  { path: '/dashboards, ended', at: `/dashboards/${examples._ended}`, who: 'visitor' },
  { path: '/cod-dashboards, archived', at: `/cod-dashboards/${examples._archived}`, who: 'visitor' },
  { path: '/dashboards, sums', at: `/dashboards/${examples.$eventId}?tab=2`, who: 'visitor' },
  { path: '/dashboards, downloads', at: `/dashboards/${examples.$eventId}?tab=3`, who: 'visitor' },
  { path: '/dashboards, embedded', at: `/dashboards/${examples.$eventId}?embed=true`, who: 'visitor' },
  { path: '/leaderboard, of the other game', at: '/leaderboard/kingdom?game=cod', who: 'visitor' },
  { path: '/orders, with results', at: '/orders?state=results', who: 'user' },
  { path: '/players, unknown', at: '/players/1', who: 'user' },
  { path: '/payment, cancelled', at: '/payment/status?status=cancelled', who: 'user' },
  { path: '/no, such page', at: '/no/such/page', who: 'visitor' },
];

/** All of them in a copy, to which it adds what there is to show: orders, links, events. */
export async function everyScreen(address: string): Promise<Placed[]> {
  const examples = await examplesOf(address);
  return [...screensOf().map((screen) => ({ ...screen, at: filled(screen.path, examples) })), ...moreOf(examples)];
}
