import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keepDraft, keptDraft } from '../../web/routes/_signed-in/orders/-kept-draft.ts';
import { AT_ONCE } from '../../web/routes/_signed-in/orders/-timing.ts';

/** A tab's storage, which Node has not. */
let stored: Map<string, string>;
beforeEach(() => {
  stored = new Map();
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, text: string) => void stored.set(name, text),
    removeItem: (name: string) => void stored.delete(name),
  });
});
afterEach(() => vi.unstubAllGlobals());

const entry = {
  type: 'rok-kingdom-scan',
  product_name: 'Kingdom scan',
  params: { kingdoms: ['1012'], governors: 300 },
};
const item = { id: 'a', name: 'Kingdom scan', price: 150, entry: { ...entry, price: 1.5 } };
const draft = { items: [item], timing: { ...AT_ONCE, later: true }, key: 'k' };
const typed = { 'rok-kingdom-scan': { kingdoms: '1013', full_profile: true } };

test('a draft comes back as it was left, without its price, and only to whose it is', () => {
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
])('%s is no draft', (_, text) => {
  stored.set('order-draft', text);
  expect(keptDraft('demo')).toBeNull();
});

test('without storage nothing is kept, and nothing breaks', () => {
  vi.stubGlobal('sessionStorage', undefined);
  keepDraft('demo', draft, typed);
  expect(keptDraft('demo')).toBeNull();
});
