import { expect, test } from 'vitest';
import { csvForms, differing, jsonForms, workbookForms } from '../proof/usual-forms.ts';

test.each([
  ['csv', csvForms, 300],
  ['json', jsonForms, 300],
  ['xlsx', workbookForms, 150],
])(
  'a file of %s gives the same reading in its usual form and in one that is scanned with care',
  async (_, make, least) => {
    const { seeds, read } = await differing(300, 7, make);
    expect(seeds).toEqual([]);
    expect(read).toBeGreaterThanOrEqual(least);
  },
);
