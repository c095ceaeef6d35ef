import { useQuery } from '@tanstack/react-query';
import { createFileRoute, Outlet } from '@tanstack/react-router';
import { message, t } from '../../../domain/language/text.ts';
import { accountQuery } from '../../api/account.ts';
import { Page } from '../../components/page.tsx';
import { type MenuLink, SideMenu } from '../../components/side-menu.tsx';

export const Route = createFileRoute('/_signed-in/account')({ component: AccountArea });

const LINKS: readonly MenuLink[] = [
  { label: message('Account'), to: '/account', exact: true },
  { label: message('Balance'), to: '/account/balance' },
  { label: message('Notifications'), to: '/account/notifications' },
  { label: message('Security'), to: '/account/security' },
  { label: message('API Keys'), to: '/account/keys' },
  { label: message('Shared links'), to: '/account/shares' },
];

function AccountArea() {
  const { data: account } = useQuery(accountQuery);
  const portal = account?.stripe_customer_url;
  return (
    <Page title={t('My Account')} area>
      <SideMenu
        label={t('Account')}
        links={LINKS}
        outside={portal ? { label: t('Billing Portal'), href: portal } : null}
      >
        <Outlet />
      </SideMenu>
    </Page>
  );
}
