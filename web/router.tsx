import { MutationCache, notifyManager, QueryCache } from '@tanstack/react-query';
import { type AnyRoute, createRouter, type RouterHistory } from '@tanstack/react-router';
import { locale } from '../domain/language/current.ts';
import { type Locale, splitPath } from '../domain/language/locales.ts';
import { addressIn, isPublicPath } from '../domain/language/public-paths.ts';
import { accountQuery, forgetUser } from './api/account.ts';
import { ApiError, type Ask } from './api/client.ts';
import { LICENCE_KEY } from './api/licenses.ts';
import { AppQueryClient } from './api/query-client.ts';
import { NotFound } from './components/not-found.tsx';
import { RouteError } from './components/route-error.tsx';
import { routeTree } from './route-tree.gen.ts';
import { useLocale } from './ui/use-locale.ts';

/** Renders the routes' components again when the language changes, because the router renders each only once. */
function followLanguage({ options, children }: AnyRoute): void {
  const Own = options.component;
  if (Own) {
    // biome-ignore lint/correctness/noComponentHookFactories: made once per route.
    const InLanguage = () => {
      useLocale();
      return <Own />;
    };
    // Inherits `preload`, by which the router loads the component's script.
    options.component = Object.setPrototypeOf(InLanguage, Own);
  }
  (children as AnyRoute[] | undefined)?.forEach(followLanguage);
}
followLanguage(routeTree);

/** Creates the query client and the router. `server` is what the Worker provides instead of a browser. */
export function createApp(server?: { history: RouterHistory; ask: Ask }) {
  // Render the result of a click before the next event, so that a double click finds its button busy even on slow
  // phones.
  if (!server) notifyManager.setScheduler((tell) => (event ? queueMicrotask : setTimeout)(tell));
  const client = new AppQueryClient({
    defaultOptions: {
      queries: { staleTime: 15_000, ...(server ? { meta: { ask: server.ask }, retry: false } : { retry: mayHelp }) },
    },
    queryCache: new QueryCache({ onError: (error) => onError(error) }),
    mutationCache: new MutationCache({
      onError: (error, _sent, _before, { state }) => onError(error, state.submittedAt),
    }),
  });
  const rendering = { now: server !== undefined };
  const router = createRouter({
    routeTree,
    context: { client, rendering },
    defaultPreload: 'intent',
    // The query cache decides what is fresh.
    defaultPreloadStaleTime: 0,
    // Skeletons match the size of the content, so showing them longer has no benefit.
    defaultPendingMinMs: 0,
    defaultNotFoundComponent: NotFound,
    defaultErrorComponent: RouteError,
    rewrite: LANGUAGE_IN_ADDRESS,
    ...(server && { history: server.history }),
    scrollRestoration: !server,
  });
  const isIn = (area: RegExp) => router.matchRoutes(router.latestLocation).some(({ routeId }) => area.test(routeId));
  // A session can end while a page is open. The guard then redirects to the login and back. Ignore failures of
  // mutations that started before the latest account update, because the user may have signed in again since.
  const onError = (error: unknown, begun?: number) => {
    if (!(error instanceof ApiError)) return;
    if (error.reason === 'eula') {
      // A newer version of the licence may hold than the one that the user accepted.
      for (const queryKey of [LICENCE_KEY, accountQuery.queryKey]) void client.invalidateQueries({ queryKey });
      // A late answer must not redirect a user who has moved to a page that needs no licence.
      if (isIn(/^\/(_signed-in|admin)\b/))
        void router.navigate({ to: '/eula', search: { from: router.latestLocation.href } });
    }
    // To a caller who is no longer an admin, the admin area answers like an unknown path.
    if (error.status === 404 && isIn(/^\/admin\b/)) void client.invalidateQueries({ queryKey: accountQuery.queryKey });
    // If a second factor is required, the user was not signed in yet.
    if (error.status !== 401 || error.reason === 'two_factor') return;
    if (begun && begun < (client.getQueryState(accountQuery.queryKey)?.dataUpdatedAt ?? 0)) return;
    forgetUser(client);
    void router.invalidate();
  };
  return { client, router, rendering };
}

/** Addresses of public pages begin with their language, which routes and links do not name. */
const LANGUAGE_IN_ADDRESS = {
  input: ({ url }: { url: URL }) => {
    const { path } = splitPath(url.pathname);
    if (isPublicPath(path)) url.pathname = path;
    return url;
  },
  output: ({ url }: { url: URL }) => {
    url.pathname = addressIn(locale(), url.pathname);
    return url;
  },
};

/** Retries failures of connection or server, not refusals. */
const mayHelp = (failures: number, error: Error): boolean =>
  failures < 2 && error instanceof ApiError && (error.status === 0 || error.status >= 500);

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createApp>['router'];
  }

  interface HistoryState {
    /**
     * Differs when the address gets another language, because the router compares addresses without it and would not
     * replace an equal one.
     */
    language?: Locale;
  }
}
