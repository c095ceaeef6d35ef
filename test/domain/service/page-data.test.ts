import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type PageAnswer, readPageData, writePageData } from '../../../domain/service/page-data.ts';

test('answers survive a round trip with any rows', () => {
  const value = fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<unknown>;
  const key = fc.constantFrom('rank', 'name', '__proto__', '0', 'a\nb');
  const rows = fc.array(fc.dictionary(key, value, { noNullPrototype: true }), { maxLength: 5 });
  const data = fc.oneof(value, fc.dictionary(key, fc.oneof(rows, value), { noNullPrototype: true }));
  const answers = fc.array(fc.tuple(fc.array(fc.string()), data, fc.nat()));
  fc.assert(
    fc.property(answers, (each) => {
      const sent = JSON.parse(JSON.stringify(each)) as PageAnswer[];
      expect(readPageData(writePageData(each))).toEqual(sent);
    }),
  );
});

test('rows with the same keys write them once, and no name can end the script element', () => {
  const rankings = Array.from({ length: 100 }, (_, rank) => ({ rank, name: '</script>' }));
  const json = writePageData([[['board'], { rankings, info: { total: 100 } }, 7]]);
  expect(json.match(/"name"/g)).toHaveLength(1);
  expect(json).not.toContain('<');
  expect(readPageData(json)).toEqual([[['board'], { rankings, info: { total: 100 } }, 7]]);
});

test('rows with different keys stay unchanged', () => {
  const rows = [{ rank: 1, tag: 'A' }, { rank: 2, tag: undefined }, { rank: 3 }];
  expect(readPageData(writePageData([[[], { rows }, 0]]))[0]?.[1]).toEqual({ rows });
});
