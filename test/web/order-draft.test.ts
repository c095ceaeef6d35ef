import { afterEach, expect, test } from 'vitest';
import { takeLocaleFrom } from '../../domain/language/current.ts';
import { addCatalogue, keyOf } from '../../domain/language/text.ts';
import { PRODUCTS } from '../../domain/orders/catalogue.ts';
import type { Offer } from '../../web/api/products.ts';
import {
  type Draft,
  type DraftItem,
  draftItem,
  draftReducer,
  initialValues,
  isFlaw,
  reorderedItem,
  repriced,
  totalOf,
} from '../../web/routes/_signed-in/orders/-draft.ts';
import { AT_ONCE } from '../../web/routes/_signed-in/orders/-timing.ts';

const product = PRODUCTS.find(({ id }) => id === 'rok-kingdom-scan');
if (!product) throw new Error('the catalogue has no kingdom scan');
const offer: Offer = { ...product, fields: [...product.fields], ready: true, ready_from: null, paused: null };

afterEach(() => takeLocaleFrom(() => 'en'));

const filled = (values: Record<string, string | boolean>) =>
  draftItem(offer, { ...initialValues(offer), ...values }, 'a');

const added = (values: Record<string, string | boolean>): DraftItem => {
  const item = filled(values);
  if (isFlaw(item)) throw new Error(item.text);
  return item;
};

test('an entry contains what the server prices and what the customer saw', () => {
  expect(added({ kingdoms: ' 1012, 1013 ,', governors: '1,250' }).entry).toEqual({
    type: 'rok-kingdom-scan',
    group_name: 'Rise of Kingdoms',
    product_name: 'Kingdom scan',
    params: { kingdoms: ['1012', '1013'], governors: 1250, full_profile: true },
    fields: { Kingdoms: '1012, 1013', Governors: '1,250', 'Full profile': 'Yes' },
    price: 13,
  });
});

test.each([
  ['20', '20'],
  ['5001', '5001'],
  ['many', 'many'],
  ['', ''],
])('%j governors are refused with the specification’s alert', (governors, shown) => {
  expect(filled({ kingdoms: '1012', governors })).toEqual({
    name: 'governors',
    text: `The following value is out-of-bounds for Governors: ${shown}`.trim(),
  });
});

test('an entry without a valid kingdom is refused with the field’s label', () => {
  expect(filled({ kingdoms: ' , ' })).toEqual({ name: 'kingdoms', text: 'Kingdoms: name at least one.' });
  expect(filled({ kingdoms: '1012, atlantis' })).toMatchObject({
    text: expect.stringMatching(/^Kingdoms: 'atlantis'/),
  });
});

test('names of fields and products are in the reader’s language', () => {
  takeLocaleFrom(() => 'de');
  const german = { Kingdoms: 'Königreiche', 'Kingdom scan': 'Königreich-Scan', 'name at least one.': 'nenne eins.' };
  const messages = Object.entries(german).map(([english, text]) => [keyOf(english), text]);
  addCatalogue('de', { messages: Object.fromEntries(messages) });
  expect(filled({ kingdoms: ' , ' })).toEqual({ name: 'kingdoms', text: 'Königreiche: nenne eins.' });
  const entry = { type: offer.id, params: {}, product_name: 'Kingdom scan' };
  expect(reorderedItem([], entry, 'a')).toBe('Königreich-Scan cannot be ordered at present.');
});

test('the total is the sum of the items, without removed ones', () => {
  const first = { ...added({ kingdoms: '1012' }), id: 'first' };
  const second = { ...added({ kingdoms: '1013, 1014', governors: '100' }), id: 'second' };
  const empty: Draft = { items: [], timing: AT_ONCE, key: 'k0' };
  const one = draftReducer(empty, { type: 'add', item: first, key: 'k1' });
  const two = draftReducer(one, { type: 'add', item: second, key: 'k2' });
  expect(totalOf(two)).toBe(150 + 100);
  expect(totalOf(draftReducer(two, { type: 'remove', id: 'first', key: 'k3' }))).toBe(100);
});

test('every change takes a new key, because the old one would return the old order', () => {
  const item = added({ kingdoms: '1012' });
  const one = draftReducer({ items: [], timing: AT_ONCE, key: 'k0' }, { type: 'add', item, key: 'k1' });
  expect(one.key).toBe('k1');
  expect(draftReducer(one, { type: 'remove', id: item.id, key: 'k2' })).toEqual({
    items: [],
    timing: AT_ONCE,
    key: 'k2',
  });
  const timing = { ...AT_ONCE, later: true };
  expect(draftReducer(one, { type: 'time', timing, key: 'k3' })).toEqual({ items: [item], timing, key: 'k3' });
});

test('a repeated entry costs today’s price, or says why it cannot be ordered', () => {
  const { entry } = added({ kingdoms: '1012, 1013' });
  const cheap = { ...entry, price: 0.01 };
  expect(reorderedItem([offer], cheap, 'b')).toMatchObject({ id: 'b', entry });
  expect(reorderedItem([{ ...offer, ready: false }], entry, 'b')).toBe('Kingdom scan cannot be ordered at present.');
  expect(reorderedItem([], entry, 'b')).toBe('Kingdom scan cannot be ordered at present.');
  const paused = { ...offer, ready: false, paused: 'The fleet moves house.' };
  expect(reorderedItem([paused], entry, 'b')).toBe('The fleet moves house.');
  // A field that no longer exists and an invalid one, by their labels.
  const of = (params: object) => reorderedItem([offer], { ...entry, params: { ...entry.params, ...params } }, 'b');
  expect(of({ odd: 1 })).toBe('odd: Kingdom scan has no such field.');
  expect(of({ full_profile: 'yes' })).toBe('Full profile: must be true or false.');
});

test('items of a draft follow the prices, and stay if they cannot be ordered now', () => {
  const item = added({ kingdoms: '1012, 1013', governors: '100' });
  expect(item.price).toBe(100);
  const [dearer] = repriced([{ ...offer, price: 60 }], [item]);
  expect(dearer).toMatchObject({ id: item.id, price: 120, entry: { params: item.entry.params, price: 1.2 } });
  expect(repriced([{ ...offer, ready: false }], [item])).toEqual([item]);
});
