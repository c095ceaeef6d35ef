import { expect, test } from 'vitest';
import { bracketsOf } from '../../../domain/difference/brackets.ts';
import type { EventPlan } from '../../../domain/events/event.ts';
import { tableOf } from '../../../domain/scans/rows.ts';
import { goalPercents, judgedIn } from '../../../worker/services/difference/comparison.ts';
import { makeGovernor } from '../../../worker/services/events/make-governor.ts';
import { eventWar, fightersOf } from '../../../worker/services/events/war.ts';
import { at, fighter, PLAN, START } from './sides.ts';

/** How far governors of an event reached their goals. */

test('a goal that is missed by less than half a tenth of a percent is missed everywhere', () => {
  const goals = [{ min_power: 0, dkp: 1_000_000, kills: null, deads: null }];
  const won = [49_980, 50_000];
  const side = (hour: number) =>
    tableOf(
      'rok',
      won.map((kills, index) => fighter(index + 1, 701, hour * kills)),
    );
  const war = eventWar({ ...PLAN, goals }, side(0), side(1), new Set());
  expect([...war.scores.dkp]).toEqual([999_600, 1_000_000]);
  expect([...goalPercents(war, 'dkp')]).toEqual([99.9, 100]);
  expect(fightersOf(war)[0]).toMatchObject({ with_goal: 2, below_goal: 1 });
  expect(bracketsOf(goals, judgedIn(war))).toEqual([{ governors: 2, passed: 1, unknown: 0 }]);
});

test.each([
  ['both tiers', { killcount_t4: 40, killcount_t5: 10 }, 50],
  ['the fourth alone', { killcount_t4: 40 }, null],
  ['the fifth alone', { killcount_t5: 10 }, null],
])('progress to a kills goal needs both tiers: %s', (_, kills, reached) => {
  const readings = [0, 3].map((hour) => ({
    ts: at(hour),
    captured_at: at(hour),
    stands_in: false,
    row: tableOf('rok', [
      {
        ...{ governor_id: 1, home_kingdom: 701, name: 'A', power: 5e7 },
        ...Object.fromEntries(Object.entries(kills).map(([key, gained]) => [key, 1000 + (hour && gained)])),
      },
    ]),
  }));
  const plan: EventPlan = { ...PLAN, goals: [{ min_power: 1, dkp: 100, kills: 100, deads: 100 }] };
  const { goal } = makeGovernor(plan, { start: START, end: at(3) }, readings, 1, new Set());
  expect(goal?.reached.kills).toBe(reached);
});
