import fc from 'fast-check';
import { expect, test } from 'vitest';
import { IdSet } from '../../../domain/boards/id-set.ts';

test('a set of ids behaves like a plain set, also after a block becomes a bitmap', () => {
  const id = fc.oneof(
    fc.integer({ min: 0, max: 12_000 }),
    fc.integer({ min: 65_530, max: 65_545 }),
    fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
  );
  fc.assert(
    fc.property(fc.array(id, { maxLength: 50 }), fc.integer({ min: 0, max: 6000 }), (some, many) => {
      const [set, plain] = [new IdSet(), new Set<number>()];
      // Every second one, downwards, so that a sorted list moves each time.
      for (const each of [...Array.from({ length: many }, (_, index) => 2 * (many - index)), ...some, ...some]) {
        expect(set.add(each)).toBe(!plain.has(each));
        plain.add(each);
      }
      expect(set.size).toBe(plain.size);
      for (const each of [...some, 1, 2, 2 * many, 2 * many + 1]) expect(set.has(each)).toBe(plain.has(each));
    }),
    { numRuns: 60 },
  );
});
