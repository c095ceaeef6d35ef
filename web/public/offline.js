// Shows a page of its own where there is no connection; every other request is left to the browser.
const PAGE = '/offline.html';
const KEPT = [PAGE, '/offline.css', '/favicon.svg'];
const CACHE = 'offline-1';

addEventListener('install', (event) => event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(KEPT))));

addEventListener('activate', (event) =>
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)))),
  ),
);

addEventListener('fetch', (event) => {
  const { request } = event;
  const kept = KEPT.includes(new URL(request.url).pathname);
  if (request.mode === 'navigate') event.respondWith(fetch(request).catch(() => caches.match(PAGE)));
  else if (kept) event.respondWith(fetch(request).catch(() => caches.match(request)));
});
