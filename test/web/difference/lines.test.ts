import { expect, test } from 'vitest';
import {
  campsOf,
  campsText,
  datesOf,
  datesText,
  goalsOf,
  goalsText,
  idsOf,
  momentOf,
  momentText,
  weightsOf,
  weightsText,
  zeroedOf,
  zeroedText,
} from '../../../web/components/difference/lines.ts';

test('camps are a line each, and read back as they were written', () => {
  const camps = [
    { name: 'Fire', kingdoms: ['1001', '1206-2'] },
    { name: 'East Anglia', kingdoms: ['1003'] },
  ];
  expect(campsOf('Fire: 1001,1206-2\n\n  East Anglia = 1003 ')).toEqual(camps);
  expect(campsOf(campsText(camps))).toEqual(camps);
  expect(() => campsOf('Fire: 1\nWater 2')).toThrow("Line 2: write it as 'Fire: 1001, 1002'.");
});

test('moments are in UTC', () => {
  expect(momentOf('2026-03-01T12:00')).toBe(Date.UTC(2026, 2, 1, 12));
  expect(momentOf('2026-03-01 12:00')).toBe(Date.UTC(2026, 2, 1, 12));
  expect(momentOf('1 March')).toBeNull();
  expect(momentOf('2026-13-01 12:00')).toBeNull();
  expect(momentText(Date.UTC(2026, 2, 1, 12))).toBe('2026-03-01T12:00');
  const dates = { 'Pass 4': Date.UTC(2026, 2, 1, 12), 'Pass 5': Date.UTC(2026, 2, 8) };
  expect(datesOf(datesText(dates))).toEqual(dates);
  expect(() => datesOf('Pass 4: soon')).toThrow("Line 1: 'soon' is no moment.");
});

test('weights, zeroed governors and ids', () => {
  expect(weightsOf('killcount_t4: 10\ndeads=0.5')).toEqual({ killcount_t4: 10, deads: 0.5 });
  expect(weightsOf(weightsText({ merits: 1 }))).toEqual({ merits: 1 });
  expect(() => weightsOf('deads: many')).toThrow("Line 1: 'many' is no number.");
  expect(zeroedOf('20436276: 80%\n5: 0')).toEqual({ 20436276: 80, 5: 0 });
  expect(zeroedOf(zeroedText({ 7: 50 }))).toEqual({ 7: 50 });
  expect(idsOf('1, 2;3\n4 5')).toEqual([1, 2, 3, 4, 5]);
  expect(() => idsOf('1\nx')).toThrow("Line 2: 'x' is no id.");
});

test('goals go by brackets of power, in short figures or in long ones', () => {
  const goals = [
    { min_power: 40_000_000, dkp: 2_000_000, kills: 100_000, deads: null },
    { min_power: 0, dkp: null, kills: null, deads: 1_500 },
  ];
  expect(goalsOf('40M: dkp 2M, kills 100,000\n0: deads 1.5K')).toEqual(goals);
  expect(goalsOf(goalsText(goals))).toEqual(goals);
  expect(() => goalsOf('40M: wins 3')).toThrow("Line 1: 'wins 3' is no goal.");
  expect(() => goalsOf('many: dkp 3')).toThrow("Line 1: 'many' is no figure.");
});
