// Shows a page of its own where there is no connection; every other request is left to the browser.
const PAGE = '/offline.html';
const KEPT = [PAGE, '/offline.css', '/favicon.svg'];
const CACHE = 'offline-2';

addEventListener('install', (event) => event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(KEPT))));

addEventListener('activate', (event) =>
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)))),
  ),
);

/** The page anew: Safari takes none that was redirected when it was fetched, as an address that ends in .html is. */
async function offline() {
  const { body, headers } = await caches.match(PAGE);
  return new Response(body, { headers });
}

addEventListener('fetch', (event) => {
  const { request } = event;
  const kept = KEPT.includes(new URL(request.url).pathname);
  if (request.mode === 'navigate') event.respondWith(fetch(request).catch(offline));
  else if (kept) event.respondWith(fetch(request).catch(() => caches.match(request)));
});
