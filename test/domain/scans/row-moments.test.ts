import { describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../../domain/days.ts';
import { RowMoments } from '../../../domain/scans/row-moments.ts';

const AT = Date.UTC(2026, 0, 5);

/** Lines of a kingdom, each of a governor of its own with the moments of its cells. */
function read(...lines: (readonly number[])[]): RowMoments {
  const moments = new RowMoments();
  lines.forEach((cells, index) => {
    moments.next();
    for (const moment of cells) moments.put(moment);
    moments.keep(11, index + 1, index + 1);
  });
  return moments;
}

describe('times of rows', () => {
  test('a line has the latest of its times, and a kingdom that of its latest line, in any order', () => {
    expect([read([AT + 2, AT + 1]).last(11), read([AT + 1, AT + 2]).last(11)]).toEqual([AT + 2, AT + 2]);
    expect([read([AT + 2], [AT], []).last(11), read([AT], [AT + 2]).last(11)]).toEqual([AT + 2, AT + 2]);
    expect([read([]).last(11), read([AT]).last(12)]).toEqual([null, null]);
  });

  test.each([
    [0, 'same'],
    [HOUR_MS, 'same'],
    [HOUR_MS + 1, 'day'],
    [DAY_MS - 1, 'day'],
    [DAY_MS, null],
    [-1, 'same'],
    [-HOUR_MS, 'same'],
    [-HOUR_MS - 1, null],
  ])('a second line of a governor, %d ms after the one at midnight, clashes: %s', (later, why) => {
    const moments = read([AT]);
    moments.next();
    moments.put(AT + later);
    expect(moments.clash(11, 1, false)).toEqual(why && { line: 1, why });
    expect([moments.clash(11, 2, false), moments.clash(12, 1, false)]).toEqual([null, null]);
    expect(moments.clash(11, 1, true)).toEqual({ line: 1, why: why ?? 'day' });
  });

  test('a second line without a day counts as the same, unless a day could not be read', () => {
    const moments = read([AT]);
    moments.next();
    expect(moments.clash(11, 1, false)).toEqual({ line: 1, why: 'same' });
    moments.putUnclear();
    expect(moments.clash(11, 1, false)).toEqual({ line: 1, why: 'unclear' });
  });

  test('a scan of more than a day says from when to when', () => {
    const [first, last] = [AT, AT + DAY_MS];
    expect([read([first], [last]).longSpan(11), read([first]).longSpan(12)]).toEqual([null, null]);
    const long = { first, last: last + 1 };
    expect([read([first], [last + 1]).longSpan(11), read([last + 1], [first]).longSpan(11)]).toEqual([long, long]);
  });
});
