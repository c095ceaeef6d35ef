import './page.ts';
import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest';
import type { OfferGroup } from '../../web/api/products.ts';
import { keepDraft, keptDraft } from '../../web/routes/_signed-in/orders/-kept-draft.ts';
import { AT_ONCE } from '../../web/routes/_signed-in/orders/-timing.ts';
import { useDraft, type Wish } from '../../web/routes/_signed-in/orders/-use-draft.ts';
import { hooked } from './hook.tsx';

/** The initial content of an order, and what the tab stores of it. */

/** Session storage, which Node lacks. */
const stored = new Map<string, string>();
beforeEach(() => {
  stored.clear();
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, text: string) => void stored.set(name, text),
    removeItem: (name: string) => void stored.delete(name),
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe('a draft order', () => {
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

  it('starts empty with its own key', async () => {
    const { shown, taken } = await form();
    expect(shown.value).toMatchObject({ draft: { items: [], timing: AT_ONCE }, typed: {}, problems: [], error: null });
    expect(shown.value.draft.key).toMatch(/^[0-9a-f-]{36}$/);
    expect(taken).not.toHaveBeenCalled();
    await shown.end();
  });

  it('is restored under the same key once the products are known', async () => {
    left();
    const { shown, props } = await form({}, { groups: undefined });
    expect(shown.value).toMatchObject({
      draft: { key: 'k-before', timing: { later: true } },
      typed: { other: { note: 'n' } },
    });
    // Nothing may be stored earlier, because that would overwrite the stored draft.
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
    'is never stored without the previous draft if products load %s, because a reload may come in between',
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

  it('says which items can no longer be ordered', async () => {
    left({ items: [{ id: 'a', entry: entry('gone') }] });
    const { shown } = await form();
    expect(shown.value.problems).toEqual(['The gone cannot be ordered at present.']);
    await shown.end();
  });

  it('takes product and kingdoms from a link beside stored values', async () => {
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

  it('starts from an earlier order under a new key if a link says so, replacing the stored draft', async () => {
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

  it('uses the stored draft until the earlier order can be read', async () => {
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

  it('keeps its changes when products load again', async () => {
    left({ items: [{ id: 'a', entry: entry('scan') }] });
    const { shown, props } = await form();
    await shown.does(() => shown.value.change({ type: 'remove', id: 'a' }));
    await shown.show({ ...props, groups: structuredClone(groups) });
    expect(shown.value.draft.items).toEqual([]);
    await shown.end();
  });

  it('is stored with a new key on each change, and removed once placed', async () => {
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

const entry = {
  type: 'rok-kingdom-scan',
  product_name: 'Kingdom scan',
  params: { kingdoms: ['1012'], governors: 300 },
};
const item = { id: 'a', name: 'Kingdom scan', price: 150, entry: { ...entry, price: 1.5 } };
const draft = { items: [item], timing: { ...AT_ONCE, later: true }, key: 'k' };
const typed = { 'rok-kingdom-scan': { kingdoms: '1013', full_profile: true } };

test('a draft is restored without prices, and only for its owner', () => {
  keepDraft('demo', draft, typed);
  expect(keptDraft('demo')).toEqual({
    user: 'demo',
    items: [{ id: 'a', entry }],
    timing: draft.timing,
    key: 'k',
    typed,
  });
  expect(keptDraft('other')).toBeNull();
});

test.each([
  ['no JSON', '{'],
  ['nothing', 'null'],
  ['a list', '[]'],
  ['another timing', JSON.stringify({ user: 'demo', key: 'k', items: [], typed: {}, timing: { later: 'yes' } })],
  [
    'an entry of another shape',
    JSON.stringify({ user: 'demo', key: 'k', items: [{ id: 1 }], typed: {}, timing: AT_ONCE }),
  ],
  ['fields of another shape', JSON.stringify({ user: 'demo', key: 'k', items: [], typed: { a: 1 }, timing: AT_ONCE })],
])('%s is not a valid draft', (_, text) => {
  stored.set('order-draft', text);
  expect(keptDraft('demo')).toBeNull();
});

/** A stored draft with one value replaced. */
const bent = (path: string, value: unknown): string => {
  const whole = {
    user: 'demo',
    key: 'k',
    items: [{ id: 'a', entry }],
    timing: AT_ONCE,
    typed: { p: { a: 'x', b: true } },
  };
  const names = path.split('.');
  const copy = structuredClone(whole);
  const last = names.pop() as string;
  const target = names.reduce((at, name) => at[name] as Record<string, unknown>, copy as Record<string, unknown>);
  target[last] = value;
  return JSON.stringify(copy);
};

test.each<[string, unknown]>([
  ['user', 5],
  ['user', 'other'],
  ['key', null],
  ['items', {}],
  ['items.0', 'a'],
  ['items.0', null],
  ['items.0.id', 5],
  ['items.0.entry', null],
  ['items.0.entry.type', 5],
  ['items.0.entry.params', []],
  ['items.0.entry.params', null],
  ['timing', null],
  ['timing', []],
  ['timing.later', 'yes'],
  ['timing.start', 5],
  ['timing.end', null],
  ['timing.interval', 1],
  ['timing.period', 'fortnight'],
  ['typed', []],
  ['typed', null],
  ['typed.p', null],
  ['typed.p', 'x'],
  ['typed.p.a', 5],
  ['typed.p.b', null],
])('a draft whose %s is %j is invalid', (path, value) => {
  stored.set('order-draft', bent('key', 'k'));
  expect(keptDraft('demo')?.key).toBe('k');
  stored.set('order-draft', bent(path, value));
  expect(keptDraft('demo')).toBeNull();
});

test('without storage nothing is stored and nothing breaks', () => {
  vi.stubGlobal('sessionStorage', undefined);
  keepDraft('demo', draft, typed);
  expect(keptDraft('demo')).toBeNull();
});
