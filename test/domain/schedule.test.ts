import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Period } from '../../domain/orders/periods.ts';
import {
  costPerMonth,
  dueBy,
  edited,
  MAX_MISSED_RUNS,
  nextRun,
  pausedBy,
  type Recurrence,
  recurrenceOf,
  tellsOfMiss,
} from '../../domain/orders/schedule.ts';
import { scheduleInfo } from '../../domain/orders/schedule-contract.ts';

const at = (text: string): number => Date.parse(`${text.length === 10 ? `${text}T18:30` : text}Z`);
const told = (time: number): string => new Date(time).toISOString().slice(0, 16).replace('T18:30', '');

const every = (interval: number, period: Period, start: string, end: string | null = null): Recurrence => ({
  start_at: at(start),
  end_at: end === null ? null : at(end),
  period,
  interval,
});

/** The first runs, asked for one after the other as the cron does. */
function runsOf(recurrence: Recurrence, most: number): number[] {
  const runs: number[] = [];
  for (let run = nextRun(recurrence, recurrence.start_at - 1); run !== null && runs.length < most; ) {
    runs.push(run);
    run = nextRun(recurrence, run);
  }
  return runs;
}

describe('dates checked by hand', () => {
  const cases: [string, Recurrence, string[]][] = [
    [
      'the 31st of each month keeps the intended day',
      every(1, 'month', '2026-01-31'),
      ['2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31', '2026-06-30'],
    ],
    [
      'the 31st meets 29 February in a leap year',
      every(1, 'month', '2027-12-31'),
      ['2027-12-31', '2028-01-31', '2028-02-29', '2028-03-31'],
    ],
    [
      'the 30th is only moved in February',
      every(1, 'month', '2026-12-30'),
      ['2026-12-30', '2027-01-30', '2027-02-28', '2027-03-30'],
    ],
    ['every three months', every(3, 'month', '2026-11-30'), ['2026-11-30', '2027-02-28', '2027-05-30', '2027-08-30']],
    [
      '29 February each year',
      every(1, 'year', '2024-02-29'),
      ['2024-02-29', '2025-02-28', '2026-02-28', '2027-02-28', '2028-02-29'],
    ],
    [
      '29 February past a century that is no leap year',
      every(4, 'year', '2096-02-29'),
      ['2096-02-29', '2100-02-28', '2104-02-29'],
    ],
    [
      'each week, over the turn of the year',
      every(1, 'week', '2026-12-21'),
      ['2026-12-21', '2026-12-28', '2027-01-04'],
    ],
    ['every second week', every(2, 'week', '2026-11-21'), ['2026-11-21', '2026-12-05', '2026-12-19']],
    ['every ten days, over 29 February', every(10, 'day', '2028-02-20'), ['2028-02-20', '2028-03-01', '2028-03-11']],
    [
      'every five hours',
      every(5, 'hour', '2026-11-21T20:00'),
      ['2026-11-21T20:00', '2026-11-22T01:00', '2026-11-22T06:00'],
    ],
    [
      'every 90 minutes',
      every(90, 'minute', '2026-11-21T23:00'),
      ['2026-11-21T23:00', '2026-11-22T00:30', '2026-11-22T02:00'],
    ],
  ];
  it.each(cases)('%s', (_, recurrence, expected) => {
    expect(runsOf(recurrence, expected.length).map(told)).toEqual(expected);
  });

  it('includes a run at its end, but not a millisecond later', () => {
    const daily = every(1, 'day', '2026-11-21', '2026-11-23');
    expect(runsOf(daily, 9).map(told)).toEqual(['2026-11-21', '2026-11-22', '2026-11-23']);
    expect(runsOf({ ...daily, end_at: at('2026-11-23') - 1 }, 9).map(told)).toEqual(['2026-11-21', '2026-11-22']);
  });

  it('runs once without a period', () => {
    expect(runsOf(every(1, 'none', '2026-11-21'), 9).map(told)).toEqual(['2026-11-21']);
  });
});

/** The date of run `number` by the calendar alone: counting months from the start, the day cut to the month's last. */
function runByCalendar({ start_at, period, interval }: Recurrence, number: number): number {
  const lengths = { minute: 6e4, hour: 36e5, day: 864e5, week: 6048e5 };
  if (period in lengths) return start_at + number * interval * lengths[period as keyof typeof lengths];
  const start = new Date(start_at);
  const month = start.getUTCMonth() + number * interval * (period === 'year' ? 12 : 1);
  const days = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  const year = start.getUTCFullYear() + Math.floor(month / 12);
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const last = month % 12 === 1 && leap ? 29 : (days[month % 12] as number);
  return Date.UTC(year, month % 12, Math.min(start.getUTCDate(), last)) + (start_at % 864e5);
}

const repeating = fc.record({
  start_at: fc.integer({ min: at('2020-01-01'), max: at('2110-12-31') }),
  period: fc.constantFrom<Period>('minute', 'hour', 'day', 'week', 'month', 'year'),
  interval: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 100 })),
  end_at: fc.constant(null),
}) satisfies fc.Arbitrary<Recurrence>;

describe('any recurrence', () => {
  it('gives the runs that the calendar gives, one after the other, without drift', () => {
    fc.assert(
      fc.property(repeating, (recurrence) => {
        const runs = runsOf(recurrence, 40);
        expect(runs).toEqual(Array.from({ length: 40 }, (_, number) => runByCalendar(recurrence, number)));
        for (const [index, run] of runs.entries())
          if (index > 0) expect(run).toBeGreaterThan(runs[index - 1] as number);
      }),
    );
  });

  it('gives the first run after any time', () => {
    fc.assert(
      fc.property(
        repeating,
        fc.nat({ max: 60 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (recurrence, number, part) => {
          const [from, to] = [runByCalendar(recurrence, number), runByCalendar(recurrence, number + 1)];
          const time = Math.min(to - 1, from + Math.floor(part * (to - from)));
          expect(nextRun(recurrence, time)).toBe(to);
          expect(nextRun(recurrence, from - 1)).toBe(from);
        },
      ),
    );
  });

  it('runs once after a gap, for the latest time, and skips those between', () => {
    fc.assert(
      fc.property(
        repeating,
        fc.nat({ max: 30 }),
        fc.nat({ max: 50 }),
        fc.option(fc.nat({ max: 90 })),
        (rule, from, gap, end) => {
          const runs = Array.from({ length: 100 }, (_, number) => runByCalendar(rule, number));
          const recurrence = { ...rule, end_at: end === null ? null : (runs[Math.max(end, from)] as number) };
          const left = runs.slice(from).filter((run) => recurrence.end_at === null || run <= recurrence.end_at);
          const due = left.slice(0, gap + 1);
          // A millisecond before the next moment, or on the very moment.
          for (const now of [(runs[from + gap + 1] as number) - 1, runs[from + gap] as number])
            expect(dueBy(recurrence, left[0] as number, now)).toEqual({
              due_at: due.at(-1),
              skipped: due.length === 1 ? null : { from: due[0], to: due.at(-2), count: due.length - 1 },
              next_at: left[gap + 1] ?? null,
            });
        },
      ),
    );
  });
});

describe('of several missed runs in a row, the mail is about', () => {
  const told = (recurrence: Recurrence, runs: number, ends = false) =>
    Array.from({ length: runs }, (_, index) => index + 1).filter((missed) =>
      tellsOfMiss(recurrence, { missed, last: ends && missed === runs }),
    );

  it('the one that pauses the schedule, if that is within a day', () => {
    expect(told(every(1, 'minute', '2026-01-01'), MAX_MISSED_RUNS)).toEqual([5]);
    expect(told(every(6, 'hour', '2026-01-01'), MAX_MISSED_RUNS)).toEqual([5]);
  });

  it('the last one, if the schedule ends before', () => {
    expect(told(every(1, 'hour', '2026-01-01'), 3, true)).toEqual([3]);
    expect(told(every(1, 'hour', '2026-01-01'), 1, true)).toEqual([1]);
  });

  it('the first one, if the pause is further away or never comes', () => {
    expect(told(every(7, 'hour', '2026-01-01'), MAX_MISSED_RUNS)).toEqual([1]);
    expect(told(every(1, 'month', '2026-01-01'), MAX_MISSED_RUNS)).toEqual([1]);
    expect(told(every(1, 'day', '2026-01-01'), 2, true)).toEqual([1]);
    expect(told(every(1, 'none', '2026-01-01'), 1, true)).toEqual([1]);
  });
});

it('a year without a cron leads to one run for the latest minute, and one entry for all missed ones', () => {
  const minutely = every(1, 'minute', '2026-01-01');
  const due = dueBy(minutely, minutely.start_at, at('2027-01-01'));
  expect(told(due.due_at)).toBe('2027-01-01');
  expect(due.skipped).toEqual({ from: minutely.start_at, to: due.due_at - 60_000, count: 365 * 24 * 60 });
  expect(due.next_at).toBe(due.due_at + 60_000);
});

it.each<[number, Period, number]>([
  [1, 'none', 50],
  [1, 'minute', 50 * 43_800],
  [30, 'minute', 50 * 1460],
  [1, 'hour', 50 * 730],
  [1, 'day', 1521],
  [1, 'week', 217],
  [1, 'month', 50],
  [2, 'month', 25],
  [1, 'year', 4],
])('every %i %s at half a dollar costs %i cents a month', (interval, period, cents) => {
  expect(costPerMonth(50, { interval, period })).toBe(cents);
});

describe('a scheduleInfo', () => {
  const now = at('2026-11-21');
  const parsed = (info: object) => scheduleInfo.safeParse(info);
  const flawOf = (info: object) => parsed(info).error?.issues.map(({ path, message }) => `${path}: ${message}`);

  it('reads times with a zone, and others as UTC', () => {
    for (const start of [
      '2030-01-31T18:30Z',
      '2030-01-31T18:30',
      '2030-01-31T19:30:00+01:00',
      '2030-01-31T18:30:00.000Z',
    ])
      expect(parsed({ start }).data?.start).toBe(at('2030-01-31'));
  });

  it('that is blank or has no period means an order now', () => {
    for (const info of [{}, { start: '', end: '' }, { period: 'none' }, { interval: null, period: null }])
      expect(recurrenceOf(scheduleInfo.parse(info), now)).toBeNull();
  });

  it('with a start in the past runs now', () => {
    expect(recurrenceOf(scheduleInfo.parse({ start: '2020-01-01T00:00Z' }), now)).toEqual({
      start_at: now,
      end_at: null,
      period: 'none',
      interval: 1,
    });
  });

  it.each<[object, string]>([
    [
      { start: '2030-02-01T00:00Z', end: '2030-01-01T00:00Z', period: 'day', interval: 1 },
      'end: must not lie before the start',
    ],
    [{ end: '2020-01-01T00:00Z', period: 'day', interval: 1 }, 'end: must not lie before the start'],
    // The start moves to now, which is after the end.
    [
      { start: '2020-01-01T00:00Z', end: '2021-01-01T00:00Z', period: 'day', interval: 1 },
      'end: must not lie before the start',
    ],
    [{ period: 'day', interval: 0 }, 'interval: must be at least 1'],
    [{ period: 'day', interval: -1 }, 'interval: must be at least 1'],
    [{ period: 'day', interval: 1.5 }, 'interval: must be a whole number'],
    [{ period: 'day', interval: 1001 }, 'interval: must be 1,000 at most'],
    [{ period: 'day', interval: '2' }, 'interval: must be a whole number'],
    [{ period: 'day' }, 'interval: must say every how many periods it repeats'],
    [{ period: 'fortnight', interval: 1 }, 'period: must be one of none, minute, hour, day, week, month, year'],
    [{ start: 'tomorrow' }, 'start: must be a date and time such as 2026-11-21T18:00Z'],
    [{ start: '2026-02-30T18:00Z' }, 'start: must be a date and time such as 2026-11-21T18:00Z'],
  ])('%j is refused', (info, sentence) => {
    expect(flawOf(info)).toEqual([sentence]);
  });
});

describe('an edit', () => {
  const now = at('2026-05-10');
  const standing = (state: 'active' | 'paused' = 'active', next = at('2026-05-31')) => ({
    ...every(1, 'month', '2026-01-31'),
    state,
    next_at: next,
  });
  const info = (start: string | null, period: Period = 'month') => ({
    start: start === null ? null : at(start),
    end: null,
    period,
    interval: 1,
  });

  it('keeps start and day if the start is absent or the same minute', () => {
    for (const start of [null, '2026-01-31']) {
      expect(edited(standing(), info(start), now).recurrence.start_at).toBe(at('2026-01-31'));
      expect(told(edited(standing(), info(start), now).next_at ?? 0)).toBe('2026-05-31');
    }
    const start = at('2026-01-31');
    const startOf = (later: number) =>
      edited(standing(), { ...info(null), start: start + later }, now).recurrence.start_at;
    expect([59_999, 60_000, -1].map(startOf)).toEqual([start, now, now]);
  });

  it('takes another start as new: a later one unchanged, a past one as now', () => {
    expect(told(edited(standing(), info('2026-06-15'), now).next_at ?? 0)).toBe('2026-06-15');
    expect(edited(standing(), info('2026-02-01'), now)).toMatchObject({ recurrence: { start_at: now }, next_at: now });
  });

  it('keeps a run that is due, and does not repeat those missed during a pause', () => {
    expect(edited(standing('active', at('2026-04-30')), info(null), now).next_at).toBe(at('2026-04-30'));
    expect(edited(standing('paused', at('2026-04-30')), info(null), now).next_at).toBe(at('2026-05-31'));
  });

  it('leaves no run if nothing is ahead', () => {
    expect(edited(standing(), info(null, 'none'), now).next_at).toBeNull();
  });

  it('that changes nothing changes no run', () => {
    fc.assert(
      fc.property(
        fc.constantFrom<Period>('minute', 'hour', 'day', 'week', 'month', 'year'),
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 0, max: 3 * 365 * 86_400_000 }),
        (period, interval, age) => {
          const recurrence = { start_at: now - age, end_at: null, period, interval };
          const next_at = nextRun(recurrence, now);
          const same = { start: recurrence.start_at, end: null, period, interval };
          expect(edited({ ...recurrence, state: 'active', next_at }, same, now)).toEqual({ recurrence, next_at });
        },
      ),
    );
  });
});

it('says whether its user paused it, or the service after failed runs', () => {
  const paused = (missed_runs: number) => ({ state: 'paused' as const, missed_runs, paused_by_lock: 0 });
  expect(pausedBy({ ...paused(5), state: 'active' }, 'unpaid')).toBeNull();
  expect(pausedBy(paused(0), undefined)).toBe('user');
  expect(pausedBy(paused(4), 'unpaid')).toBe('user');
  expect(pausedBy(paused(5), 'unpaid')).toBe('service');
  expect(pausedBy(paused(1), 'failed')).toBe('service');
  // Resumed since, and then paused by the user.
  expect(pausedBy(paused(0), 'failed')).toBe('user');
});
