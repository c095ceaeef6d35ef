import { expect, test } from 'vitest';
import { isFileTime, joinedSource, sourceByFileTime, withoutMark } from '../../../domain/scans/file-time.ts';

test('the mark survives long names and scans joined from several files', () => {
  const long = sourceByFileTime('x'.repeat(300));
  expect(long).toHaveLength(200);
  expect([long, sourceByFileTime('a.csv'), 'a.csv', null].map(isFileTime)).toEqual([true, true, false, false]);
  expect(withoutMark(sourceByFileTime('a.csv'))).toBe('a.csv');
  expect(joinedSource(['a.csv', 'b.csv', 'a.csv'])).toBe('a.csv, b.csv');
  expect(joinedSource(['game', sourceByFileTime('a.csv'), 'b.csv'])).toBe('game, a.csv, b.csv (time of the file)');
  const many = joinedSource([sourceByFileTime('a.csv'), ...Array.from({ length: 90 }, (_, file) => `${file}.csv`)]);
  expect([many.length, isFileTime(many)]).toEqual([200, true]);
});
