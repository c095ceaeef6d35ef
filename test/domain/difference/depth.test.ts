import { describe, expect, test } from 'vitest';
import { comparedOver } from '../../../domain/compare/compared.ts';
import { differenceOf } from '../../../domain/difference/difference.ts';
import { sumsOf } from '../../../domain/difference/sums.ts';
import { type Table, tableOf } from '../../../domain/scans/rows.ts';

/** The governors `first` to `last` of kingdom 900, each weaker than the one before: 1,000,000 less 1,000 for each id. */
const ranked = (first: number, last: number, home_kingdom = 900) =>
  Array.from({ length: last - first + 1 }, (_, index) => ({
    governor_id: first + index,
    home_kingdom,
    power: 1_000_000 - 1000 * (first + index),
  }));
const scan = (...parts: ReturnType<typeof ranked>[]): Table => tableOf('rok', parts.flat());
const ids = (table: Table, rows: Iterable<number>) => [...rows].map((row) => table.numbers.governor_id?.[row]);
const passed = (from: Table, to: Table) => {
  const difference = differenceOf(from, to);
  const { rows, unseen } = comparedOver([difference]);
  const gone = rows.common + rows.joined;
  return {
    joined: ids(to, rows.to.subarray(rows.common, gone)),
    gone: ids(from, rows.from.subarray(gone)),
    counts: [rows.joined, rows.gone],
    unseen,
  };
};

describe('two scans of different depths', () => {
  test('count nobody as gone below the last power of a shallower later scan', () => {
    // Governor 1 is gone; 201 to 300 are not read, and power 800,000 at the end makes 880,000 the least that is clear.
    const found = passed(scan(ranked(1, 300)), scan(ranked(2, 200)));
    expect(found).toEqual({ joined: [], gone: [1], counts: [0, 1], unseen: 100 });
  });

  test('count nobody as joined below the last power of a shallower earlier scan', () => {
    const found = passed(scan(ranked(2, 200)), scan(ranked(1, 300)));
    expect(found).toEqual({ joined: [1], gone: [], counts: [1, 0], unseen: 100 });
  });

  test('take no power that was not read for the last one of the shallower', () => {
    const [last] = ranked(200, 200);
    const shallow = scan(ranked(2, 199), [{ ...last, power: 0 } as NonNullable<typeof last>]);
    const found = { counts: [0, 1], unseen: 100 };
    expect(passed(scan(ranked(1, 300)), shallow)).toMatchObject({ ...found, gone: [1] });
    expect(passed(shallow, scan(ranked(1, 300)))).toMatchObject({ ...found, joined: [1], counts: [1, 0] });
  });

  test('have a depth for each kingdom, which the sums of groups use too', () => {
    const from = scan(ranked(1, 300), ranked(1001, 1300, 901));
    const to = scan(ranked(2, 200), ranked(1002, 1300, 901));
    expect(passed(from, to)).toMatchObject({ gone: [1, 1001], unseen: 100 });
    const difference = differenceOf(from, to);
    const groups = { start: new Int32Array(from.count), end: new Int32Array(to.count), count: 1 };
    const none = new Float64Array(498);
    const scores = { dkp: none, raw: none, points: none, doubts: new Uint8Array(498) };
    const [sum] = sumsOf(difference.rows, new Map(), scores, groups);
    expect(sum).toMatchObject({ common: 498, joined: 0, gone: 2 });
  });

  test('are the first and the last of several ranges', () => {
    const [first, middle, last] = [scan(ranked(1, 300)), scan(ranked(2, 200)), scan(ranked(2, 200))];
    const { from, rows, unseen } = comparedOver([differenceOf(first, middle), differenceOf(middle, last)]);
    expect([rows.common, rows.joined, rows.gone, unseen]).toEqual([199, 0, 1, 100]);
    expect(ids(from, rows.from.subarray(199))).toEqual([1]);
  });
});

test('count a missing governor clearly above the last power of the shallower scan, and none near it', () => {
  // The end is at 800,000, so 880,000 (governor 120) is near it and 881,000 (governor 119) is clearly above.
  const shallow = [...ranked(1, 118), ...ranked(121, 200)];
  expect(passed(scan(ranked(1, 300)), scan(shallow))).toMatchObject({ gone: [119], unseen: 101 });
});

test('count anybody missing in the deeper scan, even near its last power', () => {
  // The deeper scan ends at 770,000, near governor 199 with 801,000.
  const [shallow, deep] = [scan(ranked(1, 200)), scan(ranked(1, 198), ranked(200, 230))];
  expect(passed(shallow, deep)).toMatchObject({ gone: [199], joined: [] });
  expect(passed(deep, shallow)).toMatchObject({ gone: [], joined: [199] });
});

test('count everybody if one has at least nine tenths of the other’s governors', () => {
  expect(passed(scan(ranked(1, 200)), scan(ranked(1, 180)))).toMatchObject({ counts: [0, 20], unseen: 0 });
  expect(passed(scan(ranked(1, 200)), scan(ranked(1, 179)))).toMatchObject({ counts: [0, 0], unseen: 21 });
});

test('count everybody if they are about equally deep, small, or of other kingdoms', () => {
  expect(passed(scan(ranked(1, 200)), scan(ranked(11, 200))).counts).toEqual([0, 10]);
  expect(passed(scan(ranked(1, 20)), scan(ranked(1, 9))).counts).toEqual([0, 11]);
  expect(passed(scan(ranked(1, 200)), scan(ranked(1001, 1100, 901))).counts).toEqual([100, 200]);
});
