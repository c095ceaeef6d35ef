import { expect, test } from 'vitest';
import { daysLeft, standingCost } from '../../web/components/standing-costs.ts';
import { lookedUp, outlookLines, storedLines } from '../../web/routes/_signed-in/orders/-outlook.ts';

const DAY = Date.UTC(2030, 0, 2);
const kingdom = (kingdom_id: number, outlook: 'known' | 'new' | 'missing', more = {}) => ({
  kingdom_id,
  outlook,
  scanned_at: outlook === 'known' ? DAY : null,
  missed_at: outlook === 'missing' ? DAY : null,
  stored: null,
  ...more,
});

test('valid numbers are looked up once each, up to the limit', () => {
  expect(lookedUp('1001, 1002,1001, x, 0, 100000', 'scan')).toBe('1001,1002');
  expect(lookedUp('', 'scan')).toBe('');
  expect(lookedUp('99999, 1', 'scan')).toBe('99999,1');
  const many = Array.from({ length: 600 }, (_, index) => index + 1).join(',');
  expect(lookedUp(many, 'scan').split(',')).toHaveLength(500);
  expect(lookedUp(many, 'history').split(',')).toHaveLength(25);
});

test('notes list problems first, then delays, then known kingdoms', () => {
  const lines = outlookLines('cod', [kingdom(1, 'known'), kingdom(2, 'new'), kingdom(3, 'missing'), kingdom(4, 'new')]);
  expect(lines).toEqual([
    {
      outlook: 'missing',
      text: 'Our bots recently found nobody in: 3 (2 Jan 2030). Check the number. If they find nobody again, the price is returned.',
    },
    { outlook: 'new', text: 'New to us: 2, 4. Bots may need a few hours to get into a new server.' },
    { outlook: 'known', text: 'Known: 1. Last scanned 2 Jan 2030.' },
  ]);
  expect(outlookLines('rok', [])).toEqual([]);
});

test('the latest scan of several known kingdoms is shown', () => {
  const scanned = (kingdom_id: number, scanned_at: number | null) => kingdom(kingdom_id, 'known', { scanned_at });
  const day = 86_400_000;
  expect(outlookLines('rok', [scanned(1, DAY - day), scanned(2, DAY), scanned(3, null)])).toEqual([
    { outlook: 'known', text: 'Known: 1, 2, 3. Last scanned 2 Jan 2030.' },
  ]);
});

test('a history tells what is stored and what is returned of its price', () => {
  const history = (governors: number, days: number) => [kingdom(2001, 'known', { stored: { governors, days } })];
  const wanted = (governors: number) => ({ governors, price: 200, chunk: 100 });
  expect(storedLines('rok', history(150, 31), wanted(500))).toEqual([
    'Kingdom 2001: 150 governors stored over 31 days of scans. $6.00 of $10.00 for 500 is returned at once.',
  ]);
  expect(storedLines('rok', history(150, 1), wanted(200))).toEqual([
    'Kingdom 2001: 150 governors stored over 1 day of scans.',
  ]);
  expect(storedLines('rok', history(0, 0), wanted(200))).toEqual([
    'Kingdom 2001: nothing is stored, so $4.00 would be returned.',
  ]);
  expect(storedLines('rok', history(0, 3), wanted(200))).toEqual([
    'Kingdom 2001: nothing is stored, so $4.00 would be returned.',
  ]);
  const none = [kingdom(2001, 'known')];
  expect(storedLines('cod', none, wanted(100))).toEqual([
    'Server 2001: nothing is stored, so $2.00 would be returned.',
  ]);
  expect(storedLines('rok', history(1, 2), wanted(100))).toEqual([
    'Kingdom 2001: 1 governor stored over 2 days of scans.',
  ]);
  // More governors than ordered change nothing.
  expect(storedLines('rok', history(900, 2), wanted(100))).toEqual([
    'Kingdom 2001: 900 governors stored over 2 days of scans.',
  ]);
  expect(storedLines('rok', history(100, 2), wanted(101))).toEqual([
    'Kingdom 2001: 100 governors stored over 2 days of scans. $2.00 of $4.00 for 101 is returned at once.',
  ]);
});

const daily = { state: 'active' as const, period: 'day' as const, interval: 1, total: 1 };

test('only active repeating schedules have a monthly cost', () => {
  expect(standingCost([daily])).toBe(3042);
  expect(standingCost([daily, { ...daily, interval: 2 }])).toBe(3042 + 1521);
  expect(
    standingCost([
      { ...daily, state: 'paused' },
      { ...daily, state: 'ended' },
      { ...daily, period: 'none' },
    ]),
  ).toBe(0);
  expect(standingCost([{ ...daily, total: null }])).toBe(0);
});

test('days are rounded down, and null if nothing repeats', () => {
  expect(daysLeft(10_000, 3042)).toBe(99);
  expect(daysLeft(0, 3042)).toBe(0);
  expect(daysLeft(10_000, 0)).toBeNull();
});
