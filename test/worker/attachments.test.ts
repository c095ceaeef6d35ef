import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { attachment } from '../../worker/http/attachment.ts';
import { caller, signedInUser } from './client.ts';
import { fileOf, keep, SETTINGS } from './own-scans.ts';

/** Names of downloaded files, read as RFC 6266 and RFC 8187 have clients read them. */

const PLAIN = /^attachment; filename="((?:[ !#$&-[\]-~])+)"(?:; filename\*=UTF-8''([\w!#$&+.^`|~%-]+))?$/;

/** The name that a client saves a file under. */
function savedAs(header: string | null): string {
  const [all, plain = '', encoded] = PLAIN.exec(header ?? '') ?? [];
  if (!all) throw new Error(`not a Content-Disposition: ${header}`);
  return encoded === undefined ? plain : decodeURIComponent(encoded);
}

test.each([
  ['Pass 4', 'Pass 4.csv'],
  ['Война за перевал', 'Война за перевал.csv'],
  ['第四关 · 오늘', '第四关 · 오늘.csv'],
  ['حرب الممر', 'حرب الممر.csv'],
  ['KvK 👨‍👩‍👧 100%', 'KvK 👨‍👩‍👧 100%.csv'],
  ["Bob's (best) *war*", "Bob's (best) war.csv"],
  ['../../etc/passwd', 'etc passwd.csv'],
  ['a"; filename="b.exe', 'a ; filename= b.exe.csv'],
  ['line\r\nSet-Cookie: a=b', 'line Set-Cookie a=b.csv'],
  ['report\u202Evsc.exe', 'report vsc.exe.csv'],
  ['half \ud83d', 'half.csv'],
  ['...', 'file.csv'],
])('%j is saved as %j', (name, saved) => {
  expect(savedAs(attachment(name, 'csv'))).toBe(saved);
});

test('any text gives a valid header and a safe file name', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 120 }), (text) => {
      const saved = savedAs(attachment(text, 'xlsx'));
      expect(saved).toMatch(/^[^. /\\:*?"<>|][^/\\:*?"<>|]*\.xlsx$/u);
      expect(new TextEncoder().encode(saved).length).toBeLessThanOrEqual(255);
      expect(saved.isWellFormed()).toBe(true);
    }),
  );
});

test('files of a report have its name, for its owner and behind a link', async () => {
  const user = await signedInUser(0);
  const [from] = await keep(user, '2026-01-05.csv', fileOf([{ id: 1, t4: 1, power: 100, name: 'Ash' }]));
  const [to] = await keep(user, '2026-01-19.csv', fileOf([{ id: 1, t4: 9, power: 100, name: 'Ash' }]));
  const report = { name: 'Война 4: 第四关', ranges: [{ from: [from], to: [to] }], settings: SETTINGS };
  const { report_id } = (await user.call('POST', '/v1/reports', report)).data;
  const { path } = (await user.call('POST', `/v1/reports/${report_id}/links`, { days: 1 })).data;
  const nameOf = async (response: Response) => {
    expect(response.status).toBe(200);
    await response.arrayBuffer();
    return savedAs(response.headers.get('content-disposition'));
  };
  const shared = `/v1${path}/export`;
  expect(await nameOf(await user.fetch(`/v1/reports/${report_id}/export?type=csv`))).toBe('Война 4 第四关.csv');
  expect(await nameOf(await caller().fetch(`${shared}?type=xlsx`))).toBe('Война 4 第四关.xlsx');
  expect(await nameOf(await caller().fetch(`${shared}?type=text`))).toBe('Война 4 第四关.txt');
});
