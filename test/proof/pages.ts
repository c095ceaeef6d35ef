import type { Page } from 'playwright-core';
import { type Client, ended, order, rowsOf, signedIn, waitFor } from '../support/client.ts';

/** The product's screens, as proofs walk them. */

export const PUBLIC_PAGES: readonly string[] = [
  '/',
  '/leaderboard',
  '/leaderboard/governor',
  '/leaderboard/alliance',
  '/leaderboard/kingdom?game=cod',
  '/login',
  '/register',
  '/password_reset',
  '/faq',
  '/eula',
  '/privacy',
  '/imprint',
  '/api-docs',
  '/no/such/page',
];

export const ADMIN_PAGES: readonly string[] = [
  '/admin',
  '/admin/orders',
  '/admin/bots',
  '/admin/events',
  '/admin/news',
  '/admin/reports',
  '/admin/payments',
  '/admin/access-codes',
  '/admin/outbox',
  '/admin/setbacks',
];

/** What the seed's user has to look at, once he has ordered two kingdoms. */
export interface Ordered {
  client: Client;
  orderId: number;
  itemId: string;
  governorId: string;
}

/** Orders two kingdoms as the seed's user and waits for their results. */
export async function orderedScans(address: string): Promise<Ordered> {
  const client = await signedIn(address);
  const { order_id, items } = await waitFor(client, await order(client, 'rok', [1003, 1004], 100), ended);
  const itemId = items[0]?.item_id ?? '';
  const [first] = await rowsOf(client, itemId);
  return { client, orderId: order_id, itemId, governorId: String(first?.governor_id) };
}

export const userPages = ({ orderId, itemId, governorId }: Ordered): readonly string[] => [
  '/dashboard',
  '/orders',
  '/orders?state=results',
  '/orders/new',
  '/orders/scheduled',
  '/orders/reports',
  `/order/${orderId}?all=true`,
  `/order/${itemId}`,
  '/kingdoms/1003',
  `/players/${governorId}`,
  '/players/1',
  '/scans',
  '/licenses',
  '/maps',
  '/account',
  '/account/balance',
  '/account/notifications',
  '/account/security',
  '/account/keys',
  '/account/shares',
  '/payment/status?status=cancelled',
];

/** The page's own script has drawn, and nothing on it is still being fetched. */
export async function settled(page: Page): Promise<void> {
  await page.locator('#main h1').first().waitFor();
  await page.waitForFunction(
    () =>
      !document.querySelector('.early') &&
      ![...document.querySelectorAll('[role=status]')].some((note) => note.textContent?.startsWith('Loading')),
  );
}
