import { type InvalidateOptions, type InvalidateQueryFilters, QueryClient, type QueryKey } from '@tanstack/react-query';

/**
 * The answers that the page has. A first answer that is on its way when something is written may be from before that: it is
 * asked for anew, where TanStack's own client would take it for the new one.
 */
export class Answers extends QueryClient {
  override invalidateQueries<Key extends QueryKey = QueryKey>(
    filters?: InvalidateQueryFilters<Key>,
    options?: InvalidateOptions,
  ): Promise<void> {
    for (const query of this.getQueryCache().findAll(filters)) {
      if (query.state.data !== undefined || query.state.fetchStatus !== 'fetching') continue;
      // Whoever waits for the one waits for the other from here on, and is told where it fails.
      void query.cancel({ silent: true });
      void query.fetch().catch(() => undefined);
    }
    return super.invalidateQueries(filters, options);
  }
}
