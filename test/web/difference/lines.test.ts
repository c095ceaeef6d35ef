import { expect, test } from 'vitest';
import {
  campsOf,
  campsText,
  datesOf,
  datesText,
  idsOf,
  weightsOf,
  weightsText,
} from '../../../web/components/difference/lines.ts';
import { parseTime, timeText } from '../../../web/form-times.ts';

test('camps are parsed from lines and written back unchanged', () => {
  const camps = [
    { name: 'Fire', kingdoms: ['1001', '1206-2'] },
    { name: 'East Anglia', kingdoms: ['1003'] },
  ];
  expect(campsOf('Fire: 1001,1206-2\n\n  East Anglia = 1003 ')).toEqual(camps);
  expect(campsOf(campsText(camps))).toEqual(camps);
  expect(() => campsOf('Fire: 1\nWater 2')).toThrow("Line 2: write it as 'Fire: 1001, 1002'.");
});

test('key dates are in UTC', () => {
  expect(parseTime('2026-03-01T12:00')).toBe(Date.UTC(2026, 2, 1, 12));
  expect(parseTime('2026-03-01 12:00')).toBe(Date.UTC(2026, 2, 1, 12));
  expect(parseTime('1 March')).toBeNull();
  expect(parseTime('2026-13-01 12:00')).toBeNull();
  expect(parseTime('2026-02-30 12:00')).toBeNull();
  expect(parseTime('2026-03-01')).toBeNull();
  expect(parseTime('20262-03-01T12:00')).toBeNull();
  expect(timeText(Date.UTC(2026, 2, 1, 12))).toBe('2026-03-01T12:00');
  const dates = { 'Pass 4': Date.UTC(2026, 2, 1, 12), 'Pass 5': Date.UTC(2026, 2, 8) };
  expect(datesOf(datesText(dates))).toEqual(dates);
  expect(() => datesOf('Pass 4: soon')).toThrow("Line 1: 'soon' is not a date and time.");
});

test('a name in two lines is refused, because only one could count', () => {
  expect(() => weightsOf('deads: 1\ndeads: 2')).toThrow("Line 2: 'deads' appears twice.");
  expect(() => datesOf('Pass 4: 2026-03-01 12:00\nPass 4: 2026-03-02 12:00')).toThrow(
    "Line 2: 'Pass 4' appears twice.",
  );
  expect(weightsOf('constructor: 1')).toEqual({ constructor: 1 });
});

test('parses weights and ids', () => {
  expect(weightsOf('killcount_t4: 10\ndeads=0.5')).toEqual({ killcount_t4: 10, deads: 0.5 });
  expect(weightsOf(weightsText({ merits: 1 }))).toEqual({ merits: 1 });
  expect(() => weightsOf('deads: many')).toThrow("Line 1: 'many' is not a number.");
  expect(idsOf('1, 2;3\n4 5')).toEqual([1, 2, 3, 4, 5]);
  expect(() => idsOf('1\nx')).toThrow("Line 2: 'x' is not an id.");
});
