import { describe, expect, test } from 'vitest';
import {
  gatheringLimit,
  keyNumbers,
  kingdomsOf,
  nearest,
  nextGathering,
  publicUntil,
  snapshotAt,
  stateOf,
  tendencyOf,
} from '../../domain/events/event.ts';
import { pointsBetween } from '../../domain/events/points.ts';
import { waitAfter } from '../../domain/work.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const [START, END] = [1000 * HOUR, 2000 * HOUR];

describe('an event', () => {
  test('begins with its start and is over with its end, and earlier where an admin closes it', () => {
    const at = (now: number, mark: 'open' | 'closed' | 'archived' = 'open') =>
      stateOf({ start: START, end: END }, mark, now);
    expect([at(START - 1), at(START), at(END - 1), at(END)]).toEqual(['upcoming', 'running', 'running', 'ended']);
    expect([at(START - 1, 'closed'), at(START, 'closed'), at(END, 'archived'), at(START, 'archived')]).toEqual([
      ...['ended', 'ended', 'archived', 'archived'],
    ]);
  });

  test('has each kingdom once, ascending, and governors in the key of their kingdom or domain', () => {
    const camps = [
      { name: 'Fire', kingdoms: ['1206-2', '999'] },
      { name: 'Water', kingdoms: ['1206-1', '1000'] },
    ];
    expect(kingdomsOf(camps)).toEqual([999, 1000, 1206]);
    const numberOf = keyNumbers(camps);
    expect([numberOf(1206, 2), numberOf(999, 0), numberOf(999, 7), numberOf(1206, 1), numberOf(1000, 1)]).toEqual([
      ...[0, 1, 1, 2, 3],
    ]);
    expect([numberOf(1206, 3), numberOf(1206, 0), numberOf(7, 0)]).toEqual([-1, -1, -1]);
  });

  test('shows snapshots to the public by its delay later', () => {
    expect(publicUntil({ publication_delay: 6 }, 10 * HOUR)).toBe(4 * HOUR);
    expect(publicUntil({ publication_delay: 0 }, 10 * HOUR)).toBe(10 * HOUR);
  });
});

describe('gatherings', () => {
  const plan = { start: START, end: END, refresh_rate: 60, gather: true };
  const next = (last: number | null, now: number) => nextGathering(plan, 'open', last, now);

  test('begin with the start, follow each other by the rate, and end with one at the end', () => {
    expect(next(null, START - HOUR)).toBe(START);
    expect(next(null, START + 5)).toBe(START + 5);
    expect(next(START, START + 1)).toBe(START + HOUR);
    // One that is late is due at once, and not made up for.
    expect(next(START, START + 3 * HOUR)).toBe(START + 3 * HOUR);
    expect(next(END - MINUTE, END - MINUTE)).toBe(END);
    expect(next(END - MINUTE, END + HOUR)).toBe(END + HOUR);
    expect(next(END, END)).toBeNull();
    expect(next(END - 1, END)).toBe(END);
    expect(next(null, END + HOUR)).toBe(END + HOUR);
  });

  test('are none of a closed event, or of one that files make', () => {
    for (const mark of ['closed', 'archived'] as const) expect(nextGathering(plan, mark, null, START)).toBeNull();
    expect(nextGathering({ ...plan, gather: false }, 'open', null, START)).toBeNull();
  });

  test('may take half of the time to the next one, ten minutes at least and two hours at most', () => {
    expect([10, 20, 22, 240, 242].map((rate) => gatheringLimit(rate) / MINUTE)).toEqual([10, 10, 11, 120, 120]);
  });
});

describe('the snapshot that a moment means', () => {
  const moments = [10 * HOUR, 20 * HOUR, 20 * HOUR + MINUTE, 30 * HOUR];

  test('is that of the moment, or of less than a minute beside it', () => {
    expect(snapshotAt(moments, 20 * HOUR + MINUTE)).toBe(20 * HOUR + MINUTE);
    expect(snapshotAt(moments, 10 * HOUR + MINUTE - 1)).toBe(10 * HOUR);
    expect(snapshotAt(moments, 10 * HOUR - MINUTE + 1)).toBe(10 * HOUR);
    expect(snapshotAt(moments, 10 * HOUR + MINUTE)).toBeNull();
    expect(snapshotAt([], 5)).toBeNull();
  });

  test('of a labelled date is the last one before it, or the first', () => {
    expect(snapshotAt(moments, 29 * HOUR, true)).toBe(20 * HOUR + MINUTE);
    expect(snapshotAt(moments, 5 * HOUR, true)).toBe(10 * HOUR);
    expect(snapshotAt(moments, 99 * HOUR, true)).toBe(30 * HOUR);
    expect(snapshotAt([], 5, true)).toBeNull();
  });

  test('where there is none, is offered by its neighbours', () => {
    expect(nearest(moments, 15 * HOUR)).toEqual([10 * HOUR, 20 * HOUR]);
    expect(nearest(moments, 10 * HOUR)).toEqual([20 * HOUR]);
    expect(nearest(moments, 5 * HOUR)).toEqual([10 * HOUR]);
    expect(nearest(moments, 99 * HOUR)).toEqual([30 * HOUR]);
  });
});

test('a side gains or falls back by more than a percentage point', () => {
  expect([tendencyOf(50, 51.1), tendencyOf(50, 51), tendencyOf(50, 49), tendencyOf(50, 48.9)]).toEqual([
    ...['gaining', 'steady', 'steady', 'falling'],
  ]);
  expect([tendencyOf(null, 5), tendencyOf(5, null)]).toEqual([null, null]);
});

describe('the points of a line', () => {
  const moments = Array.from({ length: 100 }, (_, index) => index * HOUR);

  test('are all where they are few, and between both ends alone', () => {
    expect(pointsBetween(moments, { start: 5 * HOUR, end: 9 * HOUR, most: 5 })).toEqual(
      [5, 6, 7, 8, 9].map((hour) => hour * HOUR),
    );
    expect(pointsBetween(moments, { start: 1, end: HOUR - 1, most: 5 })).toEqual([]);
  });

  test('are so many at most where they are many, with both ends, the last of each span and those before the marks', () => {
    const [start, end] = [0, 99 * HOUR];
    const drawn = pointsBetween(moments, { start, end, most: 10, marked: [50 * HOUR + 1, 0.5 * HOUR, -1] });
    expect([drawn[0], drawn.at(-1)]).toEqual([start, end]);
    expect(drawn).toContain(50 * HOUR);
    expect(drawn.length).toBeGreaterThan(5);
    expect(drawn.length).toBeLessThanOrEqual(10 + 3);
    expect(drawn).toEqual([...new Set(drawn)].sort((a, b) => a - b));
    // Spans of 17 h 4 min: a doubled minute, the first by which there are no more than ten.
    expect(drawn.map((ts) => ts / HOUR)).toEqual([0, 17, 34, 50, 51, 68, 85, 99]);
  });

  test('stay mostly the same as the line grows', () => {
    const of = (count: number) =>
      pointsBetween(moments.slice(0, count), { start: 0, end: (count - 1) * HOUR, most: 10 });
    const [before, after] = [of(80), of(81)];
    expect(after.filter((ts) => !before.includes(ts))).toEqual([80 * HOUR]);
  });
});

test('what fails is put aside for half a minute, then twice as long each time, for six hours at most', () => {
  expect([0, 1, 2, 3].map(waitAfter)).toEqual([30_000, 30_000, 60_000, 120_000]);
  expect([10, 11, 50].map(waitAfter)).toEqual([30_000 * 512, 6 * HOUR, 6 * HOUR]);
});
