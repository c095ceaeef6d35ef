import { expect, test } from 'vitest';
import type { EventPlan } from '../../../domain/events/event.ts';
import { type Row, type Table, tableOf } from '../../../domain/scans/rows.ts';
import type { SnapshotPart } from '../../../worker/models/events/event-snapshots.ts';
import { answerData, answerGovernor, type Sides } from '../../../worker/services/events/answer-dashboard.ts';
import { makeGovernor } from '../../../worker/services/events/make-governor.ts';
import { eventWar } from '../../../worker/services/events/war.ts';
import { answerIn, at, PLAN, START, warOf } from './sides.ts';

/** Gains of figures that begin again with a season, in an event. */

const lord = (lord_id: number, merits: number, home_server = 701): Row => ({
  ...{ lord_id, home_server, merits, name: 'A', power: 5e6 },
});
const SEASONS: EventPlan = { ...PLAN, game: 'cod', weights: { merits: 1 } };
const seasonSteps = (merits: readonly number[]) =>
  makeGovernor(
    SEASONS,
    { start: START, end: at(merits.length - 1) },
    merits.map((value, hour) => ({
      ts: at(hour),
      captured_at: at(hour),
      stands_in: false,
      row: tableOf('cod', [lord(1, value)]),
    })),
    1,
    new Set(['merits']),
  );

test.each([
  ['new season', [20, 30], 50, { merits_enemy: [701] }],
  ['same season', [900, 990], 90, {}],
])('sums of enemy merits read in many batches: %s', async (_, [one, other], gained, seasons) => {
  const tables = [
    [900, 900],
    [one as number, other as number],
  ].map((enemies, hour) =>
    tableOf(
      'cod',
      enemies.map((merits_enemy, index) => ({ ...lord(index + 1, 100 + hour), merits_enemy })),
    ),
  );
  const told = async (parts: Partial<SnapshotPart>) => {
    // Only the wanted columns, as the store returns them.
    const side: Sides['side'] = async (ts, { core, more }) => {
      const table = tables[ts === START ? 0 : 1] as Table;
      const wanted = Object.entries(table.numbers).filter(([key]) => core.includes(key) || more.includes(key));
      return { ...table, numbers: Object.fromEntries(wanted) };
    };
    const lend: Sides['lend'] = async (ts, columns) => ({ table: await side(ts, columns), back: () => undefined });
    const sides = { ...warOf({ 0: [], 1: [] }, parts).sides, side, lend };
    return (await answerIn(await answerData(SEASONS, sides, { start: START, end: at(1) }))).data.diffs;
  };
  const diffs = await told({ rows: 400_000 });
  expect([diffs.kingdoms[701].merits_enemy, diffs.seasons]).toEqual([gained, seasons]);
  expect(diffs).toEqual(await told({}));
});

test('a figure that a season reset counts from 0, and an unchanged one was not reset', () => {
  const { steps } = seasonSteps([100, 100, 20, 50]);
  expect(steps.map(({ gains }) => gains.merits)).toEqual([0, 20, 30]);
});

test('a governor who has more after a season began gained what the table says', () => {
  const { steps, whole } = seasonSteps([600, 100, 1000]);
  const sides = [600, 1000].map((first) =>
    tableOf('cod', [lord(1, first), ...[2, 3, 4].map((id) => lord(id, first === 600 ? 900 : 20))]),
  ) as [Table, Table];
  const { dkp } = eventWar(SEASONS, ...sides, new Set()).scores;
  expect([whole?.dkp, whole?.gains.merits, dkp[0]]).toEqual([1000, 1000, 1000]);
  expect(steps.map((step) => step.dkp)).toEqual([100, 900]);
});

test('a governor’s season is that of their kingdom at the start', async () => {
  const moved = { 701: [1000, 1100], 703: [900, 20] };
  const tables = [0, 1].map((hour) =>
    tableOf('cod', [
      lord(1, hour === 0 ? 600 : 100, hour === 0 ? 701 : 703),
      ...[2, 3, 4].flatMap((id) => [
        lord(id, moved[701][hour] as number),
        lord(10 + id, moved[703][hour] as number, 703),
      ]),
    ]),
  ) as [Table, Table];
  const { sides, moments } = warOf({ 0: [], 1: [] });
  const side = async (ts: number) => tables[ts === START ? 0 : 1] as Table;
  const range = { start: START, end: at(1) };
  const answer = await answerGovernor(SEASONS, { ...sides, side }, moments, range, 1, async () => tables[0]);
  expect(answer?.whole).toMatchObject({ dkp: null, dkp_raw: -500, doubts: { merits: 'fell' } });
});
