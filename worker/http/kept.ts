import type { Context } from 'hono';

/**
 * Answers that Workers Cache may keep: Cloudflare's tiered cache in front of this Worker (`[cache]` in wrangler.toml).
 * It answers for the Worker whatever cookies a request carries, so only answers that are the same for everybody enter
 * it. All others say so, because it also keeps answers without a word about caching.
 */

/** How long an answer is kept, in s. */
interface Kept {
  browser: number;
  /** In Workers Cache. */
  edge: number;
  /** How long after that Workers Cache still sends it while it fetches a newer one. */
  stale: number;
  /** Names by which a change drops it from Workers Cache. */
  tags?: readonly string[];
}

/** Returns the headers of an answer that caches may keep. Cloudflare removes its own ones. */
export const keptFor = ({ browser, edge, stale, tags = [] }: Kept): Record<string, string> => ({
  'cache-control': `public, max-age=${browser}`,
  'cloudflare-cdn-cache-control': `max-age=${edge}, stale-while-revalidate=${stale}`,
  ...(tags.length > 0 ? { 'cache-tag': tags.join(',') } : {}),
});

/** Takes back what a route that then failed let caches keep. */
export function keepNothing(context: Pick<Context, 'header'>): void {
  context.header('cache-control', 'no-store');
  for (const name of ['cloudflare-cdn-cache-control', 'cache-tag']) context.header(name, undefined);
}

/** Lets caches keep the answer of a route. */
export function keep(context: Pick<Context, 'header'>, kept: Kept): void {
  for (const [name, value] of Object.entries(keptFor(kept))) context.header(name, value);
}
