import { focusManager } from '@tanstack/react-query';
import { createFileRoute, notFound, Outlet, redirect } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { message, t } from '../../domain/language/text.ts';
import { accountQuery } from '../api/account.ts';
import { Page } from '../components/page.tsx';
import { PagePending } from '../components/page-pending.tsx';
import { type MenuLink, SideMenu } from '../components/side-menu.tsx';
import { applyOwnLanguage } from '../language.ts';
import styles from './admin/admin.module.css';

/** Guards the admin pages. They do not exist for other users. */
export const Route = createFileRoute('/admin')({
  beforeLoad: async ({ context, location }) => {
    const account = await applyOwnLanguage(location.pathname, context.client.ensureQueryData(accountQuery));
    if (!account) throw redirect({ to: '/login', search: { from: location.href }, replace: true });
    if (account.role === 'user') throw notFound();
  },
  pendingComponent: PagePending,
  pendingMs: 0,
  component: AdminArea,
});

const LINKS: readonly MenuLink[] = [
  { label: message('Overview'), to: '/admin', exact: true },
  { label: message('Bots Listing'), to: '/admin/bots' },
  { label: message('Order Listing'), to: '/admin/orders' },
  { label: message('Accounts'), to: '/admin/accounts' },
  { label: message('Events'), to: '/admin/events' },
  { label: message('Reports'), to: '/admin/reports' },
  { label: message('Removals'), to: '/admin/removals' },
  { label: message('News'), to: '/admin/news' },
  { label: message('Payments'), to: '/admin/payments' },
  { label: message('Boards'), to: '/admin/boards' },
  { label: message('Products'), to: '/admin/products' },
  { label: message('Licence'), to: '/admin/licence' },
  { label: message('Access codes'), to: '/admin/access-codes' },
  { label: message('Outbox'), to: '/admin/outbox' },
  { label: message('Retry queue'), to: '/admin/setbacks' },
  { label: message('Activity log'), to: '/admin/activity' },
];

function AdminArea() {
  return (
    <Page title={t('Admin')} area>
      <SideMenu label={t('Admin')} links={LINKS}>
        <Outlet />
        <PausedUpdates />
      </SideMenu>
    </Page>
  );
}

const isSelecting = (): boolean => {
  const selection = document.getSelection();
  return selection !== null && !selection.isCollapsed && selection.toString().trim() !== '';
};

/** Pauses the polling of admin pages while text is selected, because an update would take the selection away. */
function PausedUpdates() {
  const [paused, setPaused] = useState(false);
  useEffect(() => {
    const look = () => setPaused(isSelecting());
    document.addEventListener('selectionchange', look);
    return () => document.removeEventListener('selectionchange', look);
  }, []);
  useEffect(() => {
    // TanStack Query polls only pages that have the focus, and catches up when it returns.
    if (paused) focusManager.setFocused(false);
    return () => focusManager.setFocused(undefined);
  }, [paused]);
  return (
    <p role="status" className={styles.paused} hidden={!paused}>
      {paused && t('Updates pause while you select.')}
    </p>
  );
}
