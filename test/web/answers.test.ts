import './page.ts';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { takeLocaleFrom } from '../../domain/language/current.ts';
import type { Locale } from '../../domain/language/locales.ts';
import { ApiError, dataOf, messageOf, publicData, textOf } from '../../web/api/client.ts';

describe('an answer', () => {
  const said = (body: unknown, status = 200) => Promise.resolve(Response.json(body, { status })) as Promise<never>;
  const flawOf = (work: Promise<unknown>) =>
    work.then(
      () => null,
      (error: unknown) => (error instanceof ApiError ? [error.message, error.status, error.reason] : error),
    );

  it('yields its data or a message', async () => {
    expect(await dataOf(said({ success: 1, data: 5 }))).toBe(5);
    expect(await flawOf(dataOf(said({ success: 0, msg: 'No.', reason: 'eula' }, 403)))).toEqual(['No.', 403, 'eula']);
    expect(await flawOf(dataOf(said('<html>', 502)))).toEqual([
      'Something went wrong on our side (502). Try again in a minute.',
      502,
      undefined,
    ]);
    const page = Promise.resolve(new Response('<html>', { status: 504 })) as Promise<never>;
    expect(await flawOf(dataOf(page))).toEqual([
      'Something went wrong on our side (504). Try again in a minute.',
      504,
      undefined,
    ]);
  });

  it('that never arrives gives a message, unless the request was aborted', async () => {
    const lost = await flawOf(dataOf(Promise.reject(new TypeError('failed'))));
    expect(lost).toEqual(['Muster could not be reached. Check your connection and try again.', 0, undefined]);
    const aborted = new DOMException('gone', 'AbortError');
    expect(await flawOf(dataOf(Promise.reject(aborted)))).toBe(aborted);
    const broken = new DOMException('gone', 'NetworkError');
    expect(await flawOf(dataOf(Promise.reject(broken)))).toEqual(lost);
    expect([messageOf(new Error('a')), messageOf('b')]).toEqual(['a', 'b']);
  });

  it('that is plain text is returned unchanged', async () => {
    expect(await textOf(Promise.resolve(new Response('a,b')))).toBe('a,b');
    expect(await flawOf(textOf(said({ success: 0, msg: 'No.' }, 404)))).toEqual(['No.', 404, undefined]);
  });
});

describe('the language of a refused public read', () => {
  const context = { signal: new AbortController().signal, meta: undefined };

  it.each<[string, Locale, string, (string | null)[]]>([
    ['de-DE', 'ko', 'ko', [null, 'ko']],
    ['zh-TW', 'zh-Hans', 'zh-Hans', [null, 'zh-Hans']],
    // The browser's own language needs no second call.
    ['ko-KR', 'ko', 'ko-KR', [null]],
    ['nl', 'en', 'nl', [null]],
  ])('by a browser of %s on a page in %s is %s', async (browser, page, said, calls) => {
    const asked: (string | null)[] = [];
    // A service that refuses in the language of the call, or in the browser's if the call names none.
    vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
      const named = new Headers(init.headers).get('accept-language');
      asked.push(named);
      const language = named ?? browser;
      return address.endsWith('/well')
        ? Response.json({ success: 1, data: language })
        : Response.json({ success: 0, msg: language }, { status: 404 });
    });
    vi.stubGlobal('navigator', { languages: [browser] });
    takeLocaleFrom(() => page);
    try {
      await expect(publicData('/v1/none', context)).rejects.toThrow(said);
      expect(asked).toEqual(calls);
      // An answer that is no refusal takes one request, without a header.
      expect(await publicData('/v1/well', context)).toBe(browser);
      expect(asked).toEqual([...calls, null]);
    } finally {
      takeLocaleFrom(() => 'en');
      vi.unstubAllGlobals();
    }
  });

  describe('by a browser of another language', () => {
    const refused = () => Response.json({ success: 0, msg: 'Nee.' }, { status: 404 });
    const korean = (fetch: (address: string, init: RequestInit) => Promise<Response>) => {
      vi.stubGlobal('fetch', vi.fn(fetch));
      vi.stubGlobal('navigator', { languages: ['nl'] });
      takeLocaleFrom(() => 'ko');
    };
    afterEach(() => {
      takeLocaleFrom(() => 'en');
      vi.unstubAllGlobals();
    });

    it('is not asked for if the service failed', async () => {
      korean(async () => Response.json({ success: 0, msg: 'Stuk.' }, { status: 500 }));
      await expect(publicData('/v1/none', context)).rejects.toThrow('Stuk.');
      expect(fetch).toHaveBeenCalledTimes(1);
    });

    it('is that of the first answer if the second does not arrive, otherwise the first is not read', async () => {
      const first = refused();
      korean(async (_, { headers }) => (headers ? Response.json({ success: 0, msg: '없음' }, { status: 404 }) : first));
      const cancel = vi.spyOn(first.body as ReadableStream, 'cancel');
      await expect(publicData('/v1/none', context)).rejects.toThrow('없음');
      expect(cancel).toHaveBeenCalledTimes(1);
      korean((_, { headers }) => (headers ? Promise.reject(new TypeError('failed')) : Promise.resolve(refused())));
      await expect(publicData('/v1/none', context)).rejects.toThrow('Nee.');
    });

    it('does not matter once the read was aborted', async () => {
      const leaving = new AbortController();
      korean(async (_, { headers, signal }) => {
        if (!headers) return refused();
        leaving.abort();
        throw signal?.reason;
      });
      const read = publicData('/v1/none', { ...context, signal: leaving.signal });
      await expect(read).rejects.toMatchObject({ name: 'AbortError' });
    });
  });
});
