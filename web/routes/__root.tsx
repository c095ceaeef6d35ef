import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, Outlet } from '@tanstack/react-router';
import { Shell } from '../components/shell.tsx';
import { SignedInProvider } from '../components/signed-in.tsx';

export const Route = createRootRouteWithContext<{
  client: QueryClient;
  /** `now` while the Worker renders a page, and until the browser has hydrated it: loaders then request the same. */
  rendering?: { now: boolean };
}>()({
  component: Root,
});

function Root() {
  return (
    <SignedInProvider>
      <Shell>
        <Outlet />
      </Shell>
    </SignedInProvider>
  );
}
