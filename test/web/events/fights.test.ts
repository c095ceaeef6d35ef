import { expect, test } from 'vitest';
import type { EventMeta } from '../../../web/api/events.ts';
import { fightsIn, marksOf } from '../../../web/components/events/fights.tsx';

const meta = {
  dates: { 'Pass 4': 2_000_000, 'Pass 5': 3_000_000, Altar: 9_000_000 },
  snapshots: [1_000_000, 2_100_000, 3_000_000, 4_000_000].map((ts) => ({ ts })),
} as unknown as EventMeta;

test('an event is split at the scans of its key dates, without those to come', () => {
  expect(fightsIn(meta, { start: 1_000_000, end: 4_000_000 })).toEqual([
    { name: 'Start to Pass 4', start: 1_000_000, end: 2_100_000 },
    { name: 'Pass 4 to Pass 5', start: 2_100_000, end: 3_000_000 },
    { name: 'Pass 5 to newest scan', start: 3_000_000, end: 4_000_000 },
  ]);
  expect(fightsIn(meta, { start: 2_100_000, end: 3_000_000 })).toEqual([
    { name: 'Pass 4 to Pass 5', start: 2_100_000, end: 3_000_000 },
  ]);
  expect(Object.values(marksOf(meta))).toEqual(['Pass 4', 'Pass 5']);
});
