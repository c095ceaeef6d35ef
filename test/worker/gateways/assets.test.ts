import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Env } from '../../../worker/env.ts';
import { fontsFor } from '../../../worker/gateways/card-fonts.ts';

/** The built web as the Worker reads it. */

/** Assets with these files, which answer the page for any other path; records the requests. */
function assets(files: Record<string, unknown>) {
  const asked: string[] = [];
  const cancelled: string[] = [];
  const fetch = async (address: string): Promise<Response> => {
    const { pathname } = new URL(address);
    asked.push(address);
    const file = files[pathname];
    if (file instanceof Response) return file;
    if (file !== undefined)
      return typeof file === 'string'
        ? new Response(file, { headers: { 'content-type': 'font/ttf' } })
        : Response.json(file);
    const page = new Response('<!doctype html>', { headers: { 'content-type': 'text/html; charset=utf-8' } });
    vi.spyOn(page.body as ReadableStream, 'cancel').mockImplementation(async () => void cancelled.push(pathname));
    return page;
  };
  return { asked, cancelled, env: { ASSETS: { fetch } } as unknown as Env, files };
}

const ORIGIN = 'https://muster.test';

describe('the built pages', () => {
  let web: typeof import('../../../worker/gateways/built-web.ts');
  // Each test reads the build again, because an isolate keeps what it has read.
  beforeEach(async () => {
    vi.resetModules();
    web = await import('../../../worker/gateways/built-web.ts');
  });

  it('are the router’s paths, in any case and with any slashes', async () => {
    const { env } = assets({ '/pages.json': ['/', '/players/$id', '/Leaderboard/governor'] });
    const isPage = (path: string) => web.isPage(env, ORIGIN, path);
    for (const path of ['/', '', '/players/7', '/PLAYERS/7/', '/leaderboard/GOVERNOR'])
      expect(await isPage(path)).toBe(true);
    for (const path of ['/players', '/players/7/8', '/leaderboard/x', '/x', '/governor/leaderboard'])
      expect(await isPage(path)).toBe(false);
  });

  it('are read once, and any path is a page while they cannot be read', async () => {
    const { env, asked, cancelled, files } = assets({});
    expect(await web.isPage(env, ORIGIN, '/x')).toBe(true);
    expect(cancelled).toEqual(['/pages.json']);
    files['/pages.json'] = new Response('["/y"]', { status: 500, headers: { 'content-type': 'application/json' } });
    expect(await web.isPage(env, ORIGIN, '/x')).toBe(true);
    files['/pages.json'] = ['/y'];
    expect(await web.isPage(env, ORIGIN, '/x')).toBe(false);
    expect(await web.isPage(env, ORIGIN, '/y')).toBe(true);
    expect(asked).toEqual(Array(3).fill(`${ORIGIN}/pages.json`));
  });

  it('preload what they need', async () => {
    const player = { files: ['a.js', 'b.js'], guarded: true };
    const nothing = { files: [], guarded: false };
    const { env, asked } = assets({ '/route-preloads.json': { '/players/$id': player, '/': nothing } });
    expect(await web.needsOf(env, ORIGIN, '/players/7')).toEqual(player);
    expect(await web.needsOf(env, ORIGIN, '/players')).toEqual(nothing);
    expect(await web.needsOf(assets({}).env, ORIGIN, '/')).toEqual(nothing);
    expect(asked).toHaveLength(1);
    await web.builtPage(env, ORIGIN);
    expect(asked.at(-1)).toBe(`${ORIGIN}/`);
  });

  it('use the first route that matches', async () => {
    const [own, any] = [
      { files: ['new.js'], guarded: true },
      { files: ['any.js'], guarded: true },
    ];
    const { env } = assets({ '/route-preloads.json': { '/events/new': own, '/events/$id': any } });
    expect(await web.needsOf(env, ORIGIN, '/events/new')).toEqual(own);
    expect(await web.needsOf(env, ORIGIN, '/events/4')).toEqual(any);
  });

  it('preload nothing while the list is missing', async () => {
    expect(await web.needsOf(assets({}).env, ORIGIN, '/')).toEqual({ files: [], guarded: false });
  });
});

describe('the fonts of a card', () => {
  const INDEX = [
    ['inter-latin-600-normal.ttf', [65, 90]],
    ['inter-latin-400-normal.ttf', [65, 90], [97, 99]],
    ['noto-han.ttf', [0x4e00, 0x4e10], [0x1f600, 0x1f601]],
    ['noto-more.ttf', [0x4e10, 0x4e20]],
  ];
  const files = {
    '/card-fonts/index.json': INDEX,
    '/card-fonts/inter-latin-600-normal.ttf': 'six',
    '/card-fonts/inter-latin-400-normal.ttf': 'four',
    '/card-fonts/noto-han.ttf': 'han',
    '/card-fonts/noto-more.ttf': 'more',
  };
  const fonts = async (text: string, changes: object = {}) => {
    const { env, asked } = assets({ ...files, ...changes });
    const found = await fontsFor(env.ASSETS, ORIGIN, text);
    return { ...found, texts: found.files.map((file) => new TextDecoder().decode(file)), asked };
  };

  it('are the plain ones, and the first that has each other character', async () => {
    expect((await fonts('')).texts).toEqual(['six', 'four']);
    expect((await fonts('ABz')).texts).toEqual(['six', 'four']);
    const { texts, draws, asked } = await fonts('a\u4e00\u4e10\u{1f600}\u{1f602}\u4e00');
    expect(texts).toEqual(['six', 'four', 'han']);
    expect(['a', '\u4e00', '\u4e10', '\u{1f600}'].map(draws)).toEqual([true, true, true, true]);
    // Characters in no font, past the end of one, and not in the text.
    expect(['\u{1f602}', 'd', '\u4e20', 'b'].map(draws)).toEqual([false, false, false, false]);
    expect(asked[0]).toBe(`${ORIGIN}/card-fonts/index.json`);
    expect((await fonts('\u4e20\u4e11')).texts).toEqual(['six', 'four', 'more']);
  });

  it('that are missing are a failure', async () => {
    await expect(fonts('\u4e00', { '/card-fonts/noto-han.ttf': undefined })).rejects.toThrow(
      'The built web lacks /card-fonts/noto-han.ttf.',
    );
    const gone = new Response('{}', { status: 404, headers: { 'content-type': 'application/json' } });
    await expect(fonts('', { '/card-fonts/index.json': gone })).rejects.toThrow('lacks /card-fonts/index.json.');
  });
});
