import { expect, test } from 'vitest';
import { goalsOf, goalsText, zeroedOf, zeroedText } from '../../../domain/difference/lines.ts';

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
