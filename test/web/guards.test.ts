import './page.ts';
import { QueryClient } from '@tanstack/react-query';
import { createMemoryHistory, createRouter } from '@tanstack/react-router';
import { afterAll, describe, expect, test, vi } from 'vitest';

/**
 * Every URL of the specification's section 2: it exists, its guard admits the right users, and its title is correct.
 */

afterAll(() => {
  vi.unstubAllGlobals();
});

type Visitor = 'nobody' | 'user' | 'admin';

vi.stubGlobal('fetch', () => Promise.reject(new TypeError('No network in this test.')));
// Globals that pages read on import. Other test files run in the same process.
vi.mock('uplot', () => ({ default: class {} }));
vi.mock('uplot/dist/uPlot.min.css', () => ({}));
vi.stubGlobal('self', globalThis);
vi.stubGlobal('document', { ...globalThis.document, cookie: '', documentElement: {} });
vi.stubGlobal('window', { origin: location.origin, scrollTo: () => undefined });
const { accountQuery } = await import('../../web/api/account.ts');
const { routeTree } = await import('../../web/route-tree.gen.ts');
const SOURCES = import.meta.glob<string>('../../web/routes/**/*.tsx', {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** Where a request for a URL leads, and whether a page exists for it. */
async function visit(path: string, who: Visitor) {
  const client = new QueryClient({
    defaultOptions: { queries: { retry: false, staleTime: Number.POSITIVE_INFINITY } },
  });
  const account = who === 'nobody' ? null : ({ user: 'somebody', role: who, eula_accepted: true } as never);
  client.setQueryData(accountQuery.queryKey, account);
  const history = createMemoryHistory({ initialEntries: [path] });
  const router = createRouter({ routeTree, context: { client }, history });
  await router.load();
  const { location, matches } = router.state;
  return {
    path: location.pathname,
    from: (location.search as { from?: string }).from,
    // A redirect replaces the history entry, so Back does not return to it.
    entries: history.length,
    found:
      matches.length > 1 &&
      matches.every((match) => match.status !== 'notFound' && !('globalNotFound' in match && match.globalNotFound)),
  };
}

const sourceOf = (file: string): string => SOURCES[`../../web/routes/${file}`] ?? '';

/** URL, source file and the title as written there; null if the title depends on data. */
const PUBLIC: readonly [path: string, file: string, title: string | null][] = [
  ['/', 'index.tsx', '<title>{t(HOME_TITLE)}</title>'],
  ['/faq', 'faq.tsx', 'title={words(FAQ_TITLE)}'],
  ['/login', 'login.tsx', 'Login'],
  ['/register', 'register.tsx', 'Create account'],
  ['/eula', 'eula.tsx', "title={t('Licence')}"],
  ['/verify-email', 'verify-email.tsx', 'title={'],
  ['/leaderboard', 'leaderboard/index.tsx', 'Leaderboards'],
  ['/leaderboard/governor', 'leaderboard/-board.tsx', 'title={boardTitle(game, kind)}'],
  ['/leaderboard/alliance', 'leaderboard/-board.tsx', 'title={boardTitle(game, kind)}'],
  ['/leaderboard/kingdom', 'leaderboard/-board.tsx', 'title={boardTitle(game, kind)}'],
  ['/dashboards/7', 'dashboards/$dashboardId.tsx', null],
  ['/cod-dashboards/7', 'cod-dashboards/$dashboardId.tsx', null],
  ['/password_reset', 'password_reset.tsx', 'password'],
  ['/maps', 'maps.tsx', 'Maps'],
];
const SIGNED_IN: typeof PUBLIC = [
  ['/dashboard', 'dashboard.tsx', 'Dashboard'],
  ['/account', 'account/index.tsx', 'Account'],
  ['/licenses', 'licenses.tsx', 'Licenses'],
  ['/orders', 'orders/index.tsx', 'Orders'],
  ['/orders/scheduled', 'orders/scheduled.tsx', 'Scheduled'],
  ['/orders/new', 'orders/new.tsx', 'New order'],
  ['/order/5c0f', 'order/-item-results.tsx', 'Order results'],
  ['/order/12?all=true', 'order/-combined-results.tsx', 'Order #'],
  ['/orders/reports', 'orders/reports.tsx', 'Reports Page'],
  ['/payment/status?status=success&session_id=cs_1', 'payment/status.tsx', 'Payment'],
  ['/players/11', 'players/$id.tsx', null],
  ['/kingdoms/1042/', 'kingdoms/$kingdomId.tsx', null],
];
const ADMIN: readonly string[] = ['/admin/', '/admin/bots/', '/admin/bots/7', '/admin/orders/'];

const bare = (path: string): string => path.replace(/\?.*/, '').replace(/(.)\/$/, '$1');

describe('a public URL', () => {
  test.each(PUBLIC)('%s', async (path, file, title) => {
    const seen = await visit(path, 'nobody');
    expect([bare(seen.path), seen.found]).toEqual([path, true]);
    expect(sourceOf(file)).toContain(title ?? 'createFileRoute');
  });
});

describe('a URL for users', () => {
  test.each(SIGNED_IN)('%s', async (path, file, title) => {
    const visitor = await visit(path, 'nobody');
    expect([visitor.path, visitor.entries]).toEqual(['/login', 1]);
    expect(bare(visitor.from ?? '')).toBe(bare(path));
    const user = await visit(path, 'user');
    expect([bare(user.path), user.found]).toEqual([bare(path), true]);
    expect(sourceOf(`_signed-in/${file}`)).toContain(title ?? 'createFileRoute');
  });

  test('/logout also redirects visitors', async () => {
    expect((await visit('/logout', 'nobody')).path).toBe('/login');
  });
});

describe('a URL for admins', () => {
  test.each(ADMIN)('%s', async (path) => {
    expect(await visit(path, 'nobody')).toMatchObject({ path: '/login', entries: 1 });
    expect((await visit(path, 'user')).found).toBe(false);
    expect(await visit(path, 'admin')).toMatchObject({ found: true });
    expect(bare((await visit(path, 'admin')).path)).toBe(bare(path));
  });
});

test('any other URL is not found', async () => {
  expect((await visit('/no-such-page', 'nobody')).found).toBe(false);
  expect((await visit('/orders/none/of/these', 'user')).found).toBe(false);
});
