/** Never fetched: only names inside the cache. */
const EDGE = 'https://answers.invalid/';

/** The request in whose time an answer is kept: a route's context. */
export interface Edge {
  readonly executionCtx: Pick<ExecutionContext, 'waitUntil'>;
}

/**
 * What `make` gives, kept at the edge for some seconds under a name: for answers that are the same for everyone who
 * may have them. Who may is decided by the caller, each time. Nothing (null) is not kept.
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
