import { expect, test } from 'vitest';
import { bentBytes, bentStructure, fuzzImports } from '../proof/import-fuzz.ts';

test.each([
  ['files with bent bytes', await bentBytes()],
  ['workbooks with a bent structure', bentStructure],
])('%s are read with every line accounted for, or refused with a sentence', async (_, bend) => {
  const { failures, read, refused, slowestMs } = await fuzzImports(200, 20_260_105, bend);
  expect(failures).toEqual([]);
  expect(read).toBeGreaterThan(50);
  expect(refused).toBeGreaterThan(15);
  expect(slowestMs).toBeLessThan(20_000);
});
