/** Never fetched; only names entries in the cache. */
const EDGE = 'https://answers.invalid/';

/** The request that keeps the cache write alive: a route's context. */
export interface Edge {
  readonly executionCtx: Pick<ExecutionContext, 'waitUntil'>;
}

/**
 * Returns the result of `make`, cached at the edge under `name` for some seconds. Only for data that is the same for
 * everyone who may see it; the caller checks permission each time. Null is not cached.
 */
export async function edgeKept<Data>(
  edge: Edge,
  name: string,
  seconds: number,
  make: () => Promise<Data | null>,
): Promise<Data | null> {
  const address = `${EDGE}${name}`;
  const kept = await caches.default.match(address);
  if (kept) return kept.json<Data>();
  const data = await make();
  if (data !== null) {
    const copy = Response.json(data, { headers: { 'cache-control': `max-age=${seconds}` } });
    edge.executionCtx.waitUntil(caches.default.put(address, copy));
  }
  return data;
}
