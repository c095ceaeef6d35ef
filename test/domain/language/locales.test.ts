import { describe, expect, test } from 'vitest';
import { type Locale, localPath, preferredLocale, splitPath } from '../../../domain/language/locales.ts';
import { isPublicPath } from '../../../domain/language/public-paths.ts';
import { inOrder, knownPlacesOf } from '../../../domain/scans/text-order.ts';

describe('the language of a reader', () => {
  test.each([
    ['ko-KR,ko;q=0.9,en;q=0.8', 'ko'],
    ['nl,de;q=0.5,fr;q=0.7', 'fr'],
    ['zh-TW', 'zh-Hant'],
    ['zh-Hant-HK', 'zh-Hant'],
    ['zh-CN,zh', 'zh-Hans'],
    ['pt-BR', 'pt'],
    ['fr;q=0,de', 'de'],
    ['nl', 'en'],
    ['', 'en'],
    ['constructor,__proto__', 'en'],
    [`${'x,'.repeat(100_000)}ko`, 'en'],
  ])('%.40s is %s', (accepted, locale) => expect(preferredLocale(accepted)).toBe(locale));
});

describe('an address', () => {
  test.each([
    ['/ko/leaderboard', 'ko', '/leaderboard'],
    ['/zh-Hant', 'zh-Hant', '/'],
    ['/ko/', 'ko', '/'],
    ['/en/leaderboard', 'en', '/en/leaderboard'],
    ['/nl/leaderboard', 'en', '/nl/leaderboard'],
    ['/korea', 'en', '/korea'],
    ['/toString/faq', 'en', '/toString/faq'],
  ])('%s is in %s, of %s', (pathname, locale, path) => expect(splitPath(pathname)).toEqual({ locale, path }));

  test('of a language leads back to it', () => {
    expect(splitPath(localPath('ja', '/leaderboard/governor'))).toEqual({
      locale: 'ja',
      path: '/leaderboard/governor',
    });
    expect([localPath('ja', '/'), localPath('en', '/faq')]).toEqual(['/ja', '/faq']);
  });

  test('has languages only if everybody may read its page', () => {
    const open = [
      '/',
      '/faq',
      '/leaderboard',
      '/leaderboard/alliance/1/T',
      '/dashboards/1',
      '/cod-dashboards/1',
      '/eula',
    ];
    expect(open.filter((path) => !isPublicPath(path))).toEqual([]);
    const guarded = ['/dashboard', '/orders', '/account', '/admin', '/players/1', '/v1/eula', '/assets/a.js', '/faqs'];
    expect(guarded.filter(isPublicPath)).toEqual([]);
  });
});

function placesIn(language: Locale, texts: readonly string[]): number[] {
  const steps = knownPlacesOf(texts, language);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return [...value];
  }
}

test('texts sort by the reader’s language, with numbers by size', () => {
  const names = ['nz', 'ña', 'na'];
  expect(placesIn('en', names)).toEqual([2, 1, 0]);
  expect(placesIn('es', names)).toEqual([1, 2, 0]);
  expect(inOrder('cz', 'ça', 'en')).toBeGreaterThan(0);
  expect(inOrder('cz', 'ça', 'tr')).toBeLessThan(0);
  expect(placesIn('de', ['K10', 'K9', ''])).toEqual([2, 1, Number.NaN]);
});
