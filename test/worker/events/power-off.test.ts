import { expect, test } from 'vitest';
import type { EventPlan } from '../../../domain/events/event.ts';
import type { Row } from '../../../domain/scans/rows.ts';
import { answerBoard, answerGovernor, type Sides } from '../../../worker/services/events/answer-dashboard.ts';
import { answerChanges, answerRooms } from '../../../worker/services/events/answer-room.ts';
import type { EventRoom } from '../../../worker/services/events/make-room.ts';
import { at, fighter, PLAN, START, warOf } from './sides.ts';

/** The deduction for power counts once, from a whole score, and says nothing about who fights. */

const plan: EventPlan = { ...PLAN, power_off: 0.01 };
const POWER = 50_000_000;
const OFF = POWER * 0.01;
const strong = (id: number, kingdom: number, won: number, more: Row = {}) =>
  fighter(id, kingdom, won, { power: POWER, ...more });

/** Governor 1 goes on, 5 begins, 2 and 6 stop, and 4 and 3 do nothing. Alliance AA has more power, and leads. */
const war = () =>
  warOf({
    0: [
      ...[1, 5, 6].map((id) => strong(id, 701, 0, { alliance_tag: 'AA' })),
      ...[2, 4].map((id) => strong(id, 701, 0, { alliance_tag: 'BB' })),
      strong(3, 703, 0),
    ],
    1: [
      strong(1, 701, 110_000, { alliance_tag: 'AA' }),
      strong(5, 701, 0, { alliance_tag: 'AA' }),
      strong(6, 701, 1000, { alliance_tag: 'AA' }),
      strong(2, 701, 75_000, { alliance_tag: 'BB' }),
      strong(4, 701, 0, { alliance_tag: 'BB' }),
      strong(3, 703, 0),
    ],
    2: [
      strong(1, 701, 120_000, { alliance_tag: 'AA' }),
      strong(5, 701, 2000, { alliance_tag: 'AA' }),
      strong(6, 701, 1000, { alliance_tag: 'AA' }),
      strong(2, 701, 75_000, { alliance_tag: 'BB' }),
      strong(4, 701, 0, { alliance_tag: 'BB' }),
      strong(3, 703, 0),
    ],
  });
const range = { start: START, end: at(2) };
const changesSince = async (since: number) => {
  const answer = await answerChanges(plan, war().sides, { ...range, since }, '701');
  return answer?.changes.map(({ kind, governor_id, value, before }) => [kind, governor_id, value, before]);
};

test('changes are what was gained between the two scans, and who began and stopped', async () => {
  expect(await changesSince(at(1))).toEqual([
    ['gain', null, 240_000, 20 * 186_000 - 5 * OFF],
    ['mover', 1, 200_000, 2_200_000 - OFF],
    ['mover', 5, 40_000, -OFF],
    ['began', 5, 40_000, 0],
    ['stopped', 2, 0, 1_500_000],
    ['stopped', 6, 0, 20_000],
  ]);
});

test('changes since the start are gains too', async () => {
  expect((await changesSince(START))?.slice(0, 2)).toEqual([
    ['gain', null, 20 * 198_000, -5 * OFF],
    ['mover', 1, 2_400_000, 0],
  ]);
});

test('no alliance rises between two equal scans', async () => {
  const { sides } = war();
  const still: Sides = { ...sides, side: (ts, ...more) => sides.side(Math.min(ts, at(1)), ...more) };
  const answer = await answerChanges(plan, still, { ...range, since: at(1) }, null);
  expect(answer?.counts.alliance).toBeUndefined();
});

test('a war room shows what each gained since, and counts who fights', async () => {
  const rooms: EventRoom[] = [];
  for await (const room of answerRooms(plan, war().sides, range, at(1), ['701', '703']))
    rooms.push({ ...room, governors: [...room.governors] });
  const since = rooms[0]?.governors.map((each) => [each.governor_id, each.since, each.points, each.dkp_raw]);
  expect(since?.toSorted()).toEqual([
    [1, 200_000, 2_400_000, 2_400_000 - OFF],
    [2, 0, 1_500_000, 1_500_000 - OFF],
    [4, 0, 0, -OFF],
    [5, 40_000, 40_000, 40_000 - OFF],
    [6, 0, 20_000, 20_000 - OFF],
  ]);
  expect(rooms.map(({ counts: { fighting, idle } }) => [fighting, idle])).toEqual([
    [4, 1],
    [0, 1],
  ]);
});

test('the board counts governors without any gain as idle', async () => {
  const { sides, moments } = war();
  expect((await answerBoard(plan, sides, moments, range)).people.idle).toBe(2);
});

test('the steps of a governor add up to the score before the deduction', async () => {
  const { sides, moments } = war();
  const answer = await answerGovernor(plan, sides, moments, range, 1, (parts) =>
    sides.side(parts[0]?.ts ?? 0, { core: [], more: [] }),
  );
  expect(answer?.steps.map(({ dkp }) => dkp)).toEqual([2_200_000, 200_000]);
  expect(answer?.whole?.dkp).toBe(2_400_000 - OFF);
});
