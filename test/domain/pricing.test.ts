import { afterEach, describe, expect, it } from 'vitest';
import { exact } from '../../domain/figures.ts';
import { LOCALES } from '../../domain/language/locales.ts';
import { say } from '../../domain/language/text.ts';
import { centsOf, dollars, formatCents } from '../../domain/money/money.ts';
import { centsIn } from '../../domain/money/typed-cents.ts';
import { MAX_ITEMS_PER_ORDER, MAX_RANKS_PER_ORDER, PRODUCTS, productOf } from '../../domain/orders/catalogue.ts';
import { type PricedEntry, priceEntry, shownEntry, tooMuch } from '../../domain/orders/entry.ts';
import { itemIn, orderNumberIn, orderUuidIn } from '../../domain/orders/ids.ts';
import {
  isMoving,
  preparingUntil,
  progressOf,
  progressOfOrder,
  RETURN_AFTER_MS,
  returnsAt,
  standingOf,
  subtasksFor,
} from '../../domain/orders/order.ts';
import { missedSince, outlookOf } from '../../domain/orders/outlook.ts';
import { checkParams } from '../../domain/orders/params.ts';
import { numberOf, outOfBounds, priceOf, shownFields, type Tariff, unitsOf } from '../../domain/orders/pricing.ts';
import { configuredSale } from '../../domain/orders/sale.ts';
import { speak } from '../support/speak.ts';

const ALL = configuredSale(PRODUCTS.map(({ id }) => id).join());
const NOW = Date.UTC(2026, 10, 27);
const scan = { kingdoms: ['1001', '1002'], governors: 300, full_profile: true };
const entry = (params: Record<string, unknown>, type = 'rok-kingdom-scan') => ({ type, params, price: 0 });

describe('the price of an entry', () => {
  const tariff = (about: Partial<Tariff>): Tariff => ({
    price: 50,
    price_field: null,
    price_extra: null,
    price_chunk: null,
    fields: [
      { name: 'kingdoms', type: 'list', price_per_unit: true },
      { name: 'camps', type: 'list', price_per_unit: true },
      { name: 'note', type: 'text' },
    ],
    ...about,
  });
  const params = { kingdoms: '1,2,3', camps: ['a', 'b'], note: 'x,y' };

  it.each<[string, Partial<Tariff>, object, number]>([
    ['times the units of all its lists', {}, params, 300],
    ['of no units is nothing', {}, { ...params, camps: '' }, 0],
    [
      'with an extra, where its field is a switch that is on',
      { price_field: 'on', price_extra: 7 },
      { ...params, on: true },
      342,
    ],
    ['without, where it is off', { price_field: 'on', price_extra: 7 }, { ...params, on: false }, 300],
    ['without, where it is left out', { price_field: 'on', price_extra: 7 }, params, 300],
    ['without, where it is blank', { price_field: 'on', price_extra: 7 }, { ...params, on: '  ' }, 300],
    ['with an extra, where it is a text', { price_field: 'on', price_extra: 7 }, { ...params, on: '0' }, 342],
    ['by the chunk, a begun one as a whole', { price_field: 'n', price_chunk: 100 }, { ...params, n: '201' }, 900],
    ['by the chunk, to the last of it', { price_field: 'n', price_chunk: 100 }, { ...params, n: 200 }, 600],
    ['by the chunk, of nothing and less', { price_field: 'n', price_chunk: 100 }, { ...params, n: -5 }, 0],
    ['by the chunk, of no number', { price_field: 'n', price_chunk: 100 }, { ...params, n: 'many' }, 0],
    ['once, where no chunk is named', { price_field: 'n' }, { ...params, n: 5 }, 300],
  ])('%s', (_, about, given, cents) => {
    expect(priceOf(tariff(about), given as Record<string, unknown>)).toBe(cents);
  });

  it('is that of the specification: half a dollar per hundred governors, two dollars for a history', () => {
    const price = (type: string, governors: number | string, kingdoms: unknown) => {
      const product = productOf(type);
      if (!product) throw new Error(type);
      return priceOf(product, { kingdoms, servers: kingdoms, governors, lords: governors });
    };
    expect(price('rok-kingdom-scan', 100, '1')).toBe(50);
    expect(price('rok-kingdom-scan', 101, '1')).toBe(100);
    expect(price('rok-kingdom-scan', '1,200', '1,2')).toBe(1200);
    expect(PRODUCTS.map(({ id, price: cents, price_chunk }) => [id, cents, price_chunk])).toEqual([
      ['rok-kingdom-scan', 50, 100],
      ['cod-server-scan', 50, 100],
      ['rok-history', 200, 100],
    ]);
  });

  it('is computed here, whatever price the client sent, and unknown fields are dropped', () => {
    const priced = priceEntry({ ...entry({ ...scan, governors: '1,200' }), price: 0.01 }, ALL, NOW);
    expect(priced).toMatchObject({
      price: 1200,
      entry: { type: 'rok-kingdom-scan', price: 12, params: { ...scan, governors: 1200 } },
    });
    expect(shownEntry((priced as PricedEntry).entry)).toMatchObject({
      group_name: expect.any(String),
      fields: { Governors: '1,200', 'Full profile': 'Yes' },
    });
    expect(shownEntry(entry({}, 'gone'))).toEqual({ type: 'gone', params: {}, price: 0 });
  });

  it('is refused for an unknown product, one that is not on sale, and wrong parameters', () => {
    expect(priceEntry(entry(scan, 'gone'), ALL, NOW)).toMatchObject({
      kind: 'refused',
      flaw: { message: "there is no product '{name}'.", values: { name: 'gone' } },
    });
    expect(priceEntry(entry(scan), configuredSale('cod-server-scan'), NOW)).toMatchObject({ kind: 'not_ready' });
    expect(priceEntry(entry({ ...scan, governors: 99 }), ALL, NOW)).toMatchObject({ kind: 'refused' });
  });
});

describe('a form’s value', () => {
  afterEach(() => speak('en'));
  const product = productOf('rok-kingdom-scan') as NonNullable<ReturnType<typeof productOf>>;
  it.each<[object, RegExp | null]>([
    [{}, null],
    [{ governors: 100 }, null],
    [{ governors: 5000 }, null],
    [{ governors: '5,000' }, null],
    [{ governors: '5.000' }, null],
    [{ governors: '5\u202f000' }, null],
    [{ governors: '100.000' }, /out-of-bounds for Governors: 100\.000/],
    [{ governors: 99 }, /^The following value is out-of-bounds for Governors: 99$/],
    [{ governors: 5001 }, /out-of-bounds for Governors: 5001/],
    [{ governors: '3x' }, /out-of-bounds for Governors: 3x/],
    [{ governors: undefined }, /out-of-bounds for Governors:$/],
    [{ governors: 100.5 }, /whole number/],
    [{ full_profile: undefined }, null],
    [{ full_profile: 'yes' }, /must be true or false/],
    [{ kingdoms: '1, 2' }, null],
    [{ kingdoms: 7 }, /must be a list/],
    [{ kingdoms: [] }, /./],
    [{ kingdoms: ['1', '99999'] }, null],
    [{ kingdoms: ['100000'] }, /./],
    [{ kingdoms: ['0'] }, /./],
    [{ colour: 'red' }, /has no such field/],
  ])('%j', (change, flaw) => {
    const found = checkParams(product, { ...scan, ...change });
    if (flaw === null) expect(found).toBeNull();
    else expect(found && say(found)).toMatch(flaw);
  });

  it('may be a number as any language writes it', () => {
    for (const language of LOCALES) {
      speak(language);
      expect([language, numberOf(exact(5000))]).toEqual([language, 5000]);
    }
    expect(['３００', '١٬٢٠٠', '1 200', '12 00'].map(numberOf)).toEqual([300, 1200, 1200, null]);
    expect([' 300 ', '1,200', '-5', '1.5', 7].map(numberOf)).toEqual([300, 1200, -5, 1.5, 7]);
    expect(['', '3x', 'x3', null, true, Number.NaN, Number.POSITIVE_INFINITY].map(numberOf)).toEqual(
      Array(7).fill(null),
    );
    expect(outOfBounds({ name: 'a', display: 'A', type: 'text' }, 'anything')).toBeNull();
    expect(outOfBounds({ name: 'a', display: 'A', type: 'text', min: 1 }, 1)).toBeNull();
    expect(outOfBounds({ name: 'a', display: 'A', type: 'text', max: 1 }, 2)).not.toBeNull();
    // A value that is not a number is outside all bounds.
    const flaw = outOfBounds({ name: 'a', display: 'A', type: 'text', min: 0 }, 'x');
    expect(flaw && say(flaw)).toBe('The following value is out-of-bounds for A: x');
  });

  it('is shown in readable form if it is set', () => {
    const fields = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ name, display: name.toUpperCase() }));
    expect(shownFields(fields, { a: true, b: false, c: 1200, d: ['x', 'y'], e: null })).toEqual({
      A: 'Yes',
      B: 'No',
      C: '1,200',
      D: 'x, y',
    });
    expect(unitsOf({ fields: [] }, {})).toBe(1);
  });
});

it('an order takes kingdoms and governors up to its limits', () => {
  const product = productOf('rok-kingdom-scan') as PricedEntry['product'];
  const of = (kingdoms: number, governors: number): PricedEntry => ({
    product,
    price: 0,
    entry: entry({ kingdoms: Array.from({ length: kingdoms }, (_, index) => `${index + 1}`), governors }),
  });
  const half = MAX_ITEMS_PER_ORDER / 2;
  const flawOf = (entries: PricedEntry[]) => say(tooMuch(entries) ?? { message: '' });
  expect(tooMuch([of(half, 100), of(half, 100)])).toBeNull();
  expect(flawOf([of(half, 100), of(half + 1, 100)])).toMatch(/^5,001 kingdoms or servers are more than the 5,000/);
  const kingdoms = MAX_RANKS_PER_ORDER / 5000;
  expect(tooMuch([of(kingdoms, 5000)])).toBeNull();
  expect(flawOf([of(kingdoms, 5000), of(1, 100)])).toMatch(/^2,000,100 governors or lords/);
});

it('money is rounded to whole cents', () => {
  expect([centsOf(0.1 + 0.2), centsOf(19.99), centsOf(-1.25), centsOf(0.005), centsOf(1e20)]).toEqual([
    30,
    1999,
    -125,
    null,
    null,
  ]);
  // Prices with fractions of a cent (a half, a twentieth, a thousandth) are invalid. Smaller ones than a double can
  // hold are valid.
  for (const cents of [0, 1, 5, 29, 1999, 123_456_789]) {
    expect(centsOf(cents / 100)).toBe(cents);
    for (const more of [0.005, 0.0005, 0.00005, 0.0000005])
      for (const sign of [1, -1]) expect(centsOf(cents / 100 + sign * more)).toBeNull();
    expect(centsOf((cents / 100) * (1 + Number.EPSILON))).toBe(cents);
  }
  expect([dollars(1999), formatCents(123_450), formatCents(5)]).toEqual([19.99, '1,234.50', '0.05']);
});

describe('an amount in a form', () => {
  afterEach(() => speak('en'));

  it('becomes cents, whatever separates its cents and thousands', () => {
    expect(['１２．５０', '١٢٫٥٠'].map(centsIn)).toEqual([1250, 1250]);
    const amounts = ['5', ' 12.50 ', '0.5', '-2.50', '1,000', '1,234,567.89', '1000.00', '0,50', '1.234,50'];
    expect(amounts.map(centsIn)).toEqual([500, 1250, 50, -250, 100_000, 123_456_789, 100_000, 50, 123_450]);
    const refused = ['1000,000', '1.000', ',500', '1,', '1,000,00', '0.005', '1,000.005'];
    expect(refused.map(centsIn)).toEqual(refused.map(() => null));
    expect(['', '5 USD', '$5', '5.', '.5', '1e3', '--1'].map(centsIn)).toEqual(Array(7).fill(null));
  });

  it('has the reader’s separators', () => {
    speak('de');
    expect(['12,50', '12.50', '1.000', '1.234.567,89', '1,000'].map(centsIn)).toEqual([
      ...[1250, 1250, 100_000, 123_456_789, null],
    ]);
    speak('fr');
    expect(['10\u202f000,00', '1 000', '12,50', '12 50'].map(centsIn)).toEqual([1_000_000, 100_000, 1250, null]);
  });
});

describe('an item’s state', () => {
  const item = (state: Parameters<typeof standingOf>[0]['state'], has_results: boolean, subtask_count = 3) =>
    standingOf({ state, has_results, subtask_count });

  it('follows from its stored state, its results and its bots’ work', () => {
    expect([item('open', false), item('open', true), item('finishing', true), item('finishing', false)]).toEqual([
      'open',
      'repairing',
      'repairing',
      'finishing',
    ]);
    expect([item('done', true), item('done', true, 0), item('failed', false, 0), item('cancelled', true)]).toEqual([
      'done',
      'stored',
      'failed',
      'cancelled',
    ]);
    expect((['open', 'finishing', 'done', 'failed', 'cancelled'] as const).map((state) => isMoving({ state }))).toEqual(
      [true, true, false, false, false],
    );
  });

  it('has a whole percentage from 0 to 100', () => {
    const percent = (subtask_count: number, incomplete_count: number) =>
      progressOf({ subtask_count, incomplete_count });
    expect([percent(0, 0), percent(3, 3), percent(3, 2), percent(3, 1), percent(3, 0), percent(100, 1)]).toEqual([
      0, 0, 33, 66, 100, 99,
    ]);
    expect([subtasksFor(1, 100), subtasksFor(100, 100), subtasksFor(101, 100)]).toEqual([1, 1, 2]);
  });

  it('has a progress of all its items, also if a list has only the first', () => {
    const items = [
      { subtask_count: 3, incomplete_count: 0 },
      { subtask_count: 1, incomplete_count: 1 },
    ];
    expect(progressOfOrder({ items, item_count: 2, standings: { done: 1, open: 1 } })).toBe(75);
    expect(progressOfOrder({ items, item_count: 40, standings: { done: 10, open: 28, finishing: 2 } })).toBe(25);
  });

  it('has a refund of failed work a day after its end, unless bots are repairing it', () => {
    const at = (about: object) =>
      returnsAt({ state: 'done', failed_count: 1, finished_at: 5, ...about } as Parameters<typeof returnsAt>[0]);
    expect([at({}), at({ state: 'failed' })]).toEqual([5 + RETURN_AFTER_MS, 5 + RETURN_AFTER_MS]);
    expect([at({ failed_count: 0 }), at({ state: 'open' }), at({ finished_at: null })]).toEqual([null, null, null]);
  });

  it('is shown as preparing until the stated time, while it is open', () => {
    const until = (state: 'open' | 'finishing', preparing_until: number | null, now: number) =>
      preparingUntil({ state, preparing_until }, now);
    expect([until('open', 10, 9), until('open', 10, 10), until('finishing', 10, 9), until('open', null, 9)]).toEqual([
      10,
      null,
      null,
      null,
    ]);
  });
});

it('an id is an order’s number or an item’s id', () => {
  expect([orderNumberIn('12'), orderNumberIn('i12'), orderNumberIn('')]).toEqual([12, null, null]);
  expect([itemIn('12'), itemIn('i12')]).toEqual([null, 'i12']);
  const uuid = '0f8fad5b-d9cb-469f-a165-70867728950e';
  expect([orderUuidIn(uuid), orderUuidIn(uuid.toUpperCase()), orderUuidIn('12'), orderUuidIn('i12')]).toEqual([
    uuid,
    uuid,
    null,
    null,
  ]);
  expect([orderNumberIn(uuid), itemIn(uuid)]).toEqual([null, null]);
});

it('a kingdom is known, new, or missing if the last scan found nobody', () => {
  expect(outlookOf({ scanned_at: null, missed_at: null })).toBe('new');
  expect(outlookOf({ scanned_at: 5, missed_at: null })).toBe('known');
  expect(outlookOf({ scanned_at: 5, missed_at: 5 })).toBe('known');
  expect(outlookOf({ scanned_at: 5, missed_at: 6 })).toBe('missing');
  expect(outlookOf({ scanned_at: null, missed_at: 1 })).toBe('missing');
  expect(missedSince(10 * 86_400_000)).toBe(3 * 86_400_000);
});
