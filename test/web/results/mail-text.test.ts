import { expect, test } from 'vitest';
import { MAIL_LIMIT } from '../../../domain/mail.ts';
import type { Row } from '../../../domain/scans/rows.ts';
import { mailText } from '../../../web/components/results/mail-text.ts';
import { passing } from '../../../web/components/results/results.ts';
import { listed, many, read, resultsOf } from './rows.ts';

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
