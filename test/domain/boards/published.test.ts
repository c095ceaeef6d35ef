import { describe, expect, test } from 'vitest';
import {
  type BoardId,
  boardId,
  emptyManifest,
  firstPublication,
  type GameBoards,
  metricOf,
  missingDays,
  newestShown,
  nextPublication,
  noteScans,
  type PublishedDay,
  rankingPath,
  rebuildable,
  rowDaysPath,
  served,
  shownDays,
  typesOf,
} from '../../../domain/boards/leaderboard.ts';
import { keyOfRow } from '../../../domain/boards/rows.ts';
import { addDays, type Day, dayStart } from '../../../domain/days.ts';

/** Which board is shown when, which is missing, and which is to be made again. */

const TODAY: Day = '2026-03-20';
const NOON = dayStart(TODAY) + 12 * 3_600_000;
const ago = (days: number): Day => addDays(TODAY, -days);
const boards = (since: Day | null, ...days: Day[]): GameBoards => ({
  since,
  days: Object.fromEntries(
    days.map((day) => {
      const version = { version: day, total: 1 };
      return [day, { published_at: 0, finders: true, boards: { 'governor-power': version, 'kingdom-power': version } }];
    }),
  ) as unknown as Record<Day, PublishedDay>,
});

test.each<[BoardId, number]>([
  ['governor-power', 7],
  ['governor-score', 7],
  ['alliance-power', 7],
  ['alliance-score', 7],
  ['kingdom-power', 1],
])('%s is shown %d days later, from midnight on', (board, delay) => {
  const midnight = dayStart(TODAY);
  expect(newestShown(board, midnight)).toBe(ago(delay));
  expect(newestShown(board, midnight - 1)).toBe(ago(delay + 1));
  expect(nextPublication(board, ago(delay))).toBe(midnight + 24 * 3_600_000);
  expect(firstPublication({ since: ago(delay), days: {} }, board)).toBe(midnight);
  expect(firstPublication({ since: null, days: {} }, board)).toBeNull();
});

describe('the board that visitors see', () => {
  const kept = boards(ago(20), ago(9), ago(6), ago(8), ago(1), ago(0));

  test('is the newest one that is old enough, or an older one on request', () => {
    expect(shownDays(kept, 'governor-power', NOON)).toEqual([ago(8), ago(9)]);
    expect(shownDays(kept, 'kingdom-power', NOON)).toEqual([ago(1), ago(6), ago(8), ago(9)]);
    const next = nextPublication('governor-power', ago(8));
    expect(served(kept, 'governor-power', NOON)).toEqual({ day: ago(8), board: { version: ago(8), total: 1 }, next });
    // An old board changes when the newest does.
    expect(served(kept, 'governor-power', NOON, ago(9))).toEqual({
      day: ago(9),
      board: { version: ago(9), total: 1 },
      next,
    });
  });

  test('is null without a board, without one of that day, or before the first is public', () => {
    expect(served(boards(null), 'governor-power', NOON)).toBeNull();
    expect(served(boards(ago(6), ago(6)), 'governor-power', NOON)).toBeNull();
    for (const day of [ago(6), ago(10), 'constructor']) expect(served(kept, 'governor-power', NOON, day)).toBeNull();
    // A board that was added later is not on the days before.
    const added = boards(ago(20), ago(9), ago(8));
    Object.assign(added.days[ago(9)]?.boards ?? {}, { 'governor-score': { version: 'added', total: 3 } });
    expect(served(added, 'governor-score', NOON)?.day).toBe(ago(9));
    expect(shownDays(added, 'governor-score', NOON)).toEqual([ago(9)]);
    expect(served(added, 'governor-score', NOON, ago(8))).toBeNull();
    expect(emptyManifest()).toEqual({ rok: { since: null, days: {} }, cod: { since: null, days: {} } });
  });
});

describe('the days without a board', () => {
  test('are all finished days since the first scan, within the retention', () => {
    expect(missingDays(boards(null), NOON)).toEqual([]);
    expect(missingDays(boards(TODAY), NOON)).toEqual([]);
    expect(missingDays(boards(ago(4), ago(3), ago(1)), NOON)).toEqual([ago(4), ago(2)]);
    const old = missingDays(boards(ago(300)), NOON);
    expect([old[0], old.at(-1), old.length]).toEqual([ago(90), ago(1), 90]);
    expect(rebuildable(NOON)).toEqual({ from: ago(90), to: ago(1) });
  });

  test('include recent days without finders, which public profiles need', () => {
    const kept = boards(ago(12), ...Array.from({ length: 12 }, (_, index) => ago(index + 1)));
    expect(missingDays(kept, NOON)).toEqual([]);
    for (const day of Object.values(kept.days)) delete day.finders;
    expect(missingDays(kept, NOON)).toEqual([8, 7, 6, 5, 4, 3, 2, 1].map((days) => ago(days)));
  });

  test('include days of a late scan, for thirty days', () => {
    const kept = boards(ago(60), ago(41), ago(40), ago(39), ago(11), ago(10));
    noteScans(kept, [ago(40)], 5);
    // The first look only learns what has come in by then.
    expect([kept.followed, missingDays(kept, NOON).includes(ago(40))]).toEqual([5, false]);
    noteScans(kept, [ago(40)], 7);
    expect(kept.followed).toBe(7);
    const stale = Object.keys(kept.days).filter((day) => kept.days[day]?.stale);
    expect(stale.sort()).toEqual([ago(40), ago(39), ago(11)]);
    expect(missingDays(kept, NOON)).toContain(ago(11));
    expect(missingDays(kept, NOON)).not.toContain(ago(10));
    expect(kept.since).toBe(ago(60));
    noteScans(kept, [ago(61)], 8);
    expect(kept.since).toBe(ago(61));
    const none = boards(null);
    noteScans(none, [], 1);
    noteScans(none, [ago(3)], 2);
    expect(none.since).toBeNull();
  });
});

test('boards and their addresses have the same names', () => {
  expect([boardId('governor', 'score'), boardId('alliance', 'power'), boardId('kingdom', 'score')]).toEqual([
    'governor-score',
    'alliance-power',
    'kingdom-power',
  ]);
  expect([typesOf('governor', 'rok'), typesOf('alliance', 'cod')]).toEqual([
    ['power', 'killpoints'],
    ['power', 'merits'],
  ]);
  const metrics = (game: 'rok' | 'cod') => ['power', 'killpoints', 'merits', 'x'].map((type) => metricOf(game, type));
  expect(metrics('rok')).toEqual(['power', 'score', null, null]);
  expect(metrics('cod')).toEqual(['power', 'score', 'score', null]);
  expect(rankingPath('governor', 'rok', 'score', { count: 25 })).toBe(
    '/v1/governor/rankings/rok?type=killpoints&count=25&page=0',
  );
  expect(rankingPath('alliance', 'cod', 'power', { count: -1, day: TODAY })).toBe(
    '/v1/alliance/rankings/cod?type=power&count=-1&page=0&day=2026-03-20',
  );
  expect(rowDaysPath('kingdom', 'cod', 'score', 3, TODAY)).toBe(
    '/v1/kingdom/rankings/cod/row?type=merits&place=3&day=2026-03-20',
  );
  expect(keyOfRow({ governor_id: 5, kingdom_id: 1, alliance_tag: 'A' } as never)).toBe(5);
  expect(keyOfRow({ kingdom_id: 1, alliance_tag: 'A' } as never)).toBe('1/A');
  expect(keyOfRow({ kingdom_id: 1 } as never)).toBe(1);
});
