import { describe, expect, test } from 'vitest';
import { kingdomIn, momentIn, momentOfNumber, momentsIn } from '../../scan-files/file-name.ts';

const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString().slice(0, 19));

describe('file names', () => {
  test.each([
    ['kingdom_4001_2025-12-17T2021Z.xlsx', '2025-12-17T20:21:00', 4001],
    ['1599_2024-11-20.csv', '2024-11-20T00:00:00', 1599],
    ['TOP300-2026-06-15-4002-abc.xlsx', '2026-06-15T00:00:00', 4002],
    ['TOP300-2026-06-15-[x7Y].csv', '2026-06-15T00:00:00', null],
    ['2025-12-05T0001Z_start.csv', '2025-12-05T00:01:00', null],
    ['BR-2025-06-28.csv', '2025-06-28T00:00:00', null],
    ['Server 99 2025-06-28 18-30-05.csv', '2025-06-28T18:30:05', 99],
    ['20250628_120.csv', '2025-06-28T00:00:00', 120],
    ['scan.csv', null, null],
    ['300_kingdom_4003.csv', null, 4003],
    ['300 server-99.csv', null, 99],
    ['kingdom_123456.csv', null, null],
    ['2025-02-31.csv', null, null],
    // RokTracker names the kingdom behind the day, and 12:15 would be a time.
    ['TOP300-2026-06-15-1215-[x7Y].xlsx', '2026-06-15T00:00:00', 1215],
    ['1599_2026-06-15_1215.csv', '2026-06-15T12:15:00', 1599],
    ['K1599 2026-01-05.csv', '2026-01-05T00:00:00', 1599],
    ['1599_2026-01-05_08-21-PM.csv', '2026-01-05T20:21:00', 1599],
    ['1599-2026-01-05T20_21_00+0800.csv', '2026-01-05T12:21:00', 1599],
    ['2026_2026-01-05.csv', '2026-01-05T00:00:00', 2026],
    ['1599 300.csv', null, 1599],
    ['1000 300.csv', null, 1000],
    ['1599 1600.csv', null, null],
    // Days whose order is not known, copies, and what else is counted.
    ['scan_28-07-2026.csv', '2026-07-28T00:00:00', null],
    ['scan_08-07-2026.csv', null, null],
    ['scan 5.1.26.csv', null, null],
    ['2026-7-5.csv', null, null],
    ['Jan 5, 2026.csv', null, null],
    ['5th July 2026.csv', null, null],
    ['season 2026.csv', null, null],
    ['scan 2026.csv', null, null],
    ['scan 2018.csv', null, null],
    ['scan 2035.csv', null, null],
    ['scan 2017.csv', null, 2017],
    ['scan 2036.csv', null, 2036],
    ['results (12).csv', null, null],
    ['pass 14 day 12.csv', null, null],
    ['kvk_u99_1234.csv', null, null],
    ['1599_Jan 5 2026.csv', null, 1599],
    ['K1599 & K1600 2026-01-05.csv', '2026-01-05T00:00:00', null],
    ['kingdom 1599 KD1599 300.csv', null, 1599],
    ['2026-01-05_08-21_PM_K1599.csv', '2026-01-05T20:21:00', 1599],
    ['2026-01-05_0821_amber_1599.csv', '2026-01-05T08:21:00', 1599],
    ['2026-06-15T1230-1234.csv', '2026-06-15T12:30:00', 1234],
    // Other things that people number.
    ...[
      '55 p7 test',
      'DKP 40',
      '400 rows',
      'players 1000',
      '1000_governors',
      'top 1000 players',
      'kills 2500',
      'DKP 4000',
      '5000 rows',
      'p 1500',
      'rows 4000',
      '1500 min',
    ].map((name): [string, null, null] => [`${name}.csv`, null, null]),
    ['scan 40.csv', null, 40],
    ['amber 42.csv', null, null],
    ['1599 DKP 40.csv', null, 1599],
    // Time since 1970 in seconds, milliseconds and microseconds.
    ['scan-1767614400.csv', '2026-01-05T12:00:00', null],
    ['1599_1767614400123.csv', '2026-01-05T12:00:00', 1599],
    ['1767614400123456.csv', '2026-01-05T12:00:00', null],
    ['scan-1234567890.csv', null, null],
  ])('%s: %s, kingdom %s', (name, moment, kingdom) => {
    expect([iso(momentIn(name)), kingdomIn(name)]).toEqual([moment, kingdom]);
  });
});

test('all valid days in a name are found', () => {
  const days = (text: string) => momentsIn(text).map((at) => iso(at)?.slice(0, 10));
  expect(days('1_2026-01-02_2026-01-05.csv')).toEqual(['2026-01-02', '2026-01-05']);
  expect(days('2026-02-31 to 20260301')).toEqual(['2026-03-01']);
  expect(days('none')).toEqual([]);
  expect(iso(momentIn('2026-01-02'))).toBe('2026-01-02T00:00:00');
  expect(iso(momentIn('2026-01-02 07:08'))).toBe('2026-01-02T07:08:00');
});

test.each([
  ['2026-01-05T10:00:00+08:00', '2026-01-05T02:00:00'],
  ['2026-01-05 10:00:00.123 +05:30', '2026-01-05T04:30:00'],
  ['2026-01-05 10:00 UTC-3', '2026-01-05T13:00:00'],
  ['2026-01-05 10:00-05:00', '2026-01-05T15:00:00'],
  ['2026-01-05 10:00 UTC', '2026-01-05T10:00:00'],
  ['2026-01-05T10:00Z', '2026-01-05T10:00:00'],
  ['2026-01-05 8:21 PM', '2026-01-05T20:21:00'],
  ['2026-01-05 12:05 a.m.', '2026-01-05T00:05:00'],
  ['2026-01-05 12:05 pm', '2026-01-05T12:05:00'],
  ['2026-01-05 10:00:00 -0330', '2026-01-05T13:30:00'],
  ['2026-01-05 10:00+1400', '2026-01-04T20:00:00'],
  ['2026-01-05 10:00+14:30', null],
  ['2026-01-05 10:00 UTC+99', null],
  ['2026-01-05 10:00 EST', null],
  ['2026-01-05 10:00 cet', null],
  ['2026-01-05 10:00 estimated', '2026-01-05T10:00:00'],
  ['2026-01-05 20:21 AM', '2026-01-05T20:21:00'],
  ['28Jul26-12h05m', '2026-07-28T12:05:00'],
  ['28Jul26-24h05m', null],
  ['28Jul26-12h60m', null],
  ['05/01/2026', null],
  ['19.01.2025 18:30', '2025-01-19T18:30:00'],
  ['1/19/2025 8:21 PM +02:00', '2025-01-19T18:21:00'],
  ['01192025', '2025-01-19T00:00:00'],
  ['19012025', '2025-01-19T00:00:00'],
  ['01122025', null],
  ['05.05.2025', '2025-05-05T00:00:00'],
  ['1192025', null],
  ['31.02.2025', null],
  ['19.13.2025', null],
  ['31Feb26-12h00m', null],
])('the moment %s is %s', (text, moment) => {
  expect(iso(momentIn(text))).toBe(moment);
});

test.each([
  [46027.5, false, '2026-01-05T12:00:00'],
  [46027.847222222, false, '2026-01-05T20:20:00'],
  [44565.5, true, '2026-01-05T12:00:00'],
  [1767614400, false, '2026-01-05T12:00:00'],
  [1767614400123, false, '2026-01-05T12:00:00'],
  [300, false, null],
  [1e8, false, null],
  [35_000, false, null],
  [35_001, false, '1995-10-29T00:00:00'],
  [79_999, false, '2119-01-10T00:00:00'],
  [80_000, false, null],
  [1.5e9, false, null],
  [1.5e9 + 1, false, '2017-07-14T02:40:01'],
  [4.2e9, false, null],
  [1.5e12, false, null],
  [1.5e12 + 1000, false, '2017-07-14T02:40:01'],
  [4.2e12, false, null],
])('the number %d, with the 1904 system %s, is %s', (count, from1904, moment) => {
  expect(iso(momentOfNumber(count, from1904))).toBe(moment);
});
