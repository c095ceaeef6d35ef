import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { newKey } from '../../domain/accounts/account.ts';
import { adjustment } from '../../domain/accounts/admin-contract.ts';
import { notificationSettings } from '../../domain/accounts/notification.ts';
import { WEBHOOKS } from '../../domain/accounts/webhooks.ts';
import { rankingQuery, rowDaysQuery } from '../../domain/boards/contract.ts';
import { compareSettings } from '../../domain/compare/contract.ts';
import { inUnit } from '../../domain/figures.ts';
import {
  importChoice,
  importQuery,
  MAX_MAPPED_HEADERS,
  scanLabels,
  scansQuery,
} from '../../domain/library/contract.ts';
import { checkout, lowBalance } from '../../domain/money/payment-contract.ts';
import { PRODUCTS } from '../../domain/orders/catalogue.ts';
import { downloadQuery, orderIds } from '../../domain/orders/contract.ts';
import { MAX_LOOKED_UP } from '../../domain/orders/outlook.ts';
import { outlookQuery } from '../../domain/orders/outlook-contract.ts';
import { addCounts, countQualities, type Quality } from '../../domain/scans/quality.ts';
import { FAQ, priceLine } from '../../domain/service/faq.ts';
import { speak } from '../support/speak.ts';

/** How calls and texts are parsed, beyond the bounds of single fields (limits.txt lists those). */

/** Returns the first flaw as 'path: sentence', or the parsed value. */
function read(schema: z.ZodType, value: unknown): unknown {
  const { data, error } = schema.safeParse(value);
  const [issue] = error?.issues ?? [];
  return issue ? `${issue.path.join('.')}: ${issue.message}` : data;
}

describe('a webhook', () => {
  const ID = '12345';
  const TOKEN = 'a'.repeat(20);
  it.each<[string, string | null]>([
    [`https://discord.com/api/webhooks/${ID}/${TOKEN}`, `${ID}/${TOKEN}`],
    [
      `https://discordapp.com/api/webhooks/${'1'.repeat(25)}/${'a-_Z'.repeat(30)}`,
      `${'1'.repeat(25)}/${'a-_Z'.repeat(30)}`,
    ],
    [`http://discord.com/api/webhooks/${ID}/${TOKEN}`, null],
    [`https://discord.com.evil.test/api/webhooks/${ID}/${TOKEN}`, null],
    [`https://discord.com:8443/api/webhooks/${ID}/${TOKEN}`, null],
    [`https://me@discord.com/api/webhooks/${ID}/${TOKEN}`, null],
    [`https://:pw@discord.com/api/webhooks/${ID}/${TOKEN}`, null],
    [`https://discord.com/api/webhooks/${ID}/${TOKEN}?wait=true`, null],
    [`https://discord.com/api/webhooks/${ID}/${TOKEN}#x`, null],
    [`https://discord.com/api/webhooks/${ID}/${TOKEN}/slack`, null],
    [`https://discord.com/x/api/webhooks/${ID}/${TOKEN}`, null],
    [`https://discord.com/api/webhooks/1234/${TOKEN}`, null],
    [`https://discord.com/api/webhooks/${'1'.repeat(26)}/${TOKEN}`, null],
    [`https://discord.com/api/webhooks/${ID}/${'a'.repeat(19)}`, null],
    [`https://discord.com/api/webhooks/${ID}/${'a'.repeat(121)}`, null],
    ['discord.com', null],
    ['', null],
  ])('%s is %s', (text, webhook) => {
    expect(WEBHOOKS.discord.read(text)).toBe(webhook);
  });

  it('is shown by the end of its id, without its secret', () => {
    expect(WEBHOOKS.discord.hint(`1234567/${TOKEN}`)).toBe('discord.com/api/webhooks/…4567/…');
  });

  it('is kept if absent, removed if empty, and refused if it is not a webhook’s address', () => {
    expect(read(notificationSettings, {})).toEqual({});
    expect(read(notificationSettings, { discord_url: '  ' })).toEqual({ discord_url: '' });
    const address = `https://discord.com/api/webhooks/${ID}/${TOKEN}`;
    expect(read(notificationSettings, { discord_url: ` ${address} ` })).toEqual({ discord_url: address });
    expect(read(notificationSettings, { discord_url: 'https://evil.test' })).toMatch(
      /^discord_url: must be the address of a Discord webhook/,
    );
  });
});

describe('money', () => {
  it('is sent in dollars and read as cents', () => {
    expect(read(checkout, { amount: 12.34 })).toEqual({ amount: 1234 });
    expect(read(checkout, { amount: 5, currency: 'usd', back: 'order' })).toEqual({
      amount: 500,
      currency: 'usd',
      back: 'order',
    });
    expect(read(checkout, { amount: 4.99 })).toBe('amount: the smallest top-up is 5.00 USD.');
    expect(read(checkout, { amount: 1000.01 })).toBe('amount: the largest top-up is 1,000.00 USD.');
    expect(read(checkout, { amount: 5.001 })).toBe('amount: must be dollars and whole cents, such as 12.50.');
    expect(read(checkout, { amount: '5' })).toBe('amount: must be a number of dollars, such as 25 or 12.50.');
    expect(read(checkout, { amount: 5, currency: 'eur' })).toBe('currency: balances are kept in usd only.');
    expect(read(checkout, { amount: 5, back: '/x' })).toBe('back: must be order.');
  });

  it('has a warning threshold from one cent to ten thousand dollars, or none', () => {
    expect(read(lowBalance, { threshold: null })).toEqual({ threshold: null });
    expect(read(lowBalance, { threshold: 0.01 })).toEqual({ threshold: 1 });
    expect(read(lowBalance, { threshold: 10_000 })).toEqual({ threshold: 1_000_000 });
    expect(read(lowBalance, { threshold: 0 })).toBe('threshold: must be above zero.');
    expect(read(lowBalance, { threshold: 10_000.01 })).toBe('threshold: must be 10,000.00 or less.');
    expect(read(lowBalance, { threshold: 1.005 })).toBe('threshold: must be dollars and whole cents, such as 12.50.');
  });

  it('is adjusted up or down by at most ten thousand dollars, with a reason', () => {
    const said = (amount: number, reason = 'a good reason') =>
      read(adjustment, { username: ' ash ', amount, reason: ` ${reason} ` });
    expect(said(0.01)).toEqual({ username: 'ash', amount: 1, reason: 'a good reason' });
    expect(said(-10_000)).toMatchObject({ amount: -1_000_000 });
    expect(said(10_000)).toMatchObject({ amount: 1_000_000 });
    for (const amount of [10_000.01, -10_000.01]) expect(said(amount)).toBe('amount: must be 10,000.00 at most.');
    for (const amount of [0, 0.001, 1.005]) expect(said(amount)).toBe('amount: must be whole cents and not zero.');
    expect(said(1, 'why?')).toBe('reason: say why, in 5 characters or more.');
    expect(said(1, 'whyno')).toMatchObject({ reason: 'whyno' });
  });
});

describe('an own file', () => {
  const asked = (about: object = {}) => read(importQuery, { name: 'a.csv', ...about });
  const LAST = Date.UTC(2100, 0, 1);

  it('takes its time as milliseconds or as a date and time', () => {
    const moment = '2026-03-01T12:00:00Z';
    for (const written of [moment, String(Date.parse(moment)), Date.parse(moment)])
      expect(asked({ captured_at: written })).toEqual({ name: 'a.csv', captured_at: Date.parse(moment) });
    expect(asked({ captured_at: '', kingdom: '' })).toEqual({ name: 'a.csv' });
    expect(asked({ captured_at: 0 })).toMatchObject({ captured_at: 0 });
    expect(asked({ captured_at: String(LAST) })).toMatchObject({ captured_at: LAST });
    for (const odd of [LAST + 1, -1, 'yesterday', '1'.repeat(16), Number.NaN])
      expect(asked({ captured_at: odd })).toMatch(/^captured_at: /);
  });

  it('takes a kingdom from 1 to 99,999', () => {
    expect(asked({ kingdom: '1' })).toMatchObject({ kingdom: 1 });
    expect(asked({ kingdom: '99999' })).toMatchObject({ kingdom: 99_999 });
    expect(asked({ kingdom: '0' })).toBe('kingdom: must be 1 or more');
    expect(asked({ kingdom: '100000' })).toBe('kingdom: must be 99,999 at most');
    expect(asked({ kingdom: '1.5' })).toBe('kingdom: must be a whole number');
  });

  it('takes a column for each of at most a thousand headers', () => {
    const mapping = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`h${index}`, null]));
    expect(read(importChoice, { mapping: mapping(MAX_MAPPED_HEADERS) })).toMatchObject({ mapping: { h999: null } });
    expect(read(importChoice, { mapping: mapping(MAX_MAPPED_HEADERS + 1) })).toBe(
      'mapping: must have 1,000 entries at most',
    );
    expect(read(importChoice, { captured_at: { 'Pass 4': '5' }, kingdom: null })).toEqual({
      captured_at: { 'Pass 4': 5 },
      kingdom: null,
    });
  });

  it('has at most a dozen different tags', () => {
    expect(read(scanLabels, { tags: [' a ', 'a', 'b'] })).toEqual({ tags: ['a', 'b'] });
    const tags = Array.from({ length: 13 }, (_, index) => `t${index}`);
    expect(read(scanLabels, { tags: tags.slice(1) })).toEqual({ tags: tags.slice(1) });
    expect(read(scanLabels, { tags })).toBe('tags: must have 12 entries at most');
    expect(read(scanLabels, { name: '  War  ' })).toEqual({ name: 'War' });
    expect(read(scanLabels, { name: ` ${'x'.repeat(100)} ` })).toEqual({ name: 'x'.repeat(100) });
    expect(read(scansQuery, { search: ' owl ' })).toEqual({ search: 'owl' });
    expect(read(scansQuery, { game: '', kingdom: '', tag: '', search: '', origin: '', before: '' })).toEqual({});
  });
});

it('orders are listed by number, each once, at most twenty', () => {
  const ids = Array.from({ length: 21 }, (_, index) => index + 1);
  expect(read(orderIds, '3,1,3')).toEqual([3, 1]);
  expect(read(orderIds, ids.slice(1).join())).toHaveLength(20);
  expect(read(orderIds, `${ids.slice(1).join()},2`)).toHaveLength(20);
  expect(read(orderIds, ids.join())).toBe(': must be 20 orders at most');
  for (const odd of ['', '1,', ',1', '1;2', '-1', '1'.repeat(16)])
    expect(read(orderIds, odd)).toBe(': must be order numbers separated by commas');
});

it('a download has all rows of the newest version by default', () => {
  const said = (about: object) => read(downloadQuery, { type: 'csv', ...about });
  expect(said({})).toEqual({ type: 'csv', all: false, reversed: false, named: false, bom: false, count: -1, page: 0 });
  for (const on of ['true', '1']) expect(said({ all: on, bom: on })).toMatchObject({ all: true, bom: true });
  for (const off of ['false', '0', '']) expect(said({ reversed: off })).toMatchObject({ reversed: false });
  expect(said({ all: 'yes' })).toMatch(/^all: /);
  expect(said({ count: '0' })).toBe('count: must be -1 for all rows, or more than 0');
  expect(said({ count: '1' })).toMatchObject({ count: 1 });
  expect(said({ count: '-2' })).toBe('count: must be -1 for all rows, or more');
  expect(said({ page: '-1' })).toBe('page: must be 0 or more');
});

it('a board takes only whole numbers and valid days', () => {
  expect(read(rankingQuery, { count: '-1', page: '3', day: '2026-01-31' })).toEqual({
    type: 'power',
    count: -1,
    page: 3,
    day: '2026-01-31',
  });
  expect(read(rankingQuery, { count: '1.5' })).toBe("count: '1.5' is not a whole number.");
  expect(read(rankingQuery, { page: 'x'.repeat(50) })).toBe(`page: '${'x'.repeat(40)}' is not a whole number.`);
  expect(read(rankingQuery, { day: '31.1.2026' })).toBe("day: '31.1.2026' is not a day such as 2026-01-31.");
  expect(read(rowDaysQuery, { place: '7', day: 'y'.repeat(50) })).toBe(
    `day: '${'y'.repeat(40)}' is not a day such as 2026-01-31.`,
  );
});

it('scopes must differ, and there are at most a dozen weights', () => {
  const key = { name: 'x', current_password: 'secret' };
  expect(read(newKey, { ...key, scopes: ['read', 'order'] })).toMatchObject({ scopes: ['read', 'order'] });
  expect(read(newKey, { ...key, scopes: ['read', 'read'] })).toBe('scopes: names one twice');
  expect(read(newKey, { ...key, scopes: [] })).toBe('scopes: choose at least one');
  const weights = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, index]));
  expect(read(compareSettings.pick({ weights: true }), { weights: weights(12) })).toEqual({ weights: weights(12) });
  expect(read(compareSettings.pick({ weights: true }), { weights: weights(13) })).toBe(
    'weights: must have 12 entries at most',
  );
});

it('an outlook takes each kingdom once, up to the limit', () => {
  expect(read(outlookQuery, { kingdoms: '7,8,7' })).toEqual({ kingdoms: [7, 8] });
  const ids = Array.from({ length: MAX_LOOKED_UP.scan + 1 }, (_, index) => index + 1);
  expect(read(outlookQuery, { kingdoms: `${ids.slice(1).join()},2` })).toEqual({ kingdoms: ids.slice(1) });
  expect(read(outlookQuery, { kingdoms: ids.join() })).toBe(
    `kingdoms: must have ${MAX_LOOKED_UP.scan} entries at most`,
  );
  for (const odd of ['', '0', '100000', '1,', '1 2'])
    expect(read(outlookQuery, { kingdoms: odd })).toMatch(/^kingdoms: must be numbers from 1 to 99999/);
});

it('rows are counted by quality, and counts are added up', () => {
  const verdict = (quality: Quality) => ({ quality, doubted: [] });
  const counts = countQualities([verdict('ok'), verdict('listed'), verdict('ok')]);
  expect(counts).toEqual({ ok: 2, listed: 1 });
  addCounts(counts, { ok: 3, impossible: 1 });
  expect(counts).toEqual({ ok: 5, listed: 1, impossible: 1 });
});

it('compared figures are rounded in a shared unit', () => {
  expect([inUnit(850_000_000, 'B'), inUnit(12_399_999_999, 'B'), inUnit(1_200, 'K'), inUnit(0, 'M')]).toEqual([
    '0.85B',
    '12.40B',
    '1.20K',
    '0.00M',
  ]);
});

it('the price line says if a product is not on sale yet', () => {
  const [product] = PRODUCTS;
  if (!product) throw new Error('a product expected');
  const line = '$0.50 per 100 governors, rounded up to the next hundred, for each kingdom';
  expect(priceLine({ ...product, ready: true })).toBe(`${product.name}: ${line}.`);
  expect(priceLine({ ...product, ready: false })).toBe(`${product.name}: ${line} (not on sale yet).`);
  expect(PRODUCTS.map((each) => priceLine({ ...each, ready: true }))[1]).toBe(
    'Server scan: $0.50 per 100 lords, rounded up to the next hundred, for each server.',
  );
  speak('ar');
  const inArabic = priceLine({ ...product, ready: true });
  speak('en');
  expect(inArabic).toContain('\u200e$0.50');
  expect(new Set(FAQ.flatMap(({ entries }) => entries.map(({ id }) => id))).size).toBe(
    FAQ.reduce((sum, { entries }) => sum + entries.length, 0),
  );
});
