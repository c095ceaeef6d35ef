// Shows an offline page if the server cannot be reached; other requests are left to the browser.
importScripts('/offline-texts.js');

const PAGE = '/offline.html';
const KEPT = [PAGE, '/offline.css', '/favicon.svg'];
const CACHE = 'offline-4';

addEventListener('install', (event) => event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(KEPT))));

addEventListener('activate', (event) =>
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)))),
  ),
);

/**
 * Returns the language of a page: its address's, otherwise the one that the reader chose (web/language.ts), otherwise
 * the browser's first known one, otherwise English. Old browsers do not tell service workers of cookies.
 */
async function languageOf(url) {
  const [, first = ''] = new URL(url).pathname.split('/');
  const chosen = await self.cookieStore?.get('muster_language').catch(() => null);
  const chinese = (tag) => (/^zh\b.*\b(hant|tw|hk|mo)\b/i.test(tag) ? 'zh-Hant' : 'zh-Hans');
  const known = (tag) => (/^zh\b/i.test(tag) ? chinese(tag) : tag.toLowerCase().split('-')[0]);
  const wanted = [first, chosen?.value ?? '', ...(navigator.languages ?? [])].map((tag) =>
    Object.hasOwn(OFFLINE_TEXTS, tag) ? tag : known(tag),
  );
  return wanted.find((tag) => Object.hasOwn(OFFLINE_TEXTS, tag)) ?? 'en';
}

/** Returns the cached page as a new response, because Safari rejects a response that was redirected when cached. */
async function offline({ url }) {
  const kept = await caches.match(PAGE);
  const language = await languageOf(url);
  const [away, unreachable, about, again] = OFFLINE_TEXTS[language];
  const [, title, lost, retry] = OFFLINE_TEXTS.en;
  const page = (await kept.text())
    .replace('<html lang="en">', `<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">`)
    .replaceAll(title, navigator.onLine ? unreachable : away)
    .replace(lost, about)
    .replace(retry, again);
  const { headers } = kept;
  return new Response(page, { headers });
}

addEventListener('fetch', (event) => {
  const { request } = event;
  const kept = KEPT.includes(new URL(request.url).pathname);
  if (request.mode === 'navigate') event.respondWith(fetch(request).catch(() => offline(request)));
  else if (kept) event.respondWith(fetch(request).catch(() => caches.match(request)));
});
