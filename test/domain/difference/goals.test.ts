import { expect, test } from 'vitest';
import { bracketsOf } from '../../../domain/difference/brackets.ts';
import { FELL, NO_DOUBT } from '../../../domain/difference/doubts.ts';
import { goalsReached, targetsOf } from '../../../domain/difference/goals.ts';
import { goalsOf, goalsText, zeroedOf, zeroedText } from '../../../domain/difference/lines.ts';

/** The share of each set goal that governors reached. */

const goal = (min_power: number, more: Partial<Record<'dkp' | 'kills' | 'deads', number>>) => ({
  min_power,
  dkp: null,
  kills: null,
  deads: null,
  ...more,
});
const GOALS = [goal(0, { kills: 100 }), goal(50, { kills: 400, deads: 10 })];

const GAINS: Record<string, { raw: number[]; doubts: number[] }> = {
  killcount_t4: { raw: [50, 100, 100, 100], doubts: [NO_DOUBT, NO_DOUBT, FELL, NO_DOUBT] },
  killcount_t5: { raw: [50, 100, 500, Number.NaN], doubts: [NO_DOUBT, NO_DOUBT, NO_DOUBT, NO_DOUBT] },
  deads: { raw: [5, 5, 20, 20], doubts: [NO_DOUBT, NO_DOUBT, NO_DOUBT, NO_DOUBT] },
};
const judged = (exempt: number[] = []) => ({
  game: 'rok' as const,
  powers: Float64Array.of(10, 60, 60, 60),
  dkp: Float64Array.of(1, 1, 1, 1),
  gains: (key: string) => {
    const gains = GAINS[key];
    return gains ? { raw: Float64Array.from(gains.raw), doubts: Uint8Array.from(gains.doubts) } : null;
  },
  isExempt: (row: number) => exempt.includes(row),
});

test('only targets of at least one goal are judged', () => {
  expect(targetsOf(GOALS)).toEqual(['kills', 'deads']);
  expect(targetsOf([])).toEqual([]);
});

test('each target is judged by the bracket of the power, without doubted and unknown gains', () => {
  expect([...goalsReached(GOALS, 'kills', judged())]).toEqual([100, 50, Number.NaN, Number.NaN]);
  // Nobody below 50 has a goal of deads.
  expect([...goalsReached(GOALS, 'deads', judged())]).toEqual([Number.NaN, 50, 200, 200]);
  expect([...goalsReached(GOALS, 'dkp', judged())]).toEqual([Number.NaN, Number.NaN, Number.NaN, Number.NaN]);
});

test('exempt governors have no goals', () => {
  expect([...goalsReached(GOALS, 'deads', judged([1]))]).toEqual([Number.NaN, Number.NaN, 200, 200]);
});

test('a bracket counts governors who reached all of its targets, without exempt ones and unknown figures', () => {
  const low = { governors: 1, passed: 1, unknown: 0 };
  expect(bracketsOf(GOALS, judged())).toEqual([low, { governors: 3, passed: 0, unknown: 2 }]);
  expect(bracketsOf(GOALS, judged([2]))).toEqual([low, { governors: 2, passed: 0, unknown: 1 }]);
  // Both targets must be met. A target of 0 is always met.
  const kills = [goal(50, { kills: 200 })];
  expect(bracketsOf(kills, judged([2, 3]))).toEqual([{ governors: 1, passed: 1, unknown: 0 }]);
  expect(bracketsOf([goal(50, { kills: 200, deads: 6 })], judged([2, 3]))[0]?.passed).toBe(0);
  expect(bracketsOf([goal(50, { kills: 0 })], judged())).toEqual([{ governors: 3, passed: 3, unknown: 0 }]);
  expect(bracketsOf([goal(1000, { kills: 1 })], judged())).toEqual([{ governors: 0, passed: 0, unknown: 0 }]);
});

test('goals have brackets of power, written in short or full figures', () => {
  const goals = [
    { min_power: 40_000_000, dkp: 2_000_000, kills: 100_000, deads: null },
    { min_power: 0, dkp: null, kills: null, deads: 1_500 },
  ];
  expect(goalsOf('40M: dkp 2M, kills 100,000\n0: deads 1.5K')).toEqual(goals);
  expect(goalsOf(goalsText(goals))).toEqual(goals);
  expect(() => goalsOf('40M: wins 3')).toThrow("Line 1: 'wins 3' is not a goal.");
  expect(() => goalsOf('many: dkp 3')).toThrow("Line 1: 'many' is not a figure.");
});

test('zeroed governors have a line each, with one of the usual percentages', () => {
  expect(zeroedOf('20436276: 80%\n5: 0')).toEqual({ 20436276: 80, 5: 0 });
  expect(zeroedOf(zeroedText({ 7: 50 }))).toEqual({ 7: 50 });
  expect(() => zeroedOf('7: 50\n8: 75')).toThrow("Line 2: '75' must be one of 0, 50, 70, 80, 90, 100 percent.");
  expect(() => zeroedOf('7: half')).toThrow("Line 1: 'half' must be one of");
  expect(() => zeroedOf('7: 50; 8: 50; 7: 80')).toThrow("Line 3: '7' appears twice.");
  expect(() => goalsOf('40M: dkp 1\n40,000,000: dkp 2')).toThrow("Line 2: '40000000' appears twice.");
  expect(() => zeroedOf('Moss: 50')).toThrow("Line 1: 'Moss' is not an id.");
});

test('a URL separates lines by semicolons', () => {
  expect(zeroedOf('7: 50; 8: 100')).toEqual({ 7: 50, 8: 100 });
  expect(goalsOf('0: dkp 5;40M: dkp 2M').map(({ min_power }) => min_power)).toEqual([0, 40_000_000]);
});
