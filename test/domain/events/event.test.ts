import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { differenceOf, knownGains, scorable } from '../../../domain/difference/difference.ts';
import { scoresOf } from '../../../domain/difference/scoring.ts';
import { coreKeys, gainKeys, metricsNamed, scoreKeys, shownKeys, textKeys } from '../../../domain/events/columns.ts';
import {
  gatheringLimit,
  keyNumbers,
  kingdomsIn,
  lateSince,
  nearest,
  nextGathering,
  publicUntil,
  snapshotAt,
  stateOf,
  tendencyOf,
} from '../../../domain/events/event.ts';
import { pointsBetween } from '../../../domain/events/points.ts';
import { GAMES, type GameId } from '../../../domain/games/games.ts';
import { type Table, tableOf } from '../../../domain/scans/rows.ts';
import { waitAfter } from '../../../domain/work.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const [START, END] = [1000 * HOUR, 2000 * HOUR];

describe('an event', () => {
  test('begins at its start and ends at its end, or when an admin closes it', () => {
    const at = (now: number, mark: 'open' | 'closed' | 'archived' = 'open') =>
      stateOf({ start: START, end: END }, mark, now);
    expect([at(START - 1), at(START), at(END - 1), at(END)]).toEqual(['upcoming', 'running', 'running', 'ended']);
    expect([at(START - 1, 'closed'), at(START, 'closed'), at(END, 'archived'), at(START, 'archived')]).toEqual([
      ...['ended', 'ended', 'archived', 'archived'],
    ]);
  });

  test('has each kingdom once, ascending, and finds governors by kingdom or domain', () => {
    const camps = [
      { name: 'Fire', kingdoms: ['1206-2', '999'] },
      { name: 'Water', kingdoms: ['1206-1', '1000'] },
    ];
    expect(kingdomsIn(camps)).toEqual([999, 1000, 1206]);
    const numberOf = keyNumbers(camps);
    expect([numberOf(1206, 2), numberOf(999, 0), numberOf(999, 7), numberOf(1206, 1), numberOf(1000, 1)]).toEqual([
      ...[0, 1, 1, 2, 3],
    ]);
    expect([numberOf(1206, 3), numberOf(1206, 0), numberOf(7, 0)]).toEqual([-1, -1, -1]);
  });

  test('shows snapshots to the public after its delay', () => {
    expect(publicUntil({ publication_delay: 6 }, 10 * HOUR)).toBe(4 * HOUR);
    expect(publicUntil({ publication_delay: 0 }, 10 * HOUR)).toBe(10 * HOUR);
  });
});

describe('gatherings', () => {
  const plan = { start: START, end: END, refresh_rate: 60, gather: true, dates: {} };
  const next = (last: number | null, now: number) => nextGathering(plan, 'open', last, now);

  test('start with the event, repeat at its rate, and finish with one at its end', () => {
    expect(next(null, START - HOUR)).toBe(START);
    expect(next(null, START + 5)).toBe(START + 5);
    expect(next(START, START + 1)).toBe(START + HOUR);
    // A late one is due at once, and is not repeated.
    expect(next(START, START + 3 * HOUR)).toBe(START + 3 * HOUR);
    expect(next(END - MINUTE, END - MINUTE)).toBe(END);
    expect(next(END - MINUTE, END + HOUR)).toBeNull();
    expect(next(END, END)).toBeNull();
    expect(next(END - 1, END)).toBe(END);
    expect(next(null, END)).toBe(END);
    expect(next(null, END + 1)).toBeNull();
  });

  test('do not happen for a closed event, or for one fed by files', () => {
    for (const mark of ['draft', 'closed', 'archived'] as const)
      expect(nextGathering(plan, mark, null, START)).toBeNull();
    expect(nextGathering({ ...plan, gather: false }, 'open', null, START)).toBeNull();
  });

  test('may take half of the time to the next one, within ten minutes and two hours', () => {
    expect([10, 20, 22, 240, 242].map((rate) => gatheringLimit(rate) / MINUTE)).toEqual([10, 10, 11, 120, 120]);
  });
});

describe('the snapshot for a time', () => {
  const moments = [10 * HOUR, 20 * HOUR, 20 * HOUR + MINUTE, 30 * HOUR];

  test('is at that time, or less than a minute away', () => {
    expect(snapshotAt(moments, 20 * HOUR + MINUTE)).toBe(20 * HOUR + MINUTE);
    expect(snapshotAt(moments, 10 * HOUR + MINUTE - 1)).toBe(10 * HOUR);
    expect(snapshotAt(moments, 10 * HOUR - MINUTE + 1)).toBe(10 * HOUR);
    expect(snapshotAt(moments, 10 * HOUR + MINUTE)).toBeNull();
    expect(snapshotAt([], 5)).toBeNull();
  });

  test('is the nearest one for a labelled date, or the earlier of two equally near', () => {
    expect(snapshotAt(moments, 29 * HOUR, true)).toBe(30 * HOUR);
    expect(snapshotAt(moments, 22 * HOUR, true)).toBe(20 * HOUR + MINUTE);
    expect(snapshotAt(moments, 15 * HOUR, true)).toBe(10 * HOUR);
    expect(snapshotAt(moments, 5 * HOUR, true)).toBe(10 * HOUR);
    expect(snapshotAt(moments, 99 * HOUR, true)).toBe(30 * HOUR);
    expect(snapshotAt([], 5, true)).toBeNull();
  });

  test('is missing, and its neighbours are offered', () => {
    expect(nearest(moments, 15 * HOUR)).toEqual([10 * HOUR, 20 * HOUR]);
    expect(nearest(moments, 10 * HOUR)).toEqual([20 * HOUR]);
    expect(nearest(moments, 5 * HOUR)).toEqual([10 * HOUR]);
    expect(nearest(moments, 99 * HOUR)).toEqual([30 * HOUR]);
  });
});

test('a side is gaining or falling if its share moves by more than a percentage point', () => {
  expect([tendencyOf(50, 51.1), tendencyOf(50, 51), tendencyOf(50, 49), tendencyOf(50, 48.9)]).toEqual([
    ...['gaining', 'steady', 'steady', 'falling'],
  ]);
  expect([tendencyOf(null, 5), tendencyOf(5, null)]).toEqual([null, null]);
});

describe('the points of a line', () => {
  const moments = Array.from({ length: 100 }, (_, index) => index * HOUR);

  test('are all of them between both ends, if they are few', () => {
    expect(pointsBetween(moments, { start: 5 * HOUR, end: 9 * HOUR, most: 5 })).toEqual(
      [5, 6, 7, 8, 9].map((hour) => hour * HOUR),
    );
    expect(pointsBetween(moments, { start: 1, end: HOUR - 1, most: 5 })).toEqual([]);
  });

  test('are limited if they are many, with both ends, the last of each span and those nearest to marked times', () => {
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

  test('include the last time before an end without a snapshot', () => {
    expect(pointsBetween(moments, { start: 0, end: 98.5 * HOUR, most: 10 }).at(-1)).toBe(98 * HOUR);
  });

  test('stay mostly the same as the line grows', () => {
    const of = (count: number) =>
      pointsBetween(moments.slice(0, count), { start: 0, end: (count - 1) * HOUR, most: 10 });
    const [before, after] = [of(80), of(81)];
    expect(after.filter((ts) => !before.includes(ts))).toEqual([80 * HOUR]);
  });
});

test('a failed job waits half a minute, then twice as long each time, up to six hours', () => {
  expect([0, 1, 2, 3].map(waitAfter)).toEqual([30_000, 30_000, 60_000, 120_000]);
  expect([10, 11, 50].map(waitAfter)).toEqual([30_000 * 512, 6 * HOUR, 6 * HOUR]);
});

test('an event’s state follows from the clock and from what an admin did', () => {
  const times = { start: 100, end: 200 };
  expect([99, 100, 199, 200].map((now) => stateOf(times, 'open', now))).toEqual([
    'upcoming',
    'running',
    'running',
    'ended',
  ]);
  expect(stateOf(times, 'closed', 150)).toBe('ended');
  expect(stateOf(times, 'archived', 150)).toBe('archived');
});

test('keys name a kingdom or a domain, and each governor has one', () => {
  const camps = [
    { name: 'Fire', kingdoms: ['7', '5-2'] },
    { name: 'Water', kingdoms: ['5-1'] },
  ];
  expect(kingdomsIn(camps)).toEqual([5, 7]);
  const number = keyNumbers(camps);
  expect([number(7, Number.NaN), number(7, 3), number(5, 2), number(5, 1), number(5, 3), number(6, 1)]).toEqual([
    0, 0, 1, 2, -1, -1,
  ]);
});

describe('the next gathering', () => {
  const plan = { start: 10 * HOUR, end: 20 * HOUR, refresh_rate: 60, gather: true, dates: {} };
  test.each([
    ['the first at the start', null, 5 * HOUR, 10 * HOUR],
    ['the first at once where it has begun', null, 12 * HOUR, 12 * HOUR],
    ['the first at the start after one by hand before it', 2 * HOUR, 3 * HOUR, 10 * HOUR],
    ['the next after the rate', 12 * HOUR, 12 * HOUR, 13 * HOUR],
    ['no heap of missed ones', 12 * HOUR, 17.5 * HOUR, 17.5 * HOUR],
    ['a last one at the end', 19.5 * HOUR, 19.6 * HOUR, 20 * HOUR],
    ['none after the end, though the last one was missed', 15 * HOUR, 22 * HOUR, null],
    ['none of an event that had ended before the first', null, 22 * HOUR, null],
    ['none after that', 20 * HOUR, 20 * HOUR, null],
  ])('%s', (_, last, now, due) => {
    expect(nextGathering(plan, 'open', last, now)).toBe(due);
  });
  test('is at a labelled time before the next refresh, then at the rate again', () => {
    const labelled = {
      ...plan,
      refresh_rate: 240,
      dates: { 'Pass 4': 13.5 * HOUR, Altar: 19 * HOUR, Before: 2 * HOUR },
    };
    const due = (last: number | null, now: number) => nextGathering(labelled, 'open', last, now);
    expect(due(null, 9 * HOUR)).toBe(10 * HOUR);
    expect(due(10 * HOUR, 10 * HOUR)).toBe(13.5 * HOUR);
    expect(due(13.5 * HOUR, 13.5 * HOUR)).toBe(17.5 * HOUR);
    expect(due(17.5 * HOUR, 17.5 * HOUR)).toBe(19 * HOUR);
    // One that was missed is not made up for.
    expect(due(12 * HOUR, 13.6 * HOUR)).toBe(16 * HOUR);
  });
  test('is never due if gathering is off or the event is closed', () => {
    expect(nextGathering({ ...plan, gather: false }, 'open', null, 12 * HOUR)).toBeNull();
    expect(nextGathering(plan, 'closed', null, 12 * HOUR)).toBeNull();
  });
  test('may take half of the time to the one after it, within bounds', () => {
    expect([5, 60, 100, 600].map(gatheringLimit)).toEqual([10 * MINUTE, 30 * MINUTE, 50 * MINUTE, 2 * HOUR]);
  });
});

test('a running event is late two refresh intervals after its newest public snapshot', () => {
  const plan = { start: 10 * HOUR, refresh_rate: 60, publication_delay: 0 };
  expect(lateSince(plan, 20 * HOUR, 22 * HOUR)).toBeNull();
  expect(lateSince(plan, 20 * HOUR, 22 * HOUR + 1)).toBe(22 * HOUR);
  expect(lateSince({ ...plan, publication_delay: 6 }, 20 * HOUR, 28 * HOUR)).toBeNull();
  expect(lateSince(plan, null, 12 * HOUR + 1)).toBe(12 * HOUR);
});

test('the public sees snapshots after the delay in hours', () => {
  expect(publicUntil({ publication_delay: 3 }, 10 * HOUR)).toBe(7 * HOUR);
});

describe('the snapshot of a requested time', () => {
  const moments = [10 * HOUR, 11 * HOUR, 12 * HOUR];
  test('is that of the same minute only', () => {
    expect(snapshotAt(moments, 11 * HOUR)).toBe(11 * HOUR);
    expect(snapshotAt(moments, 11 * HOUR + MINUTE - 1)).toBe(11 * HOUR);
    expect(snapshotAt(moments, 11 * HOUR - MINUTE)).toBeNull();
  });
  test('is the nearest one for a labelled date', () => {
    expect(snapshotAt(moments, 11.5 * HOUR, true)).toBe(11 * HOUR);
    expect(snapshotAt(moments, 9 * HOUR, true)).toBe(10 * HOUR);
    expect(snapshotAt([], 9 * HOUR, true)).toBeNull();
  });
  test('is offered as the nearest on either side', () => {
    expect(nearest(moments, 11.2 * HOUR)).toEqual([11 * HOUR, 12 * HOUR]);
    expect(nearest(moments, 9 * HOUR)).toEqual([10 * HOUR]);
    expect(nearest(moments, 19 * HOUR)).toEqual([12 * HOUR]);
  });
});

test('a side is gaining or falling once its share moves by more than a point', () => {
  expect([
    tendencyOf(40, 41),
    tendencyOf(40, 41.1),
    tendencyOf(40, 39),
    tendencyOf(40, 38.9),
    tendencyOf(null, 5),
  ]).toEqual(['steady', 'gaining', 'steady', 'falling', null]);
});

test('a long line has a limited number of points, with both ends and the one before each marked time', () => {
  const moments = fc.uniqueArray(fc.integer({ min: 0, max: 90 * 24 * 60 }), { minLength: 2, maxLength: 400 });
  fc.assert(
    fc.property(moments, fc.integer({ min: 0, max: 90 * 24 * 60 }), (minutes, mark) => {
      const all = minutes.sort((a, b) => a - b).map((minute) => minute * MINUTE);
      const [start, end] = [all[0] as number, all.at(-1) as number];
      const drawn = pointsBetween(all, { start, end, most: 48, marked: [mark * MINUTE] });
      expect(drawn[0]).toBe(start);
      expect(drawn.at(-1)).toBe(end);
      expect(drawn.length).toBeLessThanOrEqual(48 + 4);
      expect(drawn).toEqual([...new Set(drawn)].filter((ts) => all.includes(ts)).sort((a, b) => a - b));
      const before = all.filter((ts) => ts <= mark * MINUTE).at(-1);
      if (before !== undefined) expect(drawn).toContain(before);
      if (all.length <= 48) expect(drawn).toEqual(all);
    }),
  );
});

test('columns to read are figures and texts, each once, with those of the weights', () => {
  expect(textKeys('rok')).toEqual(['alliance_tag', 'name']);
  expect(shownKeys('cod')).toEqual(['power', 'units_dead', 'merits', 'units_killed', 'killcount_t4', 'killcount_t5']);
  expect(gainKeys('rok', { deads_t4: 3, deads: 1, helps_given: 0 })).toEqual([
    'power',
    'killpoints',
    'deads',
    ...['1', '2', '3', '4', '5'].map((tier) => `killcount_t${tier}`),
    'deads_t4',
  ]);
  const core = coreKeys('rok', { deads_t5: 1 });
  expect(core).toEqual([...new Set(core)]);
  expect(core.filter((key) => textKeys('rok').includes(key))).toEqual([]);
  expect(core).toEqual(expect.arrayContaining(['governor_id', 'home_kingdom', 'power', 'killcount_t1', 'deads_t5']));
});

test('scores need only the columns of their weights', () => {
  const value = fc.oneof(fc.constant(null), fc.constant(0), fc.nat(50));
  const rows = (game: GameId) => {
    const keys = GAMES[game].columns.filter(({ type }) => type !== 'text').map(({ key }) => key);
    const { id, kingdom } = GAMES[game].roles;
    const row = fc.record(Object.fromEntries(keys.map((key) => [key, value])));
    return fc.array(row, { minLength: 2, maxLength: 12 }).map((all) =>
      tableOf(
        game,
        all.map((each, index) => ({ ...each, [id]: index + 1, [kingdom]: 1 + (index % 2) })),
      ),
    );
  };
  const scored = (from: Table, to: Table, plan: { weights: Record<string, number>; power_off: number }) => {
    const difference = differenceOf(from, to);
    return scoresOf(scorable(difference), plan, (key) => knownGains(difference, key));
  };
  const only = (table: Table, keys: readonly string[]): Table => ({
    ...table,
    numbers: Object.fromEntries(Object.entries(table.numbers).filter(([key]) => keys.includes(key))),
    texts: {},
  });
  const scorings: [GameId, Record<string, number>][] = [
    ['rok', { killcount_t4: 10, killcount_t5: 20, deads: 30 }],
    ['rok', { helps_given: 2, killpoints: 1 }],
    ['cod', { merits: 1, killcount_t5: 3 }],
  ];
  for (const [game, weights] of scorings)
    fc.assert(
      fc.property(rows(game), rows(game), fc.constantFrom(0, 0.5), (from, to, power_off) => {
        const plan = { weights, power_off };
        const keys = scoreKeys(game, plan);
        expect(scored(only(from, keys), only(to, keys), plan)).toEqual(scored(from, to, plan));
      }),
    );
  expect(scoreKeys('rok', { weights: { deads: 1 } })).not.toContain('power');
});

test('lines have the requested metrics, the default ones, or an error', () => {
  expect(metricsNamed('rok', undefined)).toEqual([
    'dkp',
    'power',
    'killpoints',
    'deads',
    'killcount_t4',
    'killcount_t5',
  ]);
  expect(metricsNamed('cod', 'merits, dkp,merits')).toEqual(['merits', 'dkp']);
  expect(metricsNamed('cod', 'acclaim')).toEqual({ flaw: "metrics: Call of Dragons has no 'acclaim'." });
  expect(metricsNamed('rok', Array.from({ length: 13 }, (_, index) => `k${index}`).join())).toEqual({
    flaw: 'metrics: at most 12 are allowed.',
  });
});
