import { expect, test } from 'vitest';
import { bentBytes, bentStructure, fuzzImports } from '../proof/import-fuzz.ts';
import { csvForms, differing, jsonForms, workbookForms } from '../proof/usual-forms.ts';

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

test.each([
  ['csv', csvForms, 100],
  ['json', jsonForms, 100],
  ['xlsx', workbookForms, 50],
])(
  'a file of %s gives the same reading in its usual form and in one that is scanned with care',
  async (_, make, least) => {
    const { seeds, read } = await differing(100, 7, make);
    expect(seeds).toEqual([]);
    expect(read).toBeGreaterThanOrEqual(least);
  },
);
