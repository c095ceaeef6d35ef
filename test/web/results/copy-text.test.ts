import { expect, test } from 'vitest';
import { MAIL_LIMIT } from '../../../domain/mail.ts';
import type { Row } from '../../../domain/scans/rows.ts';
import { DISCORD_LIMIT, discordText, sheetText } from '../../../web/components/results/copy-text.ts';
import { mailText } from '../../../web/components/results/mail-text.ts';
import { passing } from '../../../web/components/results/results.ts';
import { countText, foundText } from '../../../web/components/results/rows-text.ts';
import { listed, many, read, resultsOf } from './rows.ts';

const of = (rows: Row[]) => {
  const results = resultsOf(...rows);
  return { results, order: results.index.ordered(passing(results, {}), results.values('power'), false) };
};

const sheet = (rows: Row[], ids: readonly string[]): string => {
  const { results, order } = of(rows);
  return sheetText(
    results,
    order,
    results.columns.filter(({ id }) => ids.includes(id)),
  );
};

const discord = (rows: Row[], combined = false) => {
  const { results, order } = of(rows);
  return discordText(results, order, { heading: 'Kingdom 1012', figures: ['power', 'score'], combined });
};

test('spreadsheet rows contain exact figures, and empty cells for unknown ones', () => {
  expect(sheet([{ ...read, power: 98_765_432 }, listed], ['name', 'power', 'score']).split('\n')).toEqual([
    'Name\tPower\tKillpoints',
    'Ælfgifu\t98765432\t156',
    'Brand\t100\t',
  ]);
});

test('a name can neither run as a formula nor break its cell or line', () => {
  const text = sheet([{ ...read, name: '=HYPERLINK("http://x")\t\nb' }], ['name', 'power']);
  expect(text.split('\n')).toHaveLength(2);
  expect(text.split('\n')[1]).toBe(`'=HYPERLINK("http://x")  b\t90`);
});

test('Discord rows are aligned in a code block', () => {
  const { text, rows } = discord([
    { ...read, power: 98_765_432 },
    { ...listed, name: '猫', power: 120_000_000 },
  ]);
  expect(text.split('\n')).toEqual([
    '**Kingdom 1012**',
    '```',
    '#  Name           Power  Killpoints',
    '1  猫              120M           ?',
    '2  [ABC] Ælfgifu  98.8M         156',
    '```',
  ]);
  expect(rows).toBe(2);
});

test('Discord rows cut a tag and name of more than 20 characters', () => {
  const name = (length: number) => 'ABCDEFGHIJKLMNOPQRST'.slice(0, length);
  const { text } = discord([
    { ...listed, name: name(20), power: 3 },
    { ...read, name: name(14), power: 2 },
    { ...read, name: name(15), power: 1 },
  ]);
  const shown = text.split('\n').slice(3, 6);
  expect(shown.map((line) => line.slice(3, 23))).toEqual([name(20), `[ABC] ${name(14)}`, `[ABC] ${name(13)}…`]);
});

test('no name ends the code block, and a message never exceeds the limit', () => {
  const { text } = discord([{ ...read, name: '```@everyone`' }]);
  expect(text.split('```')).toHaveLength(3);
  const long = discord(many(5000), true);
  expect(long.text.length).toBeLessThanOrEqual(DISCORD_LIMIT);
  expect(long.text.length).toBeGreaterThan(DISCORD_LIMIT - 80);
  expect(long.text).toContain(`… and ${5000 - long.rows} more`);
});

test('a history is counted in governors and days, a scan in governors', () => {
  const day = (governor_id: number, date: string): Row => ({ ...read, governor_id, day: date });
  const history = resultsOf(day(1, '2030-01-01'), day(1, '2030-01-02'), day(2, '2030-01-02'));
  expect(countText(history.rows)).toBe('2 governors, 2 days');
  expect(foundText(history, Uint32Array.of(0, 1))).toBe('1 governor, 2 days of 2 governors, 2 days');
  expect(foundText(history, Uint32Array.of())).toBe('none of 2 governors, 2 days');
  const scan = resultsOf(read, listed);
  expect([foundText(scan, Uint32Array.of(0, 1)), foundText(scan, Uint32Array.of(1))]).toEqual([
    '2 governors',
    '1 of 2 governors',
  ]);
});

const mail = (rows: Row[], sort = 'power', combined = false) => {
  const results = resultsOf(...rows);
  const order = results.index.ordered(passing(results, {}), results.values(sort), false);
  return mailText(results, order, { heading: 'Kingdom 1012', figures: ['power', 'score', sort], combined });
};

test('lists rank, name and figures on a line each, with names unchanged', () => {
  const { text, rows } = mail([
    { ...read, power: 98_765_432, killpoints: 1_234_567_890 },
    { ...listed, name: '<b>ᶜᴬᵀ 猫</b>', power: 120_000_000 },
  ]);
  expect(text).toBe(
    ['Kingdom 1012', 'Name · Power · Killpoints', '1. <b>ᶜᴬᵀ 猫</b> 120M · ?', '2. [ABC] Ælfgifu 98.8M · 1.23B'].join(
      '\n',
    ),
  );
  expect(rows).toBe(2);
});

test('adds the sort column, the kingdom of combined results, and marks unverified figures', () => {
  const { text } = mail([{ ...read, quality: 'identity_broken', doubted: 'score tiers' }], 't5', true);
  expect(text.split('\n').slice(1)).toEqual([
    'Name · Power · Killpoints · T5',
    '1. #1012 [ABC] Ælfgifu 90 · 156? · 5?',
  ]);
});

test('marks an unknown kingdom of combined results', () => {
  const { text } = mail([{ ...read, home_kingdom: null }], 'power', true);
  expect(text.split('\n').at(-1)).toMatch(/^1\. #\? \[ABC\]/);
});

test('fits in one mail and counts dropped rows', () => {
  const { text, rows } = mail(many(5000));
  expect(text.length).toBeLessThanOrEqual(MAIL_LIMIT);
  expect(text.length).toBeGreaterThan(MAIL_LIMIT - 60);
  expect(text.split('\n')).toHaveLength(rows + 3);
  expect(text.split('\n').at(-1)).toBe(`… and ${5000 - rows} more`);
});

test('needs no room for the note after the last row', () => {
  const widest = mail(many(5000)).rows;
  for (let count = widest - 2; count <= widest + 2; count++) {
    const { text, rows } = mail(many(5000).slice(-count));
    expect(text.length).toBeLessThanOrEqual(MAIL_LIMIT);
    expect(text.includes('more')).toBe(rows < count);
  }
});

test('can use exactly the maximum length', () => {
  const rows = (name: string): Row[] => [
    { ...read, alliance_tag: null, name, power: 5, killpoints: null, doubted: null, quality: null },
  ];
  const room = MAIL_LIMIT - mail(rows('x')).text.length + 1;
  const full = mail(rows('x'.repeat(room)));
  expect([full.rows, full.text.length]).toEqual([1, MAIL_LIMIT]);
  expect(mail(rows('x'.repeat(room + 1))).rows).toBe(0);
  const note = '\n… and 1 more'.length;
  const two = (name: string) => mail([...rows(name), { ...read, name: 'y'.repeat(MAIL_LIMIT), power: 1 }]);
  expect(two('x'.repeat(room - note)).rows).toBe(1);
  expect(two('x'.repeat(room - note + 1)).rows).toBe(0);
});

test('a name can neither break its line nor reverse the others', () => {
  const { text } = mail([{ ...read, name: 'a\nb\u202ec\u2028d' }]);
  expect(text.split('\n')).toHaveLength(3);
  expect(text).toContain('a b c d');
});
