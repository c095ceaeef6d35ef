import { createFileRoute, notFound, Outlet, redirect } from '@tanstack/react-router';
import { accountQuery } from '../api/account.ts';
import { Page } from '../components/page.tsx';
import { PagePending } from '../components/page-pending.tsx';
import { type MenuLink, SideMenu } from '../components/side-menu.tsx';
import { applyOwnLanguage } from '../language.ts';

/** Guards the admin pages. They do not exist for other users. */
export const Route = createFileRoute('/admin')({
  beforeLoad: async ({ context, location }) => {
    const [account] = await Promise.all([
      context.client.ensureQueryData(accountQuery),
      applyOwnLanguage(location.pathname),
    ]);
    if (!account) throw redirect({ to: '/login', search: { from: location.href }, replace: true });
    if (account.role === 'user') throw notFound();
  },
  pendingComponent: PagePending,
  pendingMs: 0,
  component: AdminArea,
});

const LINKS: readonly MenuLink[] = [
  { label: 'Overview', to: '/admin', exact: true },
  { label: 'Bots Listing', to: '/admin/bots' },
  { label: 'Order Listing', to: '/admin/orders' },
  { label: 'Accounts', to: '/admin/accounts' },
  { label: 'Events', to: '/admin/events' },
  { label: 'Reports', to: '/admin/reports' },
  { label: 'Removals', to: '/admin/removals' },
  { label: 'News', to: '/admin/news' },
  { label: 'Payments', to: '/admin/payments' },
  { label: 'Access codes', to: '/admin/access-codes' },
  { label: 'Outbox', to: '/admin/outbox' },
  { label: 'Retry queue', to: '/admin/setbacks' },
  { label: 'Activity log', to: '/admin/activity' },
];

function AdminArea() {
  return (
    <Page title="Admin" area>
      <SideMenu label="Admin" links={LINKS}>
        <Outlet />
      </SideMenu>
    </Page>
  );
}
