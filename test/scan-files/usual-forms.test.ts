import { expect, test } from 'vitest';
import { csvForms, differing, jsonForms, workbookForms } from '../proof/usual-forms.ts';

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
