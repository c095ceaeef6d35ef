import { expect, test } from 'vitest';
import { dayIn } from '../../domain/days.ts';
import { momentOf } from '../../domain/moments.ts';

test.each<[string, number | null]>([
  ['2026-03-01', Date.UTC(2026, 2, 1)],
  ['2026-03-01T12:30', Date.UTC(2026, 2, 1, 12, 30)],
  ['2026-03-01T12:30:15', Date.UTC(2026, 2, 1, 12, 30, 15)],
  ['2026-03-01T12:30:15.250Z', Date.UTC(2026, 2, 1, 12, 30, 15, 250)],
  ['2026-03-01T12:30+02:00', Date.UTC(2026, 2, 1, 10, 30)],
  ['2026-03-01T00:00-03:30', Date.UTC(2026, 2, 1, 3, 30)],
  ['2024-02-29', Date.UTC(2024, 1, 29)],
  ['2026-02-29', null],
  ['2026-02-30T12:00Z', null],
  ['2026-13-01', null],
  ['2026-03-01T24:00', null],
  ['2026-03-01T12:60', null],
  ['2026-03-01T12:00+24:00', null],
  ['2026-03-01Z', null],
  ['2026-03-01 12:00', null],
  ['26-03-01', null],
  ['05/01/2026', null],
  ['1 March 2026', null],
  ['', null],
])('%s is the moment %s', (text, moment) => {
  expect(momentOf(text)).toBe(moment);
});

test.each<[unknown, string | undefined]>([
  ['2024-02-29', '2024-02-29'],
  ['2026-02-29', undefined],
  ['2026-02-28T00:00', undefined],
  ['2026-2-28 ', undefined],
  ['28/02/2026', undefined],
  ['not a day!', undefined],
  ['2026-02', undefined],
  [20260228, undefined],
  [undefined, undefined],
])('the day in %s is %s', (value, day) => {
  expect(dayIn(value)).toBe(day);
});
