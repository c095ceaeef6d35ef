import { describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../../domain/days.ts';
import { RowMoments } from '../../../domain/scans/row-moments.ts';

const AT = Date.UTC(2026, 0, 5);

/** Lines of a kingdom, each with the moments of its cells. */
function read(...lines: (readonly number[])[]): RowMoments {
  const moments = new RowMoments();
  lines.forEach((cells, index) => {
    moments.current = null;
    for (const moment of cells) moments.put(moment);
    moments.keep(11, index + 1);
  });
  return moments;
}

describe('when rows were read', () => {
  test('a line is of the latest moment in it, a kingdom of its latest line, in whichever order they stand', () => {
    expect([read([AT + 2, AT + 1]).last(11), read([AT + 1, AT + 2]).last(11)]).toEqual([AT + 2, AT + 2]);
    expect([read([AT + 2], [AT], []).last(11), read([AT], [AT + 2]).last(11)]).toEqual([AT + 2, AT + 2]);
    expect([read([]).last(11), read([AT]).last(12)]).toEqual([null, null]);
  });

  test.each([
    [HOUR_MS, false],
    [HOUR_MS + 1, true],
    [-HOUR_MS, false],
    [-HOUR_MS - 1, true],
  ])('a line read %d ms after another one of the same governor is of another scan: %s', (later, other) => {
    const moments = read([AT]);
    moments.current = AT + later;
    expect([moments.isOtherScanThan(1), moments.isOtherScanThan(2)]).toEqual([other, false]);
    moments.current = null;
    expect(moments.isOtherScanThan(1)).toBe(false);
  });

  test('a scan of more than a day says so, from its first moment to its last', () => {
    const [first, last] = [AT, AT + DAY_MS];
    expect([read([first], [last]).longSpan(11), read([first]).longSpan(12)]).toEqual([null, null]);
    const long = { first, last: last + 1 };
    expect([read([first], [last + 1]).longSpan(11), read([last + 1], [first]).longSpan(11)]).toEqual([long, long]);
  });
});
