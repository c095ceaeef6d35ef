import { expect, test } from 'vitest';
import type { EventRoom } from '../../../web/api/events.ts';
import { withRoster } from '../../../web/components/events/with-roster.ts';

const GOALS = [{ min_power: 0, dkp: 1000, kills: null, deads: null }];

const governor = (governor_id: number, dkp: number | null) => ({
  governor_id,
  name: `G${governor_id}`,
  power: 10,
  dkp,
  dkp_raw: dkp,
  since: null,
  rank: 1,
  goal: dkp === null ? null : dkp / 10,
  below_goal: dkp !== null && dkp < 1000,
  exempt: false,
});

const room = {
  dkp: 3500,
  governors: [
    governor(1, 2000),
    governor(2, 800),
    governor(3, 400),
    governor(4, 300),
    governor(5, 0),
    governor(6, null),
  ],
  counts: { fighting: 4, idle: 1, with_goal: 5, below_goal: 4 },
} as unknown as EventRoom;

const entry = (governor_id: number, role: 'farm' | 'left' | 'exempt', main_id: number | null = null) => ({
  governor_id,
  role,
  main_id,
  note: '',
});

test('farms count for their main, exempt ones have no goal, and those who left are missing', () => {
  const shown = withRoster(room, GOALS, [entry(3, 'farm', 2), entry(4, 'exempt'), entry(5, 'left')]);
  expect(
    shown.governors.map(({ governor_id, dkp, rank, goal, below_goal }) => [governor_id, dkp, rank, goal, below_goal]),
  ).toEqual([
    [1, 2000, 1, 200, false],
    [2, 1200, 2, 120, false],
    [3, 400, null, null, false],
    [4, 300, 3, null, false],
    [6, null, null, null, false],
  ]);
  expect(shown.counts).toEqual({ fighting: 4, idle: 0, with_goal: 2, below_goal: 0 });
  expect(shown.dkp).toBe(3500);
});

test('a farm whose main is elsewhere stands by itself', () => {
  const shown = withRoster(room, GOALS, [entry(3, 'farm', 99), entry(2, 'left'), entry(1, 'farm', 2)]);
  expect(shown.governors.map(({ governor_id, dkp, rank }) => [governor_id, dkp, rank])).toEqual([
    [1, 2000, 1],
    [3, 400, 2],
    [4, 300, 3],
    [5, 0, 4],
    [6, null, null],
  ]);
});
