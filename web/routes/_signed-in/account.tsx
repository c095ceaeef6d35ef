import { useQuery } from '@tanstack/react-query';
import { createFileRoute, Outlet } from '@tanstack/react-router';
import { accountQuery } from '../../api/account.ts';
import { Page } from '../../components/page.tsx';
import { type MenuLink, SideMenu } from '../../components/side-menu.tsx';

export const Route = createFileRoute('/_signed-in/account')({ component: AccountArea });

const LINKS: readonly MenuLink[] = [
  { label: 'Account', to: '/account', exact: true },
  { label: 'Balance', to: '/account/balance' },
  { label: 'Notifications', to: '/account/notifications' },
  { label: 'Security', to: '/account/security' },
  { label: 'API Keys', to: '/account/keys' },
  { label: 'Shared links', to: '/account/shares' },
];

function AccountArea() {
  const { data: account } = useQuery(accountQuery);
  const portal = account?.stripe_customer_url;
  return (
    <Page title="My Account" area>
      <SideMenu label="Account" links={LINKS} outside={portal ? { label: 'Billing Portal', href: portal } : null}>
        <Outlet />
      </SideMenu>
    </Page>
  );
}
