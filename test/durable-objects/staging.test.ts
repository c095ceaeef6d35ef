import { describe, expect, it } from 'vitest';
import { qualitiesOf } from '../../domain/scans/quality.ts';
import { type Row, type Table, tableOf } from '../../domain/scans/rows.ts';
import { assemble, merge } from '../../durable-objects/staging.ts';

const governor = (governor_id: number, power: number, about: Row = {}): Row => ({
  governor_id,
  home_kingdom: 7,
  name: `Governor ${governor_id}`,
  power,
  highest_power: power,
  deads: 1,
  killpoints: 100,
  killcount_t1: 0,
  killcount_t2: 0,
  killcount_t3: 0,
  killcount_t4: 10,
  killcount_t5: 0,
  ...about,
});
const table = (...rows: Row[]): Table => tableOf('rok', rows);
const batch = (captured_at: number, ...rows: Row[]) => ({ ...table(...rows), captured_at });
const shown = ({ numbers, texts, count }: Table) =>
  Array.from({ length: count }, (_, row) => [numbers.governor_id?.[row], numbers.power?.[row], texts.name?.[row]]);

describe('staged batches', () => {
  it('become one table, greatest power first, with each governor’s latest reading from any batch', () => {
    const first = batch(20, governor(1, 100), governor(2, 90), governor(3, 80, { name: 'Later' }));
    const second = batch(10, governor(3, 85, { name: 'Earlier' }), governor(4, 95));
    const third = batch(30, governor(2, 70, { name: 'Latest' }));
    expect(shown(assemble('rok', [first, second, third]))).toEqual([
      [1, 100, 'Governor 1'],
      [4, 95, 'Governor 4'],
      [3, 80, 'Later'],
      [2, 70, 'Latest'],
    ]);
  });

  it('of the same time keep the first reading, and the order of equal powers', () => {
    const found = assemble('rok', [batch(10, governor(5, 50), governor(6, 50)), batch(10, governor(5, 40))]);
    expect(shown(found)).toEqual([
      [5, 50, 'Governor 5'],
      [6, 50, 'Governor 6'],
    ]);
  });

  it('without rows become an empty table', () => {
    expect(assemble('rok', []).count).toBe(0);
  });
});

describe('rows that were read again', () => {
  const bad = { killpoints: 999 };
  const again = (before: Row, now: Row) => shown(merge(table(before, governor(9, 1)), table(now)))[0];

  it('replace earlier ones, unless a bad row would replace a good one', () => {
    expect(again(governor(1, 10), governor(1, 20))).toEqual([1, 20, 'Governor 1']);
    expect(again(governor(1, 10, bad), governor(1, 20))).toEqual([1, 20, 'Governor 1']);
    expect(again(governor(1, 10, bad), governor(1, 20, bad))).toEqual([1, 20, 'Governor 1']);
    expect(again(governor(1, 10), governor(1, 20, bad))).toEqual([1, 10, 'Governor 1']);
  });

  it('are merged with those of other governors, also bad ones, by power', () => {
    const earlier = table(governor(1, 50), governor(2, 40, bad), governor(3, 30));
    const fresh = table(governor(4, 45, bad), governor(2, 60));
    const merged = merge(earlier, fresh);
    expect(shown(merged)).toEqual([
      [2, 60, 'Governor 2'],
      [1, 50, 'Governor 1'],
      [4, 45, 'Governor 4'],
      [3, 30, 'Governor 3'],
    ]);
    expect(qualitiesOf(merged)).toEqual(['ok', 'ok', 'identity_broken', 'ok']);
  });
});
