import { MutationCache, notifyManager, QueryCache } from '@tanstack/react-query';
import { createRouter } from '@tanstack/react-router';
import { accountQuery, forgetUser } from './api/account.ts';
import { ApiError } from './api/client.ts';
import { Answers } from './api/query-client.ts';
import { NotFound } from './components/not-found.tsx';
import { RouteError } from './components/route-error.tsx';
import { routeTree } from './route-tree.gen.ts';

/** The query cache and the router of one page load. */
export function createApp() {
  // What a press began is drawn before the next press is heard, also by a slow phone: a double click finds its button busy.
  notifyManager.setScheduler((tell) => (event ? queueMicrotask : setTimeout)(tell));
  const client = new Answers({
    defaultOptions: { queries: { retry: mayHelp, staleTime: 15_000 } },
    queryCache: new QueryCache({ onError: (error) => onError(error) }),
    mutationCache: new MutationCache({
      onError: (error, _sent, _before, { state }) => onError(error, state.submittedAt),
    }),
  });
  const router = createRouter({
    routeTree,
    context: { client },
    defaultPreload: 'intent',
    // The query cache decides what is fresh.
    defaultPreloadStaleTime: 0,
    // A skeleton has the size of what follows, so nothing is won by showing it longer.
    defaultPendingMinMs: 0,
    defaultNotFoundComponent: NotFound,
    defaultErrorComponent: RouteError,
    scrollRestoration: true,
  });
  const isGuarded = () =>
    router.matchRoutes(router.latestLocation).some(({ routeId }) => /^\/(_signed-in|admin)\b/.test(routeId));
  // A session can end while a page is open: the guard then sends its user to the sign-in, and back here after it.
  // What is known of him since a write was begun counts for more than the answer to it: he may have signed in again.
  const onError = (error: unknown, begun?: number) => {
    if (!(error instanceof ApiError)) return;
    // A late answer does not move a user who has gone to a page that needs no licence.
    if (error.reason === 'eula' && isGuarded())
      void router.navigate({ to: '/eula', search: { from: router.latestLocation.href } });
    // Where a code is asked for, nobody was signed in yet.
    if (error.status !== 401 || error.reason === 'two_factor') return;
    if (begun && begun < (client.getQueryState(accountQuery.queryKey)?.dataUpdatedAt ?? 0)) return;
    forgetUser(client);
    void router.invalidate();
  };
  return { client, router };
}

/** Another try helps where no answer came or the server stumbled, not where it refused. */
const mayHelp = (failures: number, error: Error): boolean =>
  failures < 2 && error instanceof ApiError && (error.status === 0 || error.status >= 500);

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createApp>['router'];
  }
}
