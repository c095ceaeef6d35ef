import { expect, test } from 'vitest';
import { knownGovernors } from '../../web/components/rows/known-governors.ts';

test('governors are found by id, and by name as in every other search', () => {
  const name = ['İstanbul', '꧁ 𝕳éʀO ꧂', '王者归来', 'Plain'];
  const known = knownGovernors({
    id: [7001, 7002, 7003, 8004],
    name,
    tag: [0, 0, 0, 0],
    tags: ['T'],
    kingdom: [0, 0, 0, 0],
    kingdoms: ['1001'],
  });
  const found = (text: string) => known.find(text).map((one) => one.name);
  expect(found('istanbul')).toEqual(['İstanbul']);
  expect(found('hero')).toEqual(['꧁ 𝕳éʀO ꧂']);
  expect(found('归来')).toEqual(['王者归来']);
  expect(found(' PLAIN ')).toEqual(['Plain']);
  expect(found('７００')).toEqual(name.slice(0, 3));
  expect(found('  ')).toEqual([]);
});
