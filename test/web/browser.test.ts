import './page.ts';
import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest';
import { figureTitles, gainedKeys } from '../../web/components/difference/figure-titles.ts';
import { keyOf, nameOf } from '../../web/components/monitored/monitored.ts';
import { notifyInTitle } from '../../web/components/notify-in-title.ts';
import { shownSums } from '../../web/components/results/shown-sums.ts';
import { keep, kept } from '../../web/kept.ts';
import {
  cameForNewVersion,
  inTime,
  isLatePart,
  isLeaving,
  isMissingPart,
  isOtherRelease,
  nameMissingPart,
  noteLeaving,
  reloadForNewVersion,
} from '../../web/new-version.ts';
import { fromOf, isOwnPath } from '../../web/own-path.ts';
import { storedUser, storeUser } from '../../web/session.ts';
import { chooseTheme, chosenTheme } from '../../web/theme.ts';
import { copyText } from '../../web/ui/copy.ts';

/** Browser storage and other features, also when disabled. */

function storage() {
  const stored = new Map<string, string>();
  return {
    stored,
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => void stored.set(name, value),
    removeItem: (name: string) => void stored.delete(name),
  };
}
/** Disabled storage: every access throws. */
const OFF = new Proxy(
  {},
  {
    get: () => () => {
      throw new Error('The operation is insecure.');
    },
  },
);

let session: ReturnType<typeof storage>;
let local: ReturnType<typeof storage>;
let reloads = 0;
beforeEach(() => {
  [session, local, reloads] = [storage(), storage(), 0];
  vi.stubGlobal('sessionStorage', session);
  vi.stubGlobal('localStorage', local);
  vi.stubGlobal('navigator', { onLine: true });
  vi.stubGlobal('location', Object.assign(new URL('https://muster.test/'), { reload: () => reloads++ }));
});
afterEach(() => {
  vi.unstubAllGlobals();
});

describe('a new version', () => {
  const NOW = 5_000_000;

  it('reloads the page at most once a minute, and only online', () => {
    expect([reloadForNewVersion(NOW), reloads]).toEqual([true, 1]);
    expect([reloadForNewVersion(NOW + 59_999), reloads]).toEqual([false, 1]);
    expect([cameForNewVersion(NOW + 9_999), cameForNewVersion(NOW + 10_000)]).toEqual([true, false]);
    vi.stubGlobal('navigator', { onLine: false });
    expect(reloadForNewVersion(NOW + 60_000)).toBe(false);
    vi.stubGlobal('navigator', { onLine: true });
    expect([reloadForNewVersion(NOW + 60_000), reloads]).toEqual([true, 2]);
  });

  it('may take two minutes for a part, and leaves no timer after it', async () => {
    vi.useFakeTimers();
    try {
      expect(await inTime(Promise.resolve('part'))).toBe('part');
      await expect(inTime(Promise.reject(new Error('lost')))).rejects.toThrow('lost');
      expect(vi.getTimerCount()).toBe(0);
      const late = inTime(new Promise(() => undefined)).catch(isLatePart);
      await vi.advanceTimersByTimeAsync(119_999);
      expect(vi.getTimerCount()).toBe(1);
      await vi.advanceTimersByTimeAsync(1);
      expect(await late).toBe(true);
    } finally {
      vi.useRealTimers();
    }
  });

  it('does not interrupt a navigation', () => {
    vi.useFakeTimers({ now: NOW });
    noteLeaving();
    vi.setSystemTime(NOW + 9_999);
    expect([isLeaving(), reloadForNewVersion(), reloads]).toEqual([true, false, 0]);
    vi.setSystemTime(NOW + 10_000);
    expect([isLeaving(), reloadForNewVersion(), reloads]).toEqual([false, true, 1]);
    vi.useRealTimers();
  });

  it('is marked with our own message, on which the router does not reload', () => {
    const error = new TypeError('Failed to fetch dynamically imported module: https://muster.test/a.js');
    expect(isMissingPart(error)).toBe(false);
    nameMissingPart(error);
    expect([isMissingPart(error), error.message]).toEqual([true, 'A new version is here. Reload the page.']);
  });

  it('is told from the script that the pages of the server begin with', async () => {
    const element = { getAttribute: () => '/assets/index-a1.js' };
    const pageOf = (text: string, status = 200) => vi.stubGlobal('fetch', async () => new Response(text, { status }));
    vi.stubGlobal('document', { querySelector: () => element });
    pageOf('<script type="module" src="/assets/index-b2.js"></script>');
    expect(await isOtherRelease()).toBe(true);
    pageOf('<script type="module" src="/assets/index-a1.js"></script>');
    expect(await isOtherRelease()).toBe(false);
    // A link that leads to no page sends nothing.
    pageOf('{"success":0}', 503);
    expect(await isOtherRelease()).toBe(false);
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no network')));
    expect(await isOtherRelease()).toBe(false);
  });

  it('never reloads in a loop without storage', () => {
    vi.stubGlobal('sessionStorage', OFF);
    expect([reloadForNewVersion(NOW), reloads, cameForNewVersion(NOW)]).toEqual([false, 0, false]);
  });
});

test('the tab stores values, validates their shape, and removes them on null', () => {
  const isText = (value: unknown): value is string => typeof value === 'string';
  expect(kept('a', isText)).toBeNull();
  keep('a', 'x');
  expect([kept('a', isText), session.stored.get('a')]).toEqual(['x', '"x"']);
  keep('a', 5);
  expect(kept('a', isText)).toBeNull();
  keep('a', null);
  expect(session.stored.has('a')).toBe(false);
  session.stored.set('a', '{');
  expect(kept('a', isText)).toBeNull();
  vi.stubGlobal('sessionStorage', OFF);
  keep('a', 'x');
  expect(kept('a', isText)).toBeNull();
});

test('the user name is remembered until sign-out', () => {
  expect(storedUser()).toBeNull();
  storeUser('ash');
  expect([storedUser(), local.stored.get('user')]).toEqual(['ash', 'ash']);
  storeUser(null);
  expect([storedUser(), local.stored.size]).toEqual([null, 0]);
  vi.stubGlobal('localStorage', OFF);
  storeUser('ash');
  expect(storedUser()).toBeNull();
});

test('a theme is applied and stored; the system’s theme is neither', () => {
  const dataset: Record<string, string> = {};
  const told = vi.fn();
  vi.stubGlobal('document', { documentElement: { dataset } });
  vi.stubGlobal('dispatchEvent', ({ type }: Event) => told(type));
  expect(chosenTheme()).toBe('system');
  chooseTheme('dark');
  expect([chosenTheme(), dataset.theme, local.stored.get('theme')]).toEqual(['dark', 'dark', 'dark']);
  chooseTheme('system');
  expect([chosenTheme(), 'theme' in dataset, local.stored.size]).toEqual(['system', false, 0]);
  dataset.theme = 'odd';
  expect(chosenTheme()).toBe('system');
  vi.stubGlobal('localStorage', OFF);
  chooseTheme('light');
  expect([chosenTheme(), told.mock.calls]).toEqual(['light', [['themechange'], ['themechange'], ['themechange']]]);
});

describe('copying a text', () => {
  it('uses the clipboard, or a selection if denied, and restores the focus', async () => {
    const writeText = vi.fn(async () => undefined);
    vi.stubGlobal('navigator', { clipboard: { writeText } });
    expect([await copyText('a'), writeText.mock.calls]).toEqual([true, [['a']]]);
    class Element {
      focus = vi.fn();
    }
    vi.stubGlobal('HTMLElement', Element);
    const focused = new Element();
    const area = { value: '', readOnly: false, className: '', select: vi.fn(), remove: vi.fn() };
    const [body, dialog] = [{ append: vi.fn() }, { append: vi.fn() }];
    let open: typeof dialog | null = null;
    const page = {
      activeElement: focused as unknown,
      body,
      createElement: () => area,
      querySelector: () => open,
      execCommand: vi.fn(() => true),
    };
    vi.stubGlobal('document', page);
    for (const refused of [{}, { clipboard: { writeText: () => Promise.reject(new Error('no')) } }]) {
      vi.stubGlobal('navigator', refused);
      expect(await copyText('b')).toBe(true);
    }
    expect([area.value, area.readOnly, area.className]).toEqual(['b', true, 'visually-hidden']);
    for (const act of [body.append, area.select, area.remove, focused.focus]) expect(act).toHaveBeenCalledTimes(2);
    expect(page.execCommand).toHaveBeenCalledWith('copy');
    open = dialog;
    page.execCommand.mockReturnValue(false);
    page.activeElement = null;
    expect(await copyText('c')).toBe(false);
    expect([dialog.append.mock.calls.length, body.append.mock.calls.length]).toEqual([1, 2]);
  });
});

describe('the title of a tab', () => {
  const tab = (hidden: boolean) => {
    const page = Object.assign(new EventTarget(), { hidden, title: 'Orders · Muster' });
    vi.stubGlobal('document', page);
    const look = (isHidden: boolean) => {
      page.hidden = isHidden;
      page.dispatchEvent(new Event('visibilitychange'));
    };
    return { page, look };
  };

  it('shows a message until the tab is visible', () => {
    const { page, look } = tab(true);
    notifyInTitle('Scan ready');
    expect(page.title).toBe('✓ Scan ready · Muster');
    notifyInTitle('Order 7 done');
    expect(page.title).toBe('✓ Order 7 done · Muster');
    look(false);
    expect(page.title).toBe('Orders · Muster');
    look(false);
    expect(page.title).toBe('Orders · Muster');
  });

  it('stays if the tab is visible or another page has set its own', () => {
    const seen = tab(false);
    notifyInTitle('Scan ready');
    expect(seen.page.title).toBe('Orders · Muster');
    const { page, look } = tab(true);
    notifyInTitle('Scan ready');
    page.title = 'Account · Muster';
    look(false);
    expect(page.title).toBe('Account · Muster');
    // The first message was dropped once the tab was visible.
    look(true);
    notifyInTitle('Again');
    look(false);
    expect(page.title).toBe('Account · Muster');
  });
});

test.each([
  ['/orders?x=1', true],
  ['/', true],
  ['/reports/?from=/a#c/d/', true],
  ['/orders?from=//a', false],
  ['//evil.test', false],
  ['/\t/evil.test', false],
  ['/\n\\evil.test', false],
  ['/.//evil.test', false],
  ['/orders?\t', false],
  ['/\\evil.test', false],
  ['https://evil.test', false],
  ['', false],
  [5, false],
])('whether %s is a path of this site: %s', (path, own) => {
  expect(isOwnPath(path)).toBe(own);
  expect(fromOf({ from: path })).toBe(own ? path : undefined);
});

test.each([
  ['/logout', undefined],
  ['/logout/?x=1', undefined],
  ['/orders?from=/logout', '/orders?from=/logout'],
])('a redirect from %s returns after sign-in to %s', (from, to) => {
  expect(fromOf({ from })).toBe(to);
});

describe('names and figures', () => {
  it('names a monitored kingdom', () => {
    expect(nameOf({ game: 'cod', kingdom_id: 104 })).toBe('Server 104');
    expect(keyOf({ game: 'cod', kingdom_id: 104 })).toBe('cod 104');
  });

  it('converts sums', () => {
    const sum = (value: number) => ({ value, rows: 1, left_out: value + 1, raw: 3, flawed: 4 });
    const shown = (value: number) => ({ value, rows: 1, excluded: value + 1, raw: 3, flawed: 4 });
    const [top100, top350, power, score, deads, high_tier_kills] = [10, 20, 30, 40, 50, 60].map(sum) as [
      never,
      never,
      never,
      never,
      never,
      never,
    ];
    expect(shownSums({ count: 1, listed: 2, flawed: 3, top100, top350, power, score, deads, high_tier_kills })).toEqual(
      {
        count: 1,
        listedOnly: 2,
        top100: shown(10),
        top350: shown(20),
        power: shown(30),
        score: shown(40),
        deads: shown(50),
        highTierKills: shown(60),
      },
    );
  });

  it('formats figures of a difference', () => {
    expect(figureTitles('rok')).toMatchObject({
      dkp: 'DKP',
      killpoints: 'Killpoints',
      killcount_t1: 'T1 kills',
      killcount_t5: 'T5 kills',
    });
    expect(gainedKeys('rok')).toEqual(['deads', 'killpoints', 'killcount_t4', 'killcount_t5']);
    expect(gainedKeys('cod')).toEqual(['units_dead', 'merits', 'units_killed', 'killcount_t4', 'killcount_t5']);
  });
});
