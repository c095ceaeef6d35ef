import { createFileRoute, Outlet, redirect } from '@tanstack/react-router';
import { accountQuery } from '../api/account.ts';
import { LiveOrdersProvider } from '../components/live-orders.tsx';
import { PagePending } from '../components/page-pending.tsx';
import { applyOwnLanguage } from '../language.ts';

/** Guards the pages below. Visitors are redirected to the login, which returns them here. */
export const Route = createFileRoute('/_signed-in')({
  beforeLoad: async ({ context, location }) => {
    const account = await applyOwnLanguage(location.pathname, context.client.ensureQueryData(accountQuery));
    if (!account) throw redirect({ to: '/login', search: { from: location.href }, replace: true });
    return { account };
  },
  pendingComponent: PagePending,
  pendingMs: 0,
  component: SignedIn,
});

function SignedIn() {
  return (
    <LiveOrdersProvider>
      <Outlet />
    </LiveOrdersProvider>
  );
}
