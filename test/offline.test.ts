import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { LOCALES } from '../domain/language/locales.ts';

/** The page that a browser shows if the server cannot be reached (web/public/offline.js). */

const fileOf = (name: string): string => readFileSync(`web/public/${name}`, 'utf8');

/** Runs the service worker with a failing network, and returns the page that it answers a visit with. */
async function pageAt(
  path: string,
  { languages, onLine, chosen }: { languages: string[]; onLine: boolean; chosen?: string },
): Promise<string> {
  const heard = new Map<string, (event: object) => void>();
  const scope: Record<string, unknown> = {
    URL,
    Response,
    Object,
    navigator: { languages, onLine },
    cookieStore: chosen && { get: async (name: string) => (name === 'muster_language' ? { value: chosen } : null) },
    caches: { match: async () => new Response(fileOf('offline.html'), { headers: { 'content-type': 'text/html' } }) },
    fetch: async () => {
      throw new TypeError('no network');
    },
    addEventListener: (kind: string, listener: (event: object) => void) => heard.set(kind, listener),
    importScripts: (name: string) => runInNewContext(fileOf(name.slice(1)), scope),
  };
  scope.self = scope;
  runInNewContext(fileOf('offline.js'), scope);
  const answer = await new Promise<Response>((respondWith) => {
    heard.get('fetch')?.({ request: { url: `https://muster.test${path}`, mode: 'navigate' }, respondWith });
  });
  return answer.text();
}

test.each([
  ['/ko/leaderboard', ['de-DE'], '<html lang="ko" dir="ltr">', 'Muster에 연결할 수 없습니다'],
  ['/dashboard', ['nl', 'ar-EG'], '<html lang="ar" dir="rtl">', 'تعذّر الوصول إلى Muster'],
  ['/dashboard', ['zh-TW'], '<html lang="zh-Hant" dir="ltr">', '無法連線至 Muster'],
  ['/zh-Hans/faq', [], '<html lang="zh-Hans" dir="ltr">', '无法连接 Muster'],
  ['/constructor', ['nl'], '<html lang="en" dir="ltr">', 'Muster cannot be reached'],
])('%s for a browser of %j is %s', async (path, languages, html, title) => {
  const page = await pageAt(path, { languages, onLine: true });
  expect(page).toContain(html);
  expect(page).toContain(`<h1>${title}</h1>`);
  expect(page).toContain(`<title>${title}</title>`);
});

test('a page for users is in the language that the reader chose', async () => {
  const reader = { languages: ['de-DE'], onLine: true, chosen: 'ko' };
  expect(await pageAt('/orders', reader)).toContain('<html lang="ko" dir="ltr">');
  expect(await pageAt('/ar/faq', reader)).toContain('<html lang="ar" dir="rtl">');
});

test('says in each language that the browser is offline, and nothing in English', async () => {
  const english = fileOf('offline.html').match(/(?<=<(?:p|h1)>|"submit">)[^<]+/g) ?? [];
  expect(english).toHaveLength(3);
  for (const locale of LOCALES.filter((each) => each !== 'en')) {
    const page = await pageAt(`/${locale}`, { languages: [], onLine: false });
    expect(page).toContain(`lang="${locale}"`);
    for (const text of english) expect(page).not.toContain(text);
  }
});
