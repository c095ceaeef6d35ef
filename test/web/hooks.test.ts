import './page.ts';
import { afterEach, describe, expect, it, test, vi } from 'vitest';
import type { EventMeta } from '../../web/api/events.ts';
import type { OfferGroup } from '../../web/api/products.ts';
import { untilNext, useNow, useRefresh } from '../../web/components/events/use-refresh.ts';
import { useCheckout } from '../../web/components/use-checkout.ts';
import { keptDraft } from '../../web/routes/_signed-in/orders/-kept-draft.ts';
import { AT_ONCE } from '../../web/routes/_signed-in/orders/-timing.ts';
import { useDraft, type Wish } from '../../web/routes/_signed-in/orders/-use-draft.ts';
import { useQueryText } from '../../web/ui/search-input.tsx';
import { useNarrow } from '../../web/ui/use-narrow.ts';
import { useRested } from '../../web/ui/use-rested.ts';
import { hooked } from './hook.ts';
import { withTabStorage } from './tab-storage.ts';

/** Hooks that are rules: what waits, what is asked again, what an order begins as. */

const stored = withTabStorage();
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const timers = () =>
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });

test('a text rests once nobody has typed for a moment', async () => {
  timers();
  const rested = await hooked<{ text: string; rest?: number }, string>(({ text, rest }) => useRested(text, rest), {
    text: 'a',
  });
  const wait = (ms: number) => rested.does(() => vi.advanceTimersByTime(ms));
  expect(rested.value).toBe('a');
  await rested.show({ text: 'ab' });
  await wait(119);
  await rested.show({ text: 'abc' });
  await wait(119);
  expect(rested.value).toBe('a');
  await wait(1);
  expect(rested.value).toBe('abc');
  await rested.show({ text: 'b', rest: 5 });
  await wait(5);
  expect(rested.value).toBe('b');
  await rested.show({ text: 'c' });
  await rested.end();
  expect(vi.getTimerCount()).toBe(0);
});

test('a search tells the address what is typed, and goes where the address goes', async () => {
  timers();
  const told: (string | undefined)[] = [];
  const search = await hooked<string, ReturnType<typeof useQueryText>>(
    (address) => useQueryText(address, (text) => told.push(text)),
    '',
  );
  const type = async (text: string, rest = 300) => {
    await search.does(() => search.value[1](text));
    await search.does(() => vi.advanceTimersByTime(rest));
  };
  await type('a', 299);
  await type('ab');
  await type('abc');
  await type('abcd', 299);
  expect(told).toEqual(['ab', 'abc']);
  // Its own words, of which the address leaves out those that others have followed.
  await search.show('abc');
  expect(search.value[0]).toBe('abcd');
  await search.does(() => vi.advanceTimersByTime(1));
  await search.show('abcd');
  expect([search.value[0], told.at(-1)]).toEqual(['abcd', 'abcd']);
  // A link to what had been typed before.
  await search.show('ab');
  expect(search.value[0]).toBe('ab');
  await search.show('');
  await search.does(() => vi.advanceTimersByTime(1000));
  expect([search.value[0], told.length]).toEqual(['', 3]);
  await search.end();
});

test('a screen is narrow as long as it is, and its changes are heard until nobody looks', async () => {
  const screen = Object.assign(new EventTarget(), { matches: true });
  const asked: string[] = [];
  vi.stubGlobal('matchMedia', (query: string) => {
    asked.push(query);
    return screen;
  });
  const narrow = await hooked(() => useNarrow(), null);
  expect(narrow.value).toBe(true);
  const changes = (matches: boolean) =>
    narrow.does(() => {
      screen.matches = matches;
      screen.dispatchEvent(new Event('change'));
    });
  await changes(false);
  expect(narrow.value).toBe(false);
  expect(new Set(asked)).toEqual(new Set(['(max-width: 44rem)']));
  const removed = vi.spyOn(screen, 'removeEventListener');
  await narrow.end();
  expect(removed).toHaveBeenCalledTimes(1);
});

describe('an event', () => {
  const MINUTE = 60_000;
  it.each([
    [-1, 'any moment now'],
    [0, 'any moment now'],
    [1, 'in 1 minute'],
    [MINUTE, 'in 1 minute'],
    [MINUTE + 1, 'in 2 minutes'],
    [59 * MINUTE, 'in 59 minutes'],
    [59 * MINUTE + 1, 'in 1 hour'],
    [89 * MINUTE, 'in 1 hour'],
    [90 * MINUTE, 'in 2 hours'],
  ])('whose next snapshot is %d ms away says: %s', (ms, said) => {
    expect(untilNext(1_000_000 + ms, 1_000_000)).toBe(said);
  });

  it('counts down four times a minute', async () => {
    timers();
    const begun = Date.now();
    const now = await hooked(() => useNow(), null);
    await now.does(() => vi.advanceTimersByTime(14_999));
    expect(now.value).toBe(begun);
    await now.does(() => vi.advanceTimersByTime(1));
    expect(now.value).toBe(begun + 15_000);
    await now.end();
    expect(vi.getTimerCount()).toBe(0);
  });

  /** A page of a running event whose next snapshot is due in a minute; every spread is half of what it may be. */
  async function page(next: number | null) {
    timers();
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    const events = new EventTarget();
    const tab = Object.assign(events, { visibilityState: 'visible' });
    vi.stubGlobal('document', tab);
    const begun = Date.now();
    const metaOf = (revision: number, at = next) =>
      ({ next_refresh: at === null ? null : begun + at, revision }) as EventMeta;
    const running = await hooked<{ meta: EventMeta | undefined }, void>(({ meta }) => useRefresh('7', meta), {
      meta: metaOf(1),
    });
    const asked: number[] = [];
    vi.spyOn(running.client, 'refetchQueries').mockImplementation(async (filters) => {
      expect(filters).toEqual({ queryKey: ['event', '7', 'page'] });
      asked.push(Date.now() - begun);
    });
    const look = (state: string) => {
      tab.visibilityState = state;
      return running.does(() => events.dispatchEvent(new Event('visibilitychange')));
    };
    return { ...running, metaOf, asked, look, pass: (ms: number) => running.does(() => vi.advanceTimersByTime(ms)) };
  }

  it('is asked for once its next snapshot is due, and then every half a minute until it is there', async () => {
    const { asked, pass, show, metaOf, end } = await page(MINUTE);
    await pass(MINUTE + 7499);
    expect(asked).toEqual([]);
    await pass(1 + 2 * 30_000);
    expect(asked).toEqual([67_500, 97_500, 127_500]);
    await show({ meta: metaOf(2, 200_000) });
    await pass(80_000);
    expect(asked.slice(3)).toEqual([207_500]);
    // One that was due long ago is asked for in the next seconds.
    await show({ meta: metaOf(3, 0) });
    await pass(7500);
    expect(asked.slice(4)).toEqual([215_000]);
    await end();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('waits until it is looked at, and asks then if it is due', async () => {
    const { asked, pass, look, end } = await page(MINUTE);
    await look('hidden');
    await look('visible');
    await pass(MINUTE + 10_000);
    // Nobody looked before it was due, so its own moment counts.
    expect(asked).toEqual([67_500]);
    await look('hidden');
    await pass(60_000);
    expect(asked).toHaveLength(1);
    await look('visible');
    await pass(999);
    expect(asked).toHaveLength(1);
    await pass(1);
    expect(asked).toEqual([67_500, 131_000]);
    await end();
    await look('visible');
    await pass(MINUTE);
    expect(asked).toHaveLength(2);
  });

  it('that is over is not asked for', async () => {
    const { asked, pass, show, end } = await page(null);
    await show({ meta: undefined });
    await pass(10 * MINUTE);
    expect([asked, vi.getTimerCount()]).toEqual([[], 0]);
    await end();
  });
});

describe('a checkout', () => {
  async function form(back?: 'order') {
    const keys: string[] = [];
    const bodies: unknown[] = [];
    let answer: () => Promise<Response> = async () =>
      Response.json({ success: 1, data: { url: 'https://stripe.test/1' } });
    vi.stubGlobal('fetch', async (_: string, init: RequestInit) => {
      keys.push(new Headers(init.headers).get('idempotency-key') ?? '');
      bodies.push(JSON.parse(String(init.body)));
      return answer();
    });
    const left: string[] = [];
    vi.stubGlobal(
      'location',
      Object.assign(new URL('https://muster.test/'), { assign: (url: string) => left.push(url) }),
    );
    const window = new EventTarget();
    vi.stubGlobal('addEventListener', window.addEventListener.bind(window));
    vi.stubGlobal('removeEventListener', window.removeEventListener.bind(window));
    const shown = await hooked(() => useCheckout(back), null);
    const pay = (amount: number) => shown.does(() => shown.value.pay(amount));
    const comesBack = (persisted: boolean) =>
      shown.does(() => window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted })));
    const answers = (next: () => Promise<Response>) => {
      answer = next;
    };
    return { shown, keys, bodies, left, pay, comesBack, answers };
  }

  it('leads to Stripe, and is busy until it has', async () => {
    const { shown, bodies, left, pay, comesBack } = await form('order');
    expect(shown.value.leaving).toBe(false);
    await pay(1250);
    expect([bodies, left, shown.value.leaving]).toEqual([
      [{ amount: 12.5, back: 'order' }],
      ['https://stripe.test/1'],
      true,
    ]);
    // The browser shows the page as it was left.
    await comesBack(false);
    expect(shown.value.leaving).toBe(true);
    await comesBack(true);
    expect(shown.value.leaving).toBe(false);
    await shown.end();
  });

  it('has one key for an amount until it is another form', async () => {
    const { shown, keys, pay, answers, comesBack } = await form();
    answers(async () => Response.json({ success: 0, msg: 'Not now.' }, { status: 503 }));
    await pay(500);
    expect(shown.value.error?.message).toBe('Not now.');
    await pay(500);
    await pay(600);
    await pay(500);
    expect([keys[0] === keys[1], new Set(keys).size]).toEqual([true, 3]);
    await shown.does(() => shown.value.renew());
    expect(shown.value.error).toBeNull();
    await pay(500);
    expect(new Set(keys).size).toBe(4);
    await comesBack(true);
    await pay(500);
    expect(new Set(keys).size).toBe(5);
    await shown.end();
    await comesBack(true);
  });
});

describe('an order that is filled in', () => {
  const offer = (id: string) => ({
    id,
    name: `The ${id}`,
    group: 'g',
    game: 'rok',
    ready: true,
    kingdoms: 'kingdoms',
    price: 5,
    price_field: null,
    price_extra: null,
    fields: [
      { name: 'kingdoms', display: 'Kingdoms', type: 'list', initial: '' },
      { name: 'note', display: 'Note', type: 'string', initial: 'as usual' },
    ],
  });
  const groups = [{ items: [offer('scan'), offer('other')] }] as unknown as OfferGroup[];
  const entry = (type: string) => ({ type, product_name: `The ${type}`, params: { kingdoms: ['9'] } });
  const left = (about: object = {}) =>
    stored.set(
      'order-draft',
      JSON.stringify({
        user: 'ash',
        items: [],
        timing: { ...AT_ONCE, later: true },
        key: 'k-before',
        typed: { other: { kingdoms: '9', note: 'n' } },
        ...about,
      }),
    );
  async function form(wish: Wish = {}, about: { user?: string; groups?: OfferGroup[] | undefined } = {}) {
    const taken = vi.fn();
    const props = { user: 'ash', groups, wish, ...about };
    const shown = await hooked((now: typeof props) => useDraft(now.user, now.wish, now.groups, taken), props);
    return { shown, taken, props };
  }

  it('begins empty, each with a key of its own', async () => {
    const { shown, taken } = await form();
    expect(shown.value).toMatchObject({ draft: { items: [], timing: AT_ONCE }, typed: {}, problems: [], error: null });
    expect(shown.value.draft.key).toMatch(/^[0-9a-f-]{36}$/);
    expect(taken).not.toHaveBeenCalled();
    await shown.end();
  });

  it('begins as it was left, under the same key, once it is known what there is', async () => {
    left();
    const { shown, props } = await form({}, { groups: undefined });
    expect(shown.value).toMatchObject({
      draft: { key: 'k-before', timing: { later: true } },
      typed: { other: { note: 'n' } },
    });
    // Nothing is kept before: what was left would be gone.
    expect(keptDraft('ash')?.key).toBe('k-before');
    await shown.show({ ...props, groups });
    expect(shown.value.draft).toMatchObject({ items: [], key: 'k-before' });
    await shown.end();
    const stranger = await form({}, { user: 'other' });
    expect(stranger.shown.value).toMatchObject({ draft: { timing: AT_ONCE }, typed: {} });
    expect(stranger.shown.value.draft.key).not.toBe('k-before');
    await stranger.shown.end();
  });

  it.each([
    ['at once', groups],
    ['later', undefined],
  ])(
    'is never kept without what was left, where it is known %s what there is: a reload may come in between',
    async (_, first) => {
      left({ items: [{ id: 'a', entry: entry('scan') }] });
      const kept: unknown[] = [];
      const { setItem } = sessionStorage;
      vi.spyOn(sessionStorage, 'setItem').mockImplementation((name, text) => {
        setItem(name, text);
        kept.push(keptDraft('ash')?.items);
      });
      const { shown, props } = await form({}, { groups: first });
      await shown.show({ ...props, groups });
      await shown.does(() => shown.value.type('scan', { note: 'x' }));
      expect(kept.length).toBeGreaterThan(0);
      for (const items of kept) expect(items).toEqual([{ id: 'a', entry: entry('scan') }]);
      await shown.end();
    },
  );

  it('says what of it cannot be ordered any more', async () => {
    left({ items: [{ id: 'a', entry: entry('gone') }] });
    const { shown } = await form();
    expect(shown.value.problems).toEqual(['The gone cannot be ordered at present.']);
    await shown.end();
  });

  it('takes a product and its kingdoms from a link, beside what was typed', async () => {
    left();
    const { shown, taken } = await form({ product: 'other', kingdoms: '1,2' });
    expect(shown.value.typed).toEqual({ other: { note: 'n', kingdoms: '1,2' } });
    expect(taken).toHaveBeenCalledTimes(1);
    await shown.end();
    stored.clear();
    const plain = await form({ product: 'scan' });
    expect(plain.shown.value.typed).toEqual({ scan: { kingdoms: '', note: 'as usual' } });
    await plain.shown.end();
    stored.clear();
    const unknown = await form({ product: 'none', kingdoms: '1' });
    expect(unknown.shown.value.typed).toEqual({});
    expect(unknown.taken).toHaveBeenCalledTimes(1);
    await unknown.shown.end();
  });

  it('is that of an earlier order where a link says so, under a new key, and not what was left', async () => {
    left({ items: [{ id: 'a', entry: entry('lost') }] });
    let answer: (response: Response) => void = () => undefined;
    vi.stubGlobal(
      'fetch',
      () =>
        new Promise((settle) => {
          answer = settle;
        }),
    );
    const { shown, taken } = await form({ from: 7 });
    expect([taken.mock.calls.length, shown.value.problems]).toEqual([0, []]);
    await shown.does(async () => {
      answer(Response.json({ success: 1, data: { entries: [entry('gone')] } }));
    });
    expect(shown.value.problems).toEqual(['The gone cannot be ordered at present.']);
    expect(shown.value.draft.timing).toEqual(AT_ONCE);
    expect(shown.value.draft.key).not.toBe('k-before');
    expect(taken).toHaveBeenCalledTimes(1);
    await shown.end();
  });

  it('is what was left where an earlier order cannot be read, until it can', async () => {
    left({ items: [{ id: 'a', entry: entry('scan') }] });
    const answers = [
      Response.json({ success: 0, msg: 'Not now.' }, { status: 503 }),
      Response.json({ success: 1, data: { entries: [entry('other')] } }),
    ];
    vi.stubGlobal('fetch', async () => answers.shift());
    const { shown, taken } = await form({ from: 7 });
    await shown.does(() => undefined);
    expect(shown.value.error?.message).toBe('Not now.');
    expect(shown.value.draft).toMatchObject({ items: [{ id: 'a' }], key: 'k-before' });
    expect(keptDraft('ash')?.items).toEqual([{ id: 'a', entry: entry('scan') }]);
    expect(taken).not.toHaveBeenCalled();
    await shown.does(() => shown.value.retry());
    expect(shown.value.draft.items).toMatchObject([{ entry: { type: 'other' } }]);
    expect(taken).toHaveBeenCalledTimes(1);
    await shown.end();
  });

  it('is kept with each change, which is another order, and forgotten once it is placed', async () => {
    const { shown } = await form();
    const first = shown.value.draft.key;
    const item = {
      id: 'a',
      name: 'n',
      price: 5,
      entry: { ...entry('scan'), group_name: 'g', fields: {}, price: 0.05 },
    };
    await shown.does(() => shown.value.change({ type: 'add', item }));
    const second = shown.value.draft.key;
    expect(second).not.toBe(first);
    await shown.does(() => shown.value.type('scan', { note: 'x' }));
    await shown.does(() => shown.value.type('other', { note: 'y' }));
    expect(keptDraft('ash')).toMatchObject({
      key: second,
      items: [{ id: 'a', entry: entry('scan') }],
      typed: { scan: { note: 'x' }, other: { note: 'y' } },
    });
    await shown.does(() => shown.value.finish());
    expect(keptDraft('ash')).toBeNull();
    await shown.does(() => shown.value.type('scan', { note: 'z' }));
    expect(keptDraft('ash')).toBeNull();
    await shown.end();
  });
});
