import { describe, expect, it, test } from 'vitest';
import type * as z from 'zod';
import { compareQuery, usualSettings, weightsOf } from '../../domain/compare/contract.ts';
import { PRESETS } from '../../domain/difference/scoring.ts';
import {
  defaultWeights,
  eventPayload,
  linesQuery,
  ownGovernors,
  rangeQuery,
  snapshotQuery,
} from '../../domain/events/contract.ts';
import { say } from '../../domain/language/text.ts';
import { importChoice } from '../../domain/library/contract.ts';
import { PRODUCTS } from '../../domain/orders/catalogue.ts';
import { checkParams } from '../../domain/orders/params.ts';
import { scheduleInfo } from '../../domain/orders/schedule-contract.ts';

/** Rules of calls beyond the bounds of single fields: fields that belong together, and how texts are parsed. */

/** Returns the first flaw as 'path: sentence', or the parsed value. */
function read(schema: z.ZodType, value: unknown): unknown {
  const { data, error } = schema.safeParse(value);
  const [issue] = error?.issues ?? [];
  return issue ? `${issue.path.join('.')}: ${issue.message}` : data;
}

test.each<[unknown, unknown]>([
  [1_700_000_000_000, { captured_at: 1_700_000_000_000 }],
  ['2023-11-14T22:13:20Z', { captured_at: 1_700_000_000_000 }],
  [1_700_000_000_000.5, 'captured_at: must be epoch milliseconds, or a time such as 2026-03-01T12:00:00Z'],
  ['2023-11-14', { captured_at: Date.UTC(2023, 10, 14) }],
  // Which of the two is the month is anybody's guess.
  ['05/01/2026', 'captured_at: must be epoch milliseconds, or a time such as 2026-03-01T12:00:00Z'],
  ['2026-02-30', 'captured_at: must be epoch milliseconds, or a time such as 2026-03-01T12:00:00Z'],
  [1e308, 'captured_at: must be epoch milliseconds, or a time such as 2026-03-01T12:00:00Z'],
  [true, 'captured_at: must be epoch milliseconds, or a time such as 2026-03-01T12:00:00Z'],
])('a file that was made at %j', (captured_at, said) => {
  expect(read(importChoice, { captured_at })).toEqual(said);
});

describe('an event', () => {
  const START = Date.UTC(2026, 2, 1);
  const camps = [
    { name: 'Fire', kingdoms: ['1001', 1002] },
    { name: 'Wind', kingdoms: ['1003-1', '1003-2'] },
  ];
  const event = (about: object = {}) => ({
    game: 'rok',
    kvk_id: 'c1',
    name: 'War',
    camps,
    refresh_rate: 60,
    start: START,
    end: START + 1,
    ...about,
  });
  const flaw = (about: object) => read(eventPayload, event(about));

  it('has the default for each absent field', () => {
    expect(flaw({ start: '2026-03-01T00:00:00+00:00', season: 3, kvk_id: ' c1 ' })).toEqual({
      ...event(),
      camps: [
        { name: 'Fire', kingdoms: ['1001', '1002'] },
        { name: 'Wind', kingdoms: ['1003-1', '1003-2'] },
      ],
      publication_delay: 0,
      dates: {},
      weights: PRESETS.rok[0]?.weights,
      power_off: 0,
      goals: [],
      zeroed: {},
      exempt: [],
      sponsored_text: '',
      season: '3',
      gather: true,
      depth: 500,
      exempt_reasons: {},
    });
    expect(defaultWeights('cod')).toEqual(PRESETS.cod[0]?.weights);
    expect(flaw({ weights: { deads: 2 } })).toMatchObject({ weights: { deads: 2 } });
  });

  const camp = (name: string, ...kingdoms: string[]) => ({ name, kingdoms });
  const many = (count: number) => Array.from({ length: count }, (_, index) => String(index + 1));
  it.each<[object, string]>([
    [{ end: START }, 'end: must be after the start.'],
    [{ camps: [camp('Sun', '1')] }, 'camps.0.name: must be one of Fire, Earth, Water, Wind'],
    [{ camps: [camp('Fire', '1'), camp('Fire', '2')] }, 'camps.1.name: Fire appears twice.'],
    [{ camps: [camp('Fire', '1'), camp('Wind', '1')] }, 'camps: kingdom 1 appears twice.'],
    [{ camps: [camp('Fire', '1', '1')] }, 'camps: kingdom 1 appears twice.'],
    [{ camps: [camp('Fire', '1-2'), camp('Wind', '1')] }, 'camps: 1-2 is part of a kingdom that is there as a whole'],
    [
      { camps: [camp('Fire', ...many(60)), camp('Wind', '101', '102', '103', '104', '105')] },
      'camps: have 65 kingdoms;',
    ],
    [{ camps: [camp('Fire', '0')] }, "camps.0.kingdoms.0: must be a kingdom or a kingdom's domain"],
    [{ camps: [camp('Fire', '1-0')] }, "camps.0.kingdoms.0: must be a kingdom or a kingdom's domain"],
    [{ weights: { merits: 1 } }, 'weights.merits: is not a figure of Rise of Kingdoms.'],
    [{ weights: { governor_id: 1 } }, 'weights.governor_id: is not a figure of'],
    [{ weights: { name: 1 } }, 'weights.name: is not a figure of'],
    [{ kvk_id: '-a' }, 'kvk_id: must be 1 to 40 letters'],
    [{ start: 'yesterday' }, 'start: must be a moment'],
    [{ start: '0001-01-01T00:00:00Z' }, 'start: must be in 1970 or later'],
    [{ end: '9999-12-31T00:00:00Z' }, 'end: must be before the year 2100'],
    [{ end: Date.UTC(2100, 0, 1) + 1 }, 'end: must be before the year 2100'],
    [{ dates: { last: '9999-12-31T00:00:00Z' } }, 'dates.last: must be before the year 2100'],
    [{ zeroed: { 5: 51 } }, 'zeroed.5: must be one of'],
    [{ zeroed: { 10000000000000000: 50 } }, 'zeroed.10000000000000000: '],
    [
      { zeroed: Object.fromEntries(Array.from({ length: 2001 }, (_, index) => [index + 1, 50])) },
      'zeroed: must have 2,000 entries at most',
    ],
    [{ unknown: 1 }, ': '],
  ])('%j is refused', (about, said) => {
    expect(String(flaw(about)).slice(0, said.length)).toBe(said);
  });

  it('takes up to two thousand zeroed governors with ids of up to sixteen digits', () => {
    const ids = [1e15, ...Array.from({ length: 1999 }, (_, index) => index + 1)];
    const zeroed = Object.fromEntries(ids.map((id) => [id, 50]));
    expect(flaw({ zeroed })).toMatchObject({ zeroed });
  });

  it('takes kingdoms up to the limit, and several domains of one kingdom', () => {
    const full = [camp('Fire', ...many(60)), camp('Wind', '101', '102', '103', '104')];
    expect(flaw({ camps: full })).toMatchObject({ camps: full });
    const parts = [camp('Fire', '1-1', '12'), camp('Wind', '1-2')];
    expect(flaw({ camps: parts })).toMatchObject({ camps: parts });
  });
});

test.each<[string, number | null]>([
  ['0', 0],
  ['4102444800000', 4_102_444_800_000],
  ['4102444800001', null],
  ['1772323200000', 1_772_323_200_000],
  ['2026-03-01', Date.UTC(2026, 2, 1)],
  ['2026-03-01T12:00', Date.UTC(2026, 2, 1, 12)],
  ['2026-03-01T12:00:30.5', Date.UTC(2026, 2, 1, 12, 0, 30, 500)],
  ['2026-03-01T12:00Z', Date.UTC(2026, 2, 1, 12)],
  ['2026-03-01T12:00+02:00', Date.UTC(2026, 2, 1, 10)],
  ['2026-03-01T12:00-02:00', Date.UTC(2026, 2, 1, 14)],
  ['1969-12-31', null],
  ['2026-13-01', null],
  ['2026-02-30', null],
  ['March 2026', null],
  ['1234567890123456', null],
  ['', null],
])('%j in an address is the moment %s', (text, moment) => {
  const refused = 'start: must be epoch milliseconds, or a time such as 2026-03-01T12:00:00Z';
  expect(read(rangeQuery, { start: text })).toEqual(moment === null ? refused : { start: moment });
});

test('own governors are stored once each', () => {
  expect(read(ownGovernors, { rok: [5, 5, 6] })).toEqual({ rok: [5, 6], cod: [] });
  expect(read(snapshotQuery, {})).toEqual({});
  expect(read(linesQuery, { metrics: 'dkp', end: '5' })).toEqual({ metrics: 'dkp', end: 5 });
});

describe('a comparison', () => {
  const base = { from: 'a, b,a', to: 'c' };
  it('takes two sides, or fights', () => {
    const fight = '0f8fad5b-d9cb-469f-a165-70867728950e';
    const both = ': Name from and to, or fights.';
    expect(read(compareQuery, base)).toEqual({ from: ['a', 'b'], to: ['c'] });
    expect(read(compareQuery, { fights: ` ${fight},${fight}` })).toEqual({ fights: [fight, fight] });
    for (const query of [
      {},
      { from: 'a' },
      { to: 'a' },
      { ...base, fights: fight },
      { from: 'a', fights: fight },
      { to: 'a', fights: fight },
    ])
      expect(read(compareQuery, query)).toBe(both);
    expect(read(compareQuery, { fights: 'x' })).toBe('fights.0: is not a fight');
  });

  it('takes goals and zeroed governors up to their limits', () => {
    const goals = (count: number) => Array.from({ length: count }, (_, index) => `${index + 1}M: dkp 2M`).join('; ');
    expect(read(compareQuery, { ...base, goals: goals(40) })).toMatchObject({ goals: { length: 40 } });
    expect(read(compareQuery, { ...base, goals: goals(41) })).toBe('goals: must have 40 entries at most');
    expect(read(compareQuery, { ...base, goals: 'nonsense' })).toMatch(/^goals: /);
    const zeroed = (count: number) => Array.from({ length: count }, (_, index) => `${index + 1}:80`).join(';');
    expect(
      Object.keys((read(compareQuery, { ...base, zeroed: zeroed(300) }) as { zeroed: object }).zeroed),
    ).toHaveLength(300);
    expect(read(compareQuery, { ...base, zeroed: zeroed(301) })).toBe('zeroed: must have 300 entries at most');
  });

  it('reads an empty figure as absent, not as 0', () => {
    const empty = { from: 'a', to: 'b', t4: '', deads: '', power_off: '', farms: '' };
    expect(weightsOf('rok', read(compareQuery, empty) as object)).toEqual(PRESETS.rok[0]?.weights);
    expect(read(compareQuery, empty)).toMatchObject({ farms: undefined, power_off: undefined });
    expect(read(compareQuery, { ...empty, t4: '0', farms: '0' })).toMatchObject({ t4: 0, farms: 0 });
  });

  it('is scored by its own weights, or by the first preset', () => {
    expect(weightsOf('rok', {})).toEqual(PRESETS.rok[0]?.weights);
    expect(weightsOf('rok', { t1: 0, t5: 20, deads: 3, deads_t4: 4, score: 1 })).toEqual({
      killcount_t1: 0,
      killcount_t5: 20,
      deads: 3,
      deads_t4: 4,
      killpoints: 1,
    });
    expect(weightsOf('cod', { t4: 1, deads: 2, score: 3 })).toEqual({ killcount_t4: 1, units_dead: 2, merits: 3 });
    expect(usualSettings('cod')).toMatchObject({ weights: PRESETS.cod[0]?.weights, power_off: 0, farms: null });
  });
});

describe('a schedule', () => {
  it.each<[string, number | string]>([
    ['2026-11-21T18:00Z', Date.UTC(2026, 10, 21, 18)],
    ['2026-11-21T18:00', Date.UTC(2026, 10, 21, 18)],
    ['2026-11-21T18:00:30.5+02:00', Date.UTC(2026, 10, 21, 16, 0, 30, 500)],
    ['2024-02-29T00:00Z', Date.UTC(2024, 1, 29)],
    ['2026-02-30T00:00Z', 'no'],
    ['2026-13-01T00:00Z', 'no'],
    ['2026-11-21T24:00Z', 'no'],
    ['2026-11-21', 'no'],
  ])('that begins at %s', (start, moment) => {
    const found = read(scheduleInfo, { start });
    expect(found).toEqual(
      moment === 'no' ? 'start: must be a date and time such as 2026-11-21T18:00Z' : { start: moment },
    );
  });

  it('needs an interval to repeat, and an end after its start', () => {
    expect(read(scheduleInfo, { start: '' })).toEqual({ start: null });
    expect(read(scheduleInfo, { period: 'days' })).toMatch(/^(interval: must say every how many|period: )/);
    expect(read(scheduleInfo, { period: 'none' })).toEqual({ period: 'none' });
    const year = new Date().getUTCFullYear() + 2;
    const [start, end] = [`${year}-01-02T00:00Z`, `${year}-01-02T00:01Z`];
    expect(read(scheduleInfo, { start, end })).toMatchObject({ end: Date.parse(end) });
    expect(read(scheduleInfo, { start, end: start })).toMatchObject({ end: Date.parse(start) });
    expect(read(scheduleInfo, { start: end, end: start })).toBe('end: must not lie before the start');
    // A start in the past means now.
    expect(read(scheduleInfo, { start: '2020-01-01T00:00Z', end: '2020-01-02T00:00Z' })).toBe(
      'end: must not lie before the start',
    );
    expect(read(scheduleInfo, { end: '2020-01-02T00:00Z' })).toBe('end: must not lie before the start');
  });
});

describe('an order’s entry', () => {
  const product = PRODUCTS.find(({ id }) => id === 'rok-kingdom-scan');
  if (!product) throw new Error('a product expected');
  const field = (type: string) => product.fields.find((each) => each.type === type)?.name ?? '';
  const [kingdoms, count] = [product.kingdoms, product.fields.find(({ max }) => max !== undefined)?.name ?? ''];
  const check = (params: object) => {
    const flaw = checkParams(product, { [kingdoms]: ['1001'], [count]: 300, ...params });
    return flaw && say(flaw);
  };
  const numbers = (many: number) => Array.from({ length: many }, (_, index) => String(index + 1));

  it('is checked field by field', () => {
    expect(check({})).toBeNull();
    expect(check({ odd: 1 })).toBe(`odd: ${product.name} has no such field.`);
    expect(check({ [kingdoms]: [] })).toBe(`${kingdoms}: name at least one.`);
    expect(check({ [kingdoms]: '1001, 1002' })).toBeNull();
    expect(check({ [kingdoms]: 5 })).toBe(`${kingdoms}: must be a list.`);
    for (const odd of ['0', '100000', '1.5', 'x', '-1'])
      expect(check({ [kingdoms]: ['1001', odd] })).toBe(`${kingdoms}: '${odd}' is not a number from 1 to 99,999.`);
    expect(check({ [kingdoms]: ['99999'] })).toBeNull();
    expect(check({ [kingdoms]: ['x'.repeat(60)] })).toBe(
      `${kingdoms}: '${'x'.repeat(40)}' is not a number from 1 to 99,999.`,
    );
    expect(check({ [kingdoms]: numbers(5000) })).toBeNull();
    expect(check({ [kingdoms]: numbers(5001) })).toBe(`${kingdoms}: more than 5,000 in one order.`);
    expect(check({ [count]: 300.5 })).toBe(`${count}: must be a whole number.`);
    expect(check({ [count]: '1,000' })).toBeNull();
    if (field('boolean'))
      expect(check({ [field('boolean')]: 'yes' })).toBe(`${field('boolean')}: must be true or false.`);
  });
});
