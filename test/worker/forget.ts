import { reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { forgetManifest } from '../../worker/gateways/board-cache.ts';
import { LruCache } from '../../worker/isolate/lru-cache.ts';
import { forgetHealth } from '../../worker/services/service/check-health.ts';

/** Empties what test files share: storage, caches, the isolate's memory, and replaced bindings. */

// Caches cannot be listed, so each name is recorded.
const atEdge = new Set<string>();
const { put } = Cache.prototype;
Cache.prototype.put = function (request, response) {
  atEdge.add(typeof request === 'string' ? request : request instanceof URL ? request.href : request.url);
  return put.call(this, request, response);
};

const inMemory = new Map<LruCache<unknown>, Set<string>>();
const { put: putInMemory } = LruCache.prototype;
LruCache.prototype.put = function (name, value, bytes) {
  const names = inMemory.get(this) ?? new Set();
  inMemory.set(this, names.add(name));
  putInMemory.call(this, name, value, bytes);
};

const bindings = { ...env };

/** Empties the edge's cache. */
export async function emptyEdge(): Promise<void> {
  await Promise.all([...atEdge].map((name) => caches.default.delete(name)));
  atEdge.clear();
}

function forgetMemory(): void {
  for (const [cache, names] of inMemory) for (const name of names) cache.drop(name);
  inMemory.clear();
  forgetManifest();
  forgetHealth();
}

const isEmpty = async (): Promise<boolean> =>
  (await env.DB.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'd1_migrations'`).first()) === null &&
  (await env.STORE.list({ limit: 1 })).objects.length === 0;

/** Empties everything. */
export async function forgetAll(): Promise<void> {
  Object.assign(env, bindings);
  // A running alarm keeps a deleted database or store open; the next round does not.
  do await reset();
  while (!(await isEmpty()));
  await emptyEdge();
  forgetMemory();
}
