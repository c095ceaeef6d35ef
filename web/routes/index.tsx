import { createFileRoute, redirect } from '@tanstack/react-router';
import { accountQuery } from '../api/account.ts';
import { storedUser } from '../session.ts';

export const Route = createFileRoute('/')({
  beforeLoad: async ({ context }) => {
    if (storedUser() === null) return;
    // Whoever cannot be asked about is a visitor here: the home page is for everybody.
    const account = await context.client.ensureQueryData(accountQuery).catch(() => null);
    if (account) throw redirect({ to: '/orders', replace: true });
  },
  component: Home,
});

function Home() {
  return <h1>Welcome to Muster!</h1>;
}
