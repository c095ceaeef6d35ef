import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import type { LibraryScan } from '../../domain/library/answers.ts';
import { type Import, importOf } from '../../worker/models/library/imports.ts';
import { saveImport } from '../../worker/services/library/save-import.ts';
import { archive } from '../scan-files/workbooks.ts';
import { type Answer, caller, db, fireCron, makeKey, PASSWORD, type Person, signedInUser } from './client.ts';
import { bring, fileOf, HEADERS, keep, lineOf } from './own-scans.ts';
import { cell } from './people.ts';

const DAY = 86_400_000;
const JANUARY = Date.UTC(2026, 0, 5, 0, 44);

const keysUnder = async (prefix: string): Promise<string[]> =>
  (await env.STORE.list({ prefix })).objects.map(({ key }) => key);
const save = (user: Person, id: string, choice: object = {}) =>
  user.call('POST', `/v1/scans/import/${id}/save`, choice);

describe('importing a file', () => {
  test('shows its contents and saves nothing', async () => {
    const user = await signedInUser(0);
    const lines = [
      lineOf({ id: 1, power: 5 }),
      lineOf({ id: 2, power: 9 }),
      lineOf({ id: 1 }),
      lineOf({ id: 3 }).replace(',5,', ',x,'),
    ];
    const { status, data } = await bring(
      user,
      'a_2026-01-05T0044Z.csv',
      [`${HEADERS},Mood`, ...lines].join('\n').concat('\n'),
    );
    expect(status).toBe(200);
    expect(data).toMatchObject({
      dialect: 'Hero Scrolls',
      game: 'rok',
      range: null,
      scans: [{ kingdom_id: 4001, captured_at: JANUARY, stage: null, rows: 3, scan_id: null }],
      unknown_headers: ['Mood'],
      lines: { read: 4, kept: 3, dropped: 1 },
      asks: { kingdom: false, captured_at: false, stages: [] },
      saved: [],
    });
    expect(data.mapping).toMatchObject({ 'Governor ID': 'governor_id', 'Town Hall': 'town_center', Mood: null });
    expect(data.problems).toMatchObject([
      { line: null, reason: expect.stringMatching(/^1 governor repeated with different figures/), dropped: false },
      {
        line: 4,
        reason: '1 appears twice with different figures: line 2 counts, this one is left out.',
        dropped: true,
      },
      { line: 5, reason: "'x' is not a number.", dropped: false },
    ]);
    expect(data.first_rows.map((row: { governor_id: number }) => row.governor_id)).toEqual([1, 2, 3]);
    expect(data.quality).toEqual({ ok: 3 });
    expect((await user.call('GET', '/v1/scans/')).data.scans).toEqual([]);
    expect(await keysUnder(`own/${user.id}/`)).toEqual([]);
  });

  test('again while it waits returns the same import, unless that expires within half a day', async () => {
    const user = await signedInUser(0);
    const first = await bring(user, '4001_2026-01-05.csv', fileOf([{ id: 1 }]));
    const brought = async () => (await bring(user, '4001_2026-01-05.csv', fileOf([{ id: 1 }]))).data.import_id;
    expect(await brought()).toBe(first.data.import_id);
    const other = await bring(user, '4001_2026-01-05.csv', fileOf([{ id: 1 }]), { kingdom: '7' });
    expect(other.data.import_id).not.toBe(first.data.import_id);
    const soon = Date.now() + DAY / 2;
    await cell('UPDATE imports SET expires_at = ? WHERE id = ? RETURNING id', soon, first.data.import_id);
    expect(await brought()).not.toBe(first.data.import_id);
  });

  test.each<[string, string, string | Uint8Array<ArrayBuffer>, RegExp]>([
    ['an empty file', 'a.csv', '', /The file is empty/],
    ['a picture', 'a.xlsx', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]), /This is a picture/],
    ['a locked workbook', 'a.xlsx', new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1]), /locked with a password/],
    ['no id column', 'a.csv', 'Name,Power\nA,1\n', /No column of governor ids or lord ids/],
    ['a zip that is no workbook', 'a.xlsx', new Uint8Array(archive({ 'a.txt': 'x' })), /no workbook/],
    ['a workbook cut in half', 'a.xlsx', new Uint8Array(archive({ 'a.txt': 'x' }).subarray(0, 60)), /end is cut off/],
    ['bytes of no known format', 'a.csv', new Uint8Array([1, 0, 2, 0, 0, 7]), /neither text nor a workbook/],
  ])('refuses %s with a sentence', async (_, name, content, msg) => {
    const user = await signedInUser(0);
    const answer = await bring(user, name, content);
    expect(answer).toMatchObject({ status: 400, success: 0, msg: expect.stringMatching(msg) });
    expect(await cell('SELECT state FROM imports WHERE user_id = ?', user.id)).toBe('refused');
    expect(await keysUnder(`imports/${user.id}/`)).toEqual([]);
  });

  test('refuses 30 MB, an unknown length, times in the future and impossible kingdoms', async () => {
    const user = await signedInUser(0);
    const large = await bring(user, 'a.csv', new Uint8Array(30_000_000));
    expect(large).toMatchObject({ status: 413, msg: 'A file may carry 20 MB at most.' });
    const untold = await bring(user, 'a.csv', new ReadableStream({ start: (pieces) => pieces.close() }));
    expect(untold).toMatchObject({ status: 411, msg: expect.stringContaining('Content-Length') });
    const file = fileOf([{ id: 1 }]);
    const future = await bring(user, '4001.csv', file, { captured_at: '2031-01-01T00:00:00Z' });
    expect(future).toMatchObject({ status: 400, msg: 'captured_at: 2031-01-01 00:00 UTC is in the future.' });
    const told = await bring(user, '4001_2031-01-01.csv', file);
    expect(told.data.problems[0].reason).toMatch(/2031-01-01 00:00 UTC, which is in the future/);
    expect(told.data.scans[0].captured_at).toBeNull();
    const again = (choice: object) => user.call('POST', `/v1/scans/import/${told.data.import_id}/preview`, choice);
    for (const captured_at of ['2031-01-01T00:00:00Z', { 'Pas 4': '2031-01-01T00:00:00Z' }])
      expect(await again({ captured_at })).toMatchObject({
        status: 400,
        msg: 'captured_at: 2031-01-01 00:00 UTC is in the future.',
      });
    expect((await again({ kingdom: 0 })).msg).toBe('kingdom: must be 1 or more.');
    expect((await bring(user, 'a.csv', file, { kingdom: '0' })).msg).toBe('kingdom: must be 1 or more.');
    expect((await bring(user, 'a.csv', file, { captured_at: 'soon' })).msg).toMatch(/^captured_at: must be/);
  });

  test('is limited to a number of files a day', async () => {
    const user = await signedInUser(0);
    const now = Date.now();
    const insert = env.DB.prepare(
      `INSERT INTO imports (id, user_id, name, content_hash, said, state, created_at, expires_at)
       VALUES (?, ?, 'a', ?, '{}', 'refused', ?, ?)`,
    );
    const rows = Array.from({ length: 99 }, (_, index) =>
      insert.bind(crypto.randomUUID(), user.id, `${index}`, now - 1000, now + DAY),
    );
    // One that is more than a day old does not count.
    await env.DB.batch([...rows, insert.bind(crypto.randomUUID(), user.id, 'old', now - DAY - 60_000, now + DAY)]);
    expect((await bring(user, '4001_2026-01-05.csv', fileOf([{ id: 1 }]))).status).toBe(200);
    const refused = await bring(user, '4001_2026-01-06.csv', fileOf([{ id: 2 }]));
    expect(refused).toMatchObject({ status: 429, msg: expect.stringMatching(/limit of 100 files/) });
    expect((await user.call('GET', '/v1/scans/')).data.limits).toMatchObject({ files_per_day: 100, files_today: 100 });
  });
});

describe('saving', () => {
  test('makes a private snapshot for each kingdom, once', async () => {
    const user = await signedInUser(0);
    const file = fileOf([
      { id: 1, t4: 4 },
      { id: 2, kingdom: 4002 },
      { id: 3, kingdom: 4002 },
    ]);
    const { data } = await bring(user, 'war_2026-01-05T0044Z.csv', file);
    const saved = await save(user, data.import_id);
    expect(saved.data.scan_ids).toHaveLength(2);
    expect((await save(user, data.import_id)).data).toEqual(saved.data);
    const listed = (await user.call('GET', '/v1/scans/')).data;
    const byKingdom = listed.scans.toSorted((a: LibraryScan, b: LibraryScan) => a.kingdom_id - b.kingdom_id);
    expect(byKingdom).toMatchObject([
      { kingdom_id: 4001, rows: 1 },
      { kingdom_id: 4002, rows: 2, origin: 'imported', captured_at: JANUARY, source: 'war_2026-01-05T0044Z.csv' },
    ]);
    expect(listed.kingdoms).toEqual([
      { game: 'rok', kingdom_id: 4001, scans: 1 },
      { game: 'rok', kingdom_id: 4002, scans: 1 },
    ]);
    expect(listed.limits.rows_kept).toBe(3);
    expect(await keysUnder(`imports/${user.id}/`)).toEqual([]);
    expect(await keysUnder(`own/${user.id}/`)).toHaveLength(2);
  });

  test('from two tabs at once makes one set of scans, with their files', async () => {
    const user = await signedInUser(0);
    const { data } = await bring(user, '4001_2026-01-05.csv', fileOf([{ id: 1 }]));
    const answers = await Promise.all([save(user, data.import_id), save(user, data.import_id)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[0]?.data.scan_ids).toEqual(answers[1]?.data.scan_ids);
    expect(await keysUnder(`own/${user.id}/`)).toHaveLength(1);
    const [id] = (answers[0] as Answer).data.scan_ids as string[];
    expect((await user.fetch(`/v1/scans/${id}/download?type=csv`)).status).toBe(200);
  });

  test('the same content again, under any name, returns the existing scan', async () => {
    const user = await signedInUser(0);
    const file = fileOf([{ id: 1 }]);
    const [id] = await keep(user, '4001_2026-01-05.csv', file);
    const again = await bring(user, 'copy of 4001_2026-01-05.csv', file);
    expect(again.data).toMatchObject({ saved: [id], scans: [{ scan_id: id }] });
    expect((await save(user, again.data.import_id)).data).toEqual({ scan_ids: [id] });
    expect((await user.call('GET', '/v1/scans/')).data.scans).toHaveLength(1);
    expect(await keysUnder(`own/${user.id}/`)).toHaveLength(1);
    expect((await user.fetch(`/v1/scans/${id}/download?type=csv`)).status).toBe(200);
  });

  test('a mapping is used, remembered for its headers, and private', async () => {
    const user = await signedInUser(0);
    const headers = 'Governor ID,Name,Power,Might,Kingdom';
    const { data } = await bring(user, '2026-01-05.csv', `${headers}\n1,A,5,9,4001\n`);
    expect(data).toMatchObject({ unknown_headers: ['Might'], remembered: false });
    const mapping = { Might: 'highest_power', Name: null };
    const again = await user.call('POST', `/v1/scans/import/${data.import_id}/preview`, { mapping });
    expect(again.data.first_rows[0]).toMatchObject({ highest_power: 9, name: '' });
    await save(user, data.import_id, { mapping });
    const next = await bring(user, '2026-01-06.csv', `${headers}\n1,A,5,10,4001\n`);
    expect(next.data).toMatchObject({ remembered: true, mapping: { Might: 'highest_power', Name: null } });
    const stranger = await bring(await signedInUser(0), '2026-01-06.csv', `${headers}\n1,A,5,10,4001\n`);
    expect(stranger.data).toMatchObject({ remembered: false, mapping: { Might: null } });
  });

  test('from two tabs with different mappings keeps one of them, with its own object', async () => {
    const user = await signedInUser(0);
    const file = `Governor ID,Name,Power,Might,Kingdom\n${Array.from({ length: 300 }, (_, at) => `${at + 1},A,5,${at * 997},4001\n`).join('')}`;
    const { data } = await bring(user, '2026-01-05.csv', file);
    const choices = [{}, { mapping: { Might: 'highest_power' } }, { mapping: { Might: 'deads' } }, {}];
    const saved = await Promise.all(choices.map((choice) => save(user, data.import_id, choice)));
    expect(new Set(saved.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(saved.map((one) => one.data.scan_ids.join())).size).toBe(1);
    const rows = await env.DB.prepare('SELECT key, bytes FROM scans WHERE user_id = ?').bind(user.id).all();
    const { objects } = await env.STORE.list({ prefix: `own/${user.id}/` });
    expect(objects.map(({ key, size }) => ({ key, bytes: size }))).toEqual(rows.results);
    const again = await user.call('POST', `/v1/scans/import/${data.import_id}/preview`, {});
    expect(again).toMatchObject({ status: 409, msg: 'This file is saved already: its scans are in your library.' });
  });

  test('is limited to a number of rows, and keeps nothing of a larger file', async () => {
    const user = await signedInUser(0);
    const insert = env.DB.prepare(
      `INSERT INTO scans (id, user_id, game, kingdom_id, captured_at, key, source, dialect, rows, bytes, quality,
         content_hash, created_at, expires_at) VALUES (?, ?, 'rok', 1, 1, 'k', '', '', 1999999, 1, '{}', 'x', 1, 9e12)`,
    );
    await insert.bind(`own-${crypto.randomUUID()}`, user.id).run();
    const two = await bring(user, '4001_2026-01-05.csv', fileOf([{ id: 1 }, { id: 2 }]));
    expect(await save(user, two.data.import_id)).toMatchObject({
      status: 413,
      msg: expect.stringMatching(/keep 2,000,000 rows/),
    });
    expect(await keysUnder(`own/${user.id}/`)).toEqual([]);
    const one = await bring(user, '4001_2026-01-06.csv', fileOf([{ id: 1 }]));
    expect((await save(user, one.data.import_id)).status).toBe(200);
  });

  test('that fails midway leaves nothing behind', async () => {
    const user = await signedInUser(0);
    const kingdoms = [4001, 4002, 4003].map((kingdom, index) => ({ id: index + 1, kingdom }));
    const { data } = await bring(user, 'war_2026-01-05.csv', fileOf(kingdoms));
    const file = (await importOf(db, user.id, data.import_id)) as Import;
    let puts = 0;
    const store = new Proxy(env.STORE, {
      get: (bucket, name: keyof R2Bucket) => {
        if (name === 'put' && ++puts > 2) throw new Error('the store is gone');
        const value = bucket[name];
        return typeof value === 'function' ? value.bind(bucket) : value;
      },
    });
    await expect(saveImport({ ...env, STORE: store }, db, file, {})).rejects.toThrow('the store is gone');
    expect((await user.call('GET', '/v1/scans/')).data.scans).toEqual([]);
    expect(await keysUnder(`own/${user.id}/`)).toHaveLength(2);
    await fireCron('0 * * * *', Date.now() + DAY + 60_000);
    expect(await keysUnder(`own/${user.id}/`)).toEqual([]);
    expect(await keysUnder(`imports/${user.id}/`)).toEqual([]);
    expect(await cell<number>(`SELECT count(*) FROM imports WHERE user_id = '${user.id}'`)).toBe(0);
  });

  test('unsaved files expire, and scans when their time is over', async () => {
    const user = await signedInUser(0);
    const { data } = await bring(user, '4001_2026-01-05.csv', fileOf([{ id: 1 }]));
    const [id] = await keep(user, '4001_2026-01-06.csv', fileOf([{ id: 2 }]));
    await fireCron('0 * * * *', Date.now() + DAY - 60_000);
    expect(await keysUnder(`imports/${user.id}/`)).toHaveLength(1);
    await fireCron('0 * * * *', Date.now() + DAY + 60_000);
    expect(await keysUnder(`imports/${user.id}/`)).toEqual([]);
    expect((await save(user, data.import_id)).status).toBe(404);
    // A saved scan outlives its file.
    expect(await (await user.fetch(`/v1/scans/${id}/download?type=csv`)).text()).toContain('Moss 2');
    await fireCron('0 * * * *', Date.now() + 731 * DAY);
    expect((await user.call('GET', `/v1/scans/${id}`)).status).toBe(404);
    expect(await keysUnder(`own/${user.id}/`)).toEqual([]);
  });
});

describe('an import', () => {
  test('cannot be seen, saved, changed or deleted by others', async () => {
    const [owner, other] = await Promise.all([signedInUser(0), signedInUser(0)]);
    const { data } = await bring(owner, '4001_2026-01-05.csv', fileOf([{ id: 1 }]));
    for (const path of ['preview', 'save'])
      expect((await other.call('POST', `/v1/scans/import/${data.import_id}/${path}`, {})).status).toBe(404);
    const [id] = (await save(owner, data.import_id)).data.scan_ids as [string];
    expect((await other.call('GET', '/v1/scans/')).data.scans).toEqual([]);
    expect((await other.call('GET', '/v1/scans/')).data.kingdoms).toEqual([]);
    expect((await other.call('GET', `/v1/scans/${id}`)).status).toBe(404);
    expect((await other.call('PATCH', `/v1/scans/${id}`, { name: 'mine' })).status).toBe(404);
    expect((await other.call('DELETE', `/v1/scans/${id}`)).status).toBe(404);
    expect((await other.fetch(`/v1/scans/${id}/download?type=csv`)).status).toBe(404);
    expect((await owner.call('GET', `/v1/scans/${id}`)).data.scan.name).toBe('');
  });

  test('is part of the data export, and is deleted with the account', async () => {
    const user = await signedInUser(0);
    const other = await signedInUser(0);
    const [id] = (await keep(user, '4001_2026-01-05.csv', fileOf([{ id: 1 }]))) as [string];
    const [later] = (await keep(user, '4001_2026-01-06.csv', fileOf([{ id: 1 }, { id: 2 }]))) as [string];
    await keep(other, '4001_2026-01-05.csv', fileOf([{ id: 1 }]));
    await bring(user, 'waiting_2026-01-07.csv', fileOf([{ id: 3 }]));
    await user.call('PATCH', `/v1/scans/${id}`, { name: 'Before', tags: ['war'], note: 'quiet' });
    const settings = { weights: { deads: 1 }, power_off: 0, goals: [], zeroed: {}, farms: null, columns: [], note: '' };
    const range = { from: [id], to: [later] };
    const { data: report } = await user.call('POST', '/v1/reports', { name: 'Mine', ranges: [range], settings });
    await user.call('POST', `/v1/reports/${report.report_id}/links`, { days: 1 });
    await user.call('POST', '/v1/fights', { name: 'Pass 4', ...range });
    await user.call('PUT', '/v1/rosters/rok/4001', [{ governor_id: 2, role: 'exempt', main_id: null, note: 'ill' }]);
    const { own_scans: own } = (await user.call('GET', '/v1/account/export')).data;
    expect(own).toMatchObject({
      scans: [
        { id, kingdom_id: 4001, source: '4001_2026-01-05.csv', quality: { ok: 1 } },
        { id: later, rows: 2 },
      ],
      labels: [{ scan_id: id, name: 'Before', tags: ['war'], note: 'quiet' }],
      reports: [{ name: 'Mine', ranges: [range], settings }],
      report_links: [{ report_id: report.report_id }],
      fights: [{ name: 'Pass 4', from_scans: [id], to_scans: [later] }],
      rosters: [{ kingdom_id: 4001, entries: [{ governor_id: 2, note: 'ill' }] }],
    });
    expect(own.files).toHaveLength(3);
    expect(await keysUnder(`own/${user.id}/`)).toHaveLength(2);
    expect(await keysUnder(`imports/${user.id}/`)).toHaveLength(1);
    const body = { current_password: PASSWORD, username: user.username };
    expect((await user.call('POST', '/v1/account/delete', body)).status).toBe(200);
    for (const folder of ['own', 'imports', 'exports/own'])
      expect(await keysUnder(`${folder}/${user.id}/`)).toEqual([]);
    for (const table of [
      'scans',
      'imports',
      'scan_labels',
      'header_mappings',
      'reports',
      'report_links',
      'fights',
      'rosters',
    ])
      expect([table, await cell<number>(`SELECT count(*) FROM ${table} WHERE user_id = '${user.id}'`)]).toEqual([
        table,
        0,
      ]);
    expect((await other.call('GET', '/v1/scans/')).data.scans).toHaveLength(1);
    expect(await keysUnder(`own/${other.id}/`)).toHaveLength(1);
  });

  test('is refused to strangers and to keys without the scope, on every call', async () => {
    const user = await signedInUser(0);
    const { data: read } = await makeKey(user, ['read', 'order']);
    const calls: [string, string][] = [
      ['POST', '/v1/scans/import?name=a.csv'],
      ['POST', `/v1/scans/import/${crypto.randomUUID()}/preview`],
      ['POST', `/v1/scans/import/${crypto.randomUUID()}/save`],
      ['GET', '/v1/scans/'],
      ['GET', '/v1/scans/own-1'],
      ['PATCH', '/v1/scans/own-1'],
      ['DELETE', '/v1/scans/own-1'],
      ['GET', '/v1/scans/own-1/download?type=csv'],
    ];
    for (const [method, path] of calls) {
      const body = method === 'POST' || method === 'PATCH' ? {} : undefined;
      expect([path, (await caller().call(method, path, body)).status]).toEqual([path, 401]);
      const key = caller({ authorization: `Bearer ${read.key}` });
      expect([path, (await key.call(method, path, body)).status]).toEqual([path, 403]);
    }
  });

  test('works with a key of its scopes, as do lists and downloads', async () => {
    const user = await signedInUser(0);
    const { data } = await makeKey(user, ['import', 'compare']);
    const script = { ...user, ...caller({ authorization: `Bearer ${data.key}` }) };
    const [id] = await keep(script, '4001_2026-01-05.csv', fileOf([{ id: 1 }]));
    expect((await script.call('GET', '/v1/scans/')).data.scans).toMatchObject([{ scan_id: id }]);
    const file = await script.fetch(`/v1/scans/${id}/download?type=jsonl`);
    expect(JSON.parse(await file.text())).toMatchObject({ governor_id: 1, home_kingdom: 4001 });
  });
});
