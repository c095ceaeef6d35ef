import { expect, test } from 'vitest';
import type { RosterEntry } from '../../../domain/compare/roster-rules.ts';
import type { EventRoom } from '../../../web/api/events.ts';
import { NO_RULES, type OwnRules, withRoster } from '../../../web/components/events/with-roster.ts';

const EVENT = { game: 'rok' as const, goals: [{ min_power: 0, dkp: 1000, kills: null, deads: null }] };
const rules = (entries: RosterEntry[], own: Partial<OwnRules> = {}): OwnRules => ({ ...NO_RULES, entries, ...own });

const governor = (governor_id: number, dkp: number | null) => ({
  governor_id,
  name: `G${governor_id}`,
  power: 10,
  dkp,
  dkp_raw: dkp,
  points: dkp,
  since: null,
  rank: 1,
  goal: dkp === null ? null : dkp / 10,
  below_goal: dkp !== null && dkp < 1000,
  exempt: false,
  gains: { killcount_t4: governor_id * 10, killcount_t5: 5, deads: 7 },
  doubted: governor_id === 4 ? ['deads'] : [],
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
  const shown = withRoster(room, EVENT, rules([entry(3, 'farm', 2), entry(4, 'exempt'), entry(5, 'left')]));
  expect(
    shown.governors.map((one) => [one.governor_id, one.dkp, one.rank, one.percentile, one.goal, one.below_goal]),
  ).toEqual([
    [1, 2000, 1, 100, 200, false],
    [2, 1200, 2, 50, 120, false],
    [3, 400, null, null, null, false],
    [4, 300, 3, 0, null, false],
    [6, null, null, null, null, false],
  ]);
  expect(shown.counts).toEqual({ fighting: 4, idle: 0, with_goal: 2, below_goal: 0 });
  expect(shown.dkp).toBe(3500);
});

test('a farm whose main is elsewhere stands by itself', () => {
  const shown = withRoster(room, EVENT, rules([entry(3, 'farm', 99), entry(2, 'left'), entry(1, 'farm', 2)]));
  expect(shown.governors.map(({ governor_id, dkp, rank }) => [governor_id, dkp, rank])).toEqual([
    [1, 2000, 1],
    [3, 400, 2],
    [4, 300, 3],
    [5, 0, 4],
    [6, null, null],
  ]);
});

test('own goals take the place of the event’s, and a share of a farm counts', () => {
  const goals = [{ min_power: 0, dkp: 500, kills: 25, deads: 7 }];
  const shown = withRoster(room, EVENT, rules([entry(4, 'farm', 3)], { goals, farms: 20 }));
  expect(shown.governors.map(({ governor_id, dkp, goal, below_goal }) => [governor_id, dkp, goal, below_goal])).toEqual(
    [
      // Kills of T4 and T5 together are 15, and 25 from the second on.
      [1, 2000, 400, true],
      [2, 800, 160, false],
      [3, 460, 92, true],
      [4, 300, null, false],
      [5, 0, 0, true],
      [6, null, null, false],
    ],
  );
  expect(shown.counts).toMatchObject({ with_goal: 5, below_goal: 3 });
});

test('a main whose score is unknown stays unknown with a farm', () => {
  const shown = withRoster(room, EVENT, rules([entry(4, 'farm', 6)]));
  expect(shown.governors.find(({ governor_id }) => governor_id === 6)).toMatchObject({
    ...{ dkp: null, dkp_raw: null, points: null, rank: null, goal: null, below_goal: false },
  });
});

test('a farm lifts only the DKP of a main who missed other targets', () => {
  const goals = [{ min_power: 0, dkp: 1000, kills: 1_000_000, deads: null }];
  const { governors } = withRoster(room, { ...EVENT, goals }, rules([entry(3, 'farm', 2)]));
  expect(governors.find(({ governor_id }) => governor_id === 2)).toMatchObject({ goal: 120, below_goal: true });
});

test('goals without a target of DKP count who has one and who is below', () => {
  const goals = [{ min_power: 0, dkp: null, kills: 25, deads: null }];
  const { counts } = withRoster(room, EVENT, rules([entry(5, 'exempt')], { goals }));
  expect(counts).toMatchObject({ with_goal: 5, below_goal: 1 });
});

test('a goal that is missed by less than half a tenth of a percent is missed', () => {
  const goals = [{ min_power: 0, dkp: 1_000_000, kills: null, deads: null }];
  const near = { ...room, governors: [governor(1, 999_600), governor(2, 1_000_000)] } as unknown as EventRoom;
  const { governors, counts } = withRoster(near, { ...EVENT, goals }, NO_RULES);
  expect(governors.map(({ goal, below_goal }) => [goal, below_goal])).toEqual([
    [100, false],
    [99.9, true],
  ]);
  expect(counts.below_goal).toBe(1);
});

test('counts as fighting by points before the deduction for power', () => {
  const powerful = { ...room, governors: room.governors.map((each) => ({ ...each, dkp_raw: -1000 })) };
  const { counts } = withRoster(powerful, EVENT, rules([entry(3, 'farm', 2)]));
  expect(counts).toMatchObject({ fighting: 4, idle: 1 });
});
