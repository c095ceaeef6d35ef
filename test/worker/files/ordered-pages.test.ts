import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { MAX_ORDERED_ROWS } from '../../../domain/scans/results.ts';
import { pageStream } from '../../../worker/services/results/page-results.ts';

const page = { page: 0, count: 100, sort: 'Power' as const };
const snapshots = (...rows: number[]) =>
  rows.map((count, index) => ({
    key: `snapshots/none-${index}.parquet`,
    game: 'rok' as const,
    kingdom_id: 1000 + index,
    captured_at: 0,
    rows: count,
  }));

test('refuses more rows than an isolate can sort, before reading any', async () => {
  await expect(pageStream(env.STORE, snapshots(MAX_ORDERED_ROWS - 1, 2), page)).rejects.toThrow(
    'Too many results to sort: 300,001 rows; the maximum is 300,000.',
  );
  await expect(pageStream(env.STORE, snapshots(MAX_ORDERED_ROWS - 1, 1), page)).rejects.toThrow(
    /is missing in the store/,
  );
});
