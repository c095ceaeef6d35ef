import { expect, test } from 'vitest';
import { say } from '../../domain/language/text.ts';
import type { FileScan } from '../../domain/scans/file-scan.ts';
import { twinsIn } from '../../domain/scans/twins.ts';

test('a scan without a sheet name is called by its file', () => {
  const scan = { kingdom_id: 4001, sheet: null } as FileScan;
  const twins = twinsIn(
    'rok',
    [
      { ...scan, stage: null },
      { ...scan, stage: 'End' },
    ],
    () => 0,
  );
  expect(twins && say(twins.sentence)).toBe(
    "'the file' and 'End' are both a scan of kingdom 4001 of 1970-01-01 00:00 UTC: say when each was read.",
  );
});
