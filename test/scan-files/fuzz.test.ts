import { expect, test } from 'vitest';
import { fuzzImports } from '../proof/import-fuzz.ts';

test('bent files are read with every line accounted for, or refused with a sentence', async () => {
  const { failures, read, refused, slowestMs } = await fuzzImports(600, 20_260_105);
  expect(failures).toEqual([]);
  expect(read).toBeGreaterThan(150);
  expect(refused).toBeGreaterThan(50);
  expect(slowestMs).toBeLessThan(5000);
});
