import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, Outlet } from '@tanstack/react-router';
import { Shell } from '../components/shell.tsx';
import { SignedInProvider } from '../components/signed-in.tsx';
import { completeLanguage } from '../language.ts';

export const Route = createRootRouteWithContext<{
  client: QueryClient;
  /** `now` while the Worker renders a page, and until the browser has hydrated it: loaders then request the same. */
  rendering?: { now: boolean };
}>()({
  // The first page has its messages already (web/main.tsx), as one that the Worker renders.
  beforeLoad: ({ context, location, cause }) =>
    context.rendering?.now || cause === 'enter' ? undefined : completeLanguage(location.pathname),
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
