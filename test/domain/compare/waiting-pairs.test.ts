import { expect, it } from 'vitest';
import { waitingPairs } from '../../../domain/compare/waiting-pairs.ts';

let made = 0;
const scan = (captured_at: number, more: object = {}) => ({
  scan_id: `s${++made}`,
  origin: 'imported' as const,
  game: 'rok' as const,
  kingdom_id: 1001,
  captured_at,
  range_from: null,
  ...more,
});
const pairsOf = (...[scans, reports = []]: [Parameters<typeof waitingPairs>[0], Parameters<typeof waitingPairs>[1]?]) =>
  waitingPairs(scans, reports).map(({ from, to }) => [from.scan_id, to.scan_id]);

it('is a kingdom’s newest scan and the one before it, by the newest kingdom first', () => {
  const [old, mid, late] = [scan(1), scan(5), scan(9)];
  const [one, two] = [scan(20, { kingdom_id: 1002 }), scan(30, { kingdom_id: 1002 })];
  expect(pairsOf([mid, one, late, two, old])).toEqual([
    [one.scan_id, two.scan_id],
    [mid.scan_id, late.scan_id],
  ]);
  const other = scan(40, { game: 'cod' });
  expect(pairsOf([other, old])).toEqual([]);
});

it('has an imported scan on at least one side', () => {
  const [bought, later, own] = [scan(1, { origin: 'bought' }), scan(2, { origin: 'bought' }), scan(3)];
  expect(pairsOf([bought, later])).toEqual([]);
  expect(pairsOf([later, own])).toEqual([[later.scan_id, own.scan_id]]);
  expect(pairsOf([own, scan(4, { origin: 'bought', scan_id: 'new' })])).toEqual([[own.scan_id, 'new']]);
});

it('is offered until a report ends with the newest scan', () => {
  const [old, mid, late] = [scan(1), scan(2), scan(3)];
  const upTo = (id: string) => [{ ranges: [{ to: ['x'] }, { to: [id] }] }];
  expect(pairsOf([old, mid, late], upTo(mid.scan_id))).toEqual([[mid.scan_id, late.scan_id]]);
  expect(pairsOf([old, mid, late], upTo(late.scan_id))).toEqual([]);
});

it('excludes sums over days and scans of the same time', () => {
  const [one, same] = [scan(5), scan(5)];
  expect(pairsOf([one, same])).toEqual([]);
  expect(pairsOf([scan(9, { range_from: 2 }), one])).toEqual([]);
  const before = scan(4);
  expect(pairsOf([one, same, before])).toEqual([[before.scan_id, one.scan_id]]);
});
