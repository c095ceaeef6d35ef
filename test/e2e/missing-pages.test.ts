import { describe, expect, inject, test } from 'vitest';

const ask = (path: string, init: RequestInit = {}) => fetch(inject('address') + path, { redirect: 'manual', ...init });

describe('a missing file', () => {
  test.each(['/assets/none.js', '/assets/x/y.css', '/assets/', '/card-fonts/none.woff2'])(
    '%s is 404, and kept nowhere',
    async (path) => {
      for (const method of ['GET', 'HEAD']) {
        const { status, headers } = await ask(path, { method });
        expect(status).toBe(404);
        expect(headers.get('cache-control')).toBe('no-store');
        expect(headers.get('content-type')).not.toContain('html');
        expect(headers.get('x-content-type-options')).toBe('nosniff');
      }
    },
  );

  test('an existing file is cached for a year', async () => {
    const [, file = ''] = /src="(\/assets\/[^"]+\.js)"/.exec(await (await ask('/')).text()) ?? [];
    const { status, headers } = await ask(file);
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toContain('immutable');
  });
});

describe('a page', () => {
  test.each([
    '/nope',
    '/nope/',
    '/order',
    '/account/nope',
    '/leaderboard/nope',
    '/leaderboard/kingdom/nope',
    '/players/x',
    '/players/999999999',
    '/kingdoms/99999',
    '/%2e%2e/nope',
    '/constructor',
    '/shared/some-token',
    '/s/some-code',
  ])('that does not exist (%s) is 404 with the page', async (path) => {
    const answer = await ask(path, { headers: { accept: 'text/html' } });
    expect(answer.status).toBe(404);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await answer.text()).toContain('<div id="root">');
  });

  test.each([
    '/',
    '/faq',
    '/FAQ',
    '/faq/',
    '/login?from=/orders',
    '/dashboard',
    '/orders/new',
    '/order/17',
    '/admin/bots/b-1',
    '/leaderboard/kingdom?game=cod',
    '/kingdoms/1001',
    '/stop-change?token=x',
  ])('that exists (%s) is 200', async (path) => {
    const answer = await ask(path);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('<div id="root">');
  });
});
