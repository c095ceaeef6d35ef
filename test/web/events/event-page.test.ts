import { expect, test } from 'vitest';
import type { EventLines, EventMeta, ListedEvent } from '../../../web/api/events.ts';
import { countable, weightsOf, writtenWeights } from '../../../web/components/difference/written-weights.ts';
import { leadOf } from '../../../web/components/events/event-words.ts';
import { fightsIn, marksOf, resultOf } from '../../../web/components/events/fights.tsx';
import { untilNext } from '../../../web/components/events/use-refresh.ts';

test('weights are part of links; the event’s own are omitted', () => {
  const own = { killcount_t4: 10, killcount_t5: 20 };
  expect(writtenWeights({ killcount_t5: 20, killcount_t4: 10, deads: 0 }, own)).toBeUndefined();
  expect(writtenWeights({ killcount_t4: 10, killcount_t5: 30.5 }, own)).toBe('killcount_t4:10,killcount_t5:30.5');
  expect(weightsOf('killcount_t4:10,killcount_t5:30.5')).toEqual({ killcount_t4: 10, killcount_t5: 30.5 });
  expect(weightsOf('killcount_t4:10,__proto__:4,x:1001,y:a')).toEqual({ killcount_t4: 10 });
  expect(writtenWeights({ killcount_t4: 0 }, own)).toBe('none');
  expect(countable({ deads: 1, constructor: 5, gold: 2 }, (key) => key === 'deads')).toEqual({ deads: 1 });
  expect(countable({ constructor: 5 }, () => false)).toBeNull();
  expect(countable({}, () => false)).toEqual({});
  expect(weightsOf('none')).toEqual({});
  expect(weightsOf('nonsense')).toBeNull();
  expect(weightsOf(undefined)).toBeNull();
});

test('the countdown shows minutes below an hour, then whole hours', () => {
  expect(untilNext(0, 0)).toBe('any moment now');
  expect(untilNext(1, 0)).toBe('in 1 minute');
  expect(untilNext(59 * 60_000, 0)).toBe('in 59 minutes');
  expect(untilNext(60 * 60_000, 0)).toBe('in 1 hour');
  expect(untilNext(89 * 60_000, 0)).toBe('in 1 hour');
  expect(untilNext(90 * 60_000, 0)).toBe('in 2 hours');
});

const listed = (snapshots: number, ...dkp: (number | null)[]) =>
  ({ snapshots, camps: dkp.map((each, camp) => ({ name: `Camp ${camp}`, dkp: each })) }) as ListedEvent;

test('the lead of an event is the difference to the second camp', () => {
  expect(leadOf(listed(2, 5, 12, -3))).toEqual({ name: 'Camp 1', by: 7 });
});

test('no camp leads after one scan, on a tie, without gains, or if a score is unknown', () => {
  expect(leadOf(listed(1, 5, 12))).toBeNull();
  expect(leadOf(listed(1, 0, 0))).toBeNull();
  expect(leadOf(listed(3, 4, 4))).toBeNull();
  expect(leadOf(listed(3, -4, -5))).toBeNull();
  expect(leadOf(listed(3, 5, 12, null))).toBeNull();
});

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

test('a kingdom’s rank in a fight is among those whose gain is known', () => {
  const war = { kingdoms: ['1', '2', '3'], kingdoms_to_camps: { 1: 'Fire', 2: 'Fire', 3: 'Water' } };
  const gained = (...dkp: (number | null)[]) => ({ gained: { dkp }, now: {} });
  const lines = {
    ts: [10, 20],
    kingdoms: { 1: gained(0, -5), 2: gained(0, null), 3: gained(0, 7) },
    camps: { Fire: gained(0, -5), Water: gained(0, 7) },
  } as unknown as EventLines;
  const rank = (kingdom: string) =>
    resultOf(war as unknown as EventMeta, lines, kingdom, { name: 'Pass', start: 10, end: 20 }).rank;
  expect(['1', '2', '3'].map(rank)).toEqual([2, null, 1]);
});
