/** What `reset` leaves: answers that the file before had kept at the edge. Nothing lists a cache, so each name is noted. */

const holder = globalThis as { keptAtEdge?: Set<string> };

/** Notes from now on what is put into the edge's cache, by all files of this runtime. */
function noteNames(): Set<string> {
  const names = new Set<string>();
  const { put } = Cache.prototype;
  Cache.prototype.put = function (request, response) {
    names.add(typeof request === 'string' ? request : request instanceof URL ? request.href : request.url);
    return put.call(this, request, response);
  };
  return names;
}

/** Empties the edge's cache. */
export async function emptyEdge(): Promise<void> {
  holder.keptAtEdge ??= noteNames();
  await Promise.all([...holder.keptAtEdge].map((name) => caches.default.delete(name)));
  holder.keptAtEdge.clear();
}
