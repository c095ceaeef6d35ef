import { type InvalidateOptions, type InvalidateQueryFilters, QueryClient, type QueryKey } from '@tanstack/react-query';

/**
 * A QueryClient that also restarts a first fetch on invalidation. Such a fetch may have read the data before the write,
 * but TanStack's own client would accept its result as new.
 */
export class AppQueryClient extends QueryClient {
  override invalidateQueries<Key extends QueryKey = QueryKey>(
    filters?: InvalidateQueryFilters<Key>,
    options?: InvalidateOptions,
  ): Promise<void> {
    for (const query of this.getQueryCache().findAll(filters)) {
      if (query.state.data !== undefined || query.state.fetchStatus !== 'fetching') continue;
      // Callers that await the cancelled fetch receive the result of the new one.
      void query.cancel({ silent: true });
      void query.fetch().catch(() => undefined);
    }
    return super.invalidateQueries(filters, options);
  }
}
