// Shows an offline page if the server cannot be reached; other requests are left to the browser.
const PAGE = '/offline.html';
const KEPT = [PAGE, '/offline.css', '/favicon.svg'];
const CACHE = 'offline-3';

addEventListener('install', (event) => event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(KEPT))));

addEventListener('activate', (event) =>
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)))),
  ),
);

/** Returns the cached page as a new response, because Safari rejects a response that was redirected when cached. */
async function offline() {
  const kept = await caches.match(PAGE);
  const page = await kept.text();
  const { headers } = kept;
  return new Response(navigator.onLine ? page : page.replaceAll('Muster cannot be reached', 'You are offline'), {
    headers,
  });
}

addEventListener('fetch', (event) => {
  const { request } = event;
  const kept = KEPT.includes(new URL(request.url).pathname);
  if (request.mode === 'navigate') event.respondWith(fetch(request).catch(offline));
  else if (kept) event.respondWith(fetch(request).catch(() => caches.match(request)));
});
