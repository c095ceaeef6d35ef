import type { Context } from 'hono';

/** Never fetched: only names inside the cache. */
const EDGE = 'https://answers.invalid/';

/**
 * What `make` gives, kept at the edge for some seconds under a name: for answers that are the same for everyone who
 * may have them. Who may is decided by the caller, each time. Nothing (null) is not kept.
 */
export async function edgeKept<Data>(
  context: Context,
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
    context.executionCtx.waitUntil(caches.default.put(address, copy));
  }
  return data;
}
