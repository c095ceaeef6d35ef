import { exports } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { LOCALES } from '../../domain/language/locales.ts';

const text = async (path: string) => {
  const answer = await exports.default.fetch(`http://muster.test${path}`);
  return { status: answer.status, html: await answer.text() };
};

describe('a public page in a language', () => {
  it('names the language, itself, and its address in all others', async () => {
    const { status, html } = await text('/ar/leaderboard?game=cod&sort=power');
    expect(status).toBe(200);
    expect(html).toContain('<html lang="ar" dir="rtl">');
    expect(html).toContain('<link rel="canonical" href="http://muster.test/ar/leaderboard">');
    const alternates = [...html.matchAll(/hreflang="([\w-]+)" href="([^"]+)"/g)].map(([, tag, href]) => [tag, href]);
    expect(alternates.map(([tag]) => tag)).toEqual([...LOCALES, 'x-default']);
    expect(Object.fromEntries(alternates)).toMatchObject({
      en: 'http://muster.test/leaderboard',
      'zh-Hant': 'http://muster.test/zh-Hant/leaderboard',
      'x-default': 'http://muster.test/leaderboard',
    });
  });

  it('has a head in that language', async () => {
    const titles = async (path: string) => {
      const { html } = await text(path);
      return [/<title>([^<]*)/, /property="og:title" content="([^"]*)/].map((tag) => tag.exec(html)?.[1]);
    };
    expect(await titles('/faq')).toEqual(Array(2).fill('Frequently asked questions · Muster'));
    expect(await titles('/ko/faq')).toEqual(Array(2).fill('자주 묻는 질문 · Muster'));
    expect((await titles('/ko'))[0]).toMatch(/스캔과 통계/);
  });

  it('links to other pages in that language, and without it to those of users', async () => {
    const { html } = await text('/ko');
    expect(html).toContain('href="/ko/leaderboard"');
    expect(html).toContain('href="/ko/faq"');
    expect(html).not.toContain('href="/faq"');
  });

  it('is not mixed with another language that is rendered at the same time', async () => {
    const pages = await Promise.all(['/', '/ja', '/de', '/', '/ja/faq', '/ru'].map(text));
    expect(pages.map(({ html }) => /<html lang="([\w-]+)"/.exec(html)?.[1])).toEqual([
      'en',
      'ja',
      'de',
      'en',
      'ja',
      'ru',
    ]);
  });

  it.each(['/nl/leaderboard', '/ko/dashboard', '/ko/nothing', '/ko/v1/stats/global', '/en/faq', '/KO/faq'])(
    'does not exist at %s',
    async (path) => expect((await text(path)).status).toBe(404),
  );
});
