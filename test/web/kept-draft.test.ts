import { expect, test, vi } from 'vitest';
import { keepDraft, keptDraft } from '../../web/routes/_signed-in/orders/-kept-draft.ts';
import { AT_ONCE } from '../../web/routes/_signed-in/orders/-timing.ts';
import { withTabStorage } from './tab-storage.ts';

const stored = withTabStorage();

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
