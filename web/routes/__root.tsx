import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, Outlet } from '@tanstack/react-router';
import { Shell } from '../components/shell.tsx';

export const Route = createRootRouteWithContext<{ client: QueryClient }>()({
  component: Root,
});

function Root() {
  return (
    <Shell>
      <Outlet />
    </Shell>
  );
}
