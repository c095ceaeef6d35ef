import './page.ts';
import { afterEach, describe, expect, it, test, vi } from 'vitest';
import type { EventMeta } from '../../web/api/events.ts';
import { untilNext, useNow, useRefresh } from '../../web/components/events/use-refresh.ts';
import { useCheckout } from '../../web/components/use-checkout.ts';
import { useOnward } from '../../web/components/use-onward.ts';
import { useRefreshCountdown } from '../../web/routes/_signed-in/orders/-refresh.tsx';
import { useQueryText } from '../../web/ui/search-input.tsx';
import { useDebounced } from '../../web/ui/use-debounced.ts';
import { useNarrow } from '../../web/ui/use-narrow.ts';
import { eventually } from '../support/eventually.ts';
import { hooked } from './hook.tsx';

/** Hooks that wait or poll. */

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const timers = () =>
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });

test('a text settles once the user pauses typing', async () => {
  timers();
  const rested = await hooked<{ text: string; rest?: number }, string>(({ text, rest }) => useDebounced(text, rest), {
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

test('a live list is refetched every ten seconds, but not while its page is hidden', async () => {
  timers();
  const tab = { hidden: false };
  vi.stubGlobal('document', tab);
  let fetched = 0;
  const cancelled: boolean[] = [];
  const refetch = ({ cancelRefetch }: { cancelRefetch: boolean }) => {
    fetched++;
    cancelled.push(cancelRefetch);
  };
  const countdown = await hooked<boolean, ReturnType<typeof useRefreshCountdown>>(
    (live) => useRefreshCountdown(live, refetch),
    true,
  );
  const wait = (ms: number) => countdown.does(() => vi.advanceTimersByTime(ms));
  await wait(9_000);
  expect([countdown.value.seconds, fetched]).toEqual([1, 0]);
  tab.hidden = true;
  await wait(60_000);
  expect([countdown.value.seconds, fetched]).toEqual([1, 0]);
  tab.hidden = false;
  await wait(1_000);
  expect([countdown.value.seconds, fetched]).toEqual([10, 1]);
  await wait(4_000);
  await countdown.does(() => countdown.value.refresh());
  expect([countdown.value.seconds, fetched]).toEqual([10, 2]);
  // An answer may take longer than the countdown.
  expect(cancelled).toEqual([false, true]);
  await countdown.show(false);
  expect(vi.getTimerCount()).toBe(0);
});

test('search text updates the URL, and follows other changes of it', async () => {
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
  // Its own texts come back from the URL, which skips overtaken ones.
  await search.show('abc');
  expect(search.value[0]).toBe('abcd');
  await search.does(() => vi.advanceTimersByTime(1));
  await search.show('abcd');
  expect([search.value[0], told.at(-1)]).toEqual(['abcd', 'abcd']);
  // A link with an earlier text.
  await search.show('ab');
  expect(search.value[0]).toBe('ab');
  await search.show('');
  await search.does(() => vi.advanceTimersByTime(1000));
  expect([search.value[0], told.length]).toEqual(['', 3]);
  await search.end();
});

test('a finished page navigates once', async () => {
  const gone: string[] = [];
  const screen = await hooked<[boolean, string], void>(
    ([done, to]) => useOnward(done, () => gone.push(to)),
    [false, 'a'],
  );
  await screen.show([false, 'b']);
  expect(gone).toEqual([]);
  await screen.show([true, 'c']);
  await screen.show([true, 'd']);
  expect(gone).toEqual(['c']);
  await screen.end();
});

test('a page that the user has left does not navigate', async () => {
  const gone: string[] = [];
  const screen = await hooked<boolean, void>((done) => useOnward(done, () => gone.push('on')), false);
  screen.history.push('/elsewhere');
  await screen.show(true);
  expect(gone).toEqual([]);
  await screen.end();
});

test('a narrow screen is detected, with its changes, until unmount', async () => {
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

  it('updates its countdown four times a minute', async () => {
    timers();
    const begun = Date.now();
    const now = await hooked(() => useNow(0), null);
    await now.does(() => vi.advanceTimersByTime(14_999));
    expect(now.value).toBe(begun);
    await now.does(() => vi.advanceTimersByTime(1));
    expect(now.value).toBe(begun + 15_000);
    await now.end();
    expect(vi.getTimerCount()).toBe(0);
  });

  /** A page of a running event whose next snapshot is due in a minute; every random delay is half its maximum. */
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

  it('is refetched when its next snapshot is due, then every half minute until it arrives', async () => {
    const { asked, pass, show, metaOf, end } = await page(MINUTE);
    await pass(MINUTE + 7499);
    expect(asked).toEqual([]);
    await pass(1 + 2 * 30_000);
    expect(asked).toEqual([67_500, 97_500, 127_500]);
    await show({ meta: metaOf(2, 200_000) });
    await pass(80_000);
    expect(asked.slice(3)).toEqual([207_500]);
    // A long overdue snapshot is requested within seconds.
    await show({ meta: metaOf(3, 0) });
    await pass(7500);
    expect(asked.slice(4)).toEqual([215_000]);
    await end();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('waits while hidden, and refetches when visible if due', async () => {
    const { asked, pass, look, end } = await page(MINUTE);
    await look('hidden');
    await look('visible');
    await pass(MINUTE + 10_000);
    // Nothing triggered a request before the due time, so the scheduled one runs.
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

  it('is not refetched once over', async () => {
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

  it('leads to Stripe and stays busy until then', async () => {
    const { shown, bodies, left, pay, comesBack } = await form('order');
    expect(shown.value.leaving).toBe(false);
    await pay(1250);
    expect([bodies, left, shown.value.leaving]).toEqual([
      [{ amount: 12.5, back: 'order' }],
      ['https://stripe.test/1'],
      true,
    ]);
    // The browser restores the page from its back/forward cache.
    await comesBack(false);
    expect(shown.value.leaving).toBe(true);
    await comesBack(true);
    expect(shown.value.leaving).toBe(false);
    await shown.end();
  });

  it.each([
    ['the form was changed', true],
    ['the screen was left', false],
  ])('that opens late does not navigate once %s', async (_, changed) => {
    const { shown, keys, left, answers } = await form();
    const late = Promise.withResolvers<Response>();
    answers(() => late.promise);
    await shown.does(async () => {
      shown.value.pay(2500);
      await eventually(() => expect(keys).toHaveLength(1));
      if (changed) shown.value.renew();
      else shown.leave();
      late.resolve(Response.json({ success: 1, data: { url: 'https://stripe.test/1' } }));
    });
    expect(left).toEqual([]);
    await shown.end();
  });

  it('reuses its key for an amount until the form is renewed', async () => {
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
