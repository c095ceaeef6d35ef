import { env } from 'cloudflare:workers';
import ExcelJS from 'exceljs';
import { describe, expect, test } from 'vitest';
import { MAX_LINK_DAYS } from '../../domain/compare/contract.ts';
import { DAY_MS } from '../../domain/days.ts';
import type { Cell } from '../../domain/scans/numerals.ts';
import { openWorkbook } from '../../scan-files/workbook.ts';
import { caller, makeKey, type Person, send, signedInUser } from './client.ts';
import { type Fighter, fileOf, keep, SETTINGS } from './own-scans.ts';

const BEFORE: Fighter[] = [
  { id: 1, t4: 100, power: 100, name: 'Ash' },
  { id: 2, t4: 50, power: 90, name: 'Birch' },
  { id: 3, t4: 70, power: 80, name: 'Cedar' },
  { id: 4, t4: 5, power: 70, name: 'Doubt' },
  { id: 7, t4: 5, power: 70, name: 'Gone' },
];
const AFTER: Fighter[] = [
  { id: 1, t4: 110, power: 100, name: 'Ash' },
  { id: 2, t4: 90, power: 90, name: 'Birch' },
  { id: 3, t4: 70, power: 80, name: 'Cedar' },
  { id: 4, t4: 4, power: 70, name: 'Doubt' },
  { id: 8, t4: 5, power: 70, name: '=1+1' },
];

async function war(user: Person) {
  const [from] = await keep(user, '2026-01-05.csv', fileOf(BEFORE));
  const [to] = await keep(user, '2026-01-19.csv', fileOf(AFTER));
  return { from: [from as string], to: [to as string] };
}

async function kept(user: Person, settings: object = {}) {
  const range = await war(user);
  const payload = { name: 'Pass 4', ranges: [range], settings: { ...SETTINGS, ...settings } };
  const { status, msg, data } = await user.call('POST', '/v1/reports', payload);
  if (status !== 200) throw new Error(msg);
  return { id: data.report_id as string, range, payload };
}

/** The cells of a workbook's sheets, line by line. */
async function linesBySheet(bytes: Uint8Array): Promise<Record<string, Cell[][]>> {
  const book = await openWorkbook(bytes);
  const sheets: Record<string, Cell[][]> = Object.fromEntries(book.sheets.map((sheet) => [sheet, []]));
  const takes = (sheet: string) => (_: number, cells: Cell[]) => sheets[sheet]?.push([...cells]);
  await book.read(new Map(book.sheets.map((sheet) => [sheet, takes(sheet)])));
  return sheets;
}

const tokenOf = (path: string) => path.split('/').at(-1) as string;

describe('reports', () => {
  test('are kept, changed, listed and deleted by their owner alone', async () => {
    const [owner, other] = await Promise.all([signedInUser(0), signedInUser(0)]);
    const { id, payload } = await kept(owner);
    expect((await owner.call('GET', `/v1/reports/${id}`)).data).toMatchObject({ report: payload, links: [] });
    expect((await owner.call('PUT', `/v1/reports/${id}`, { ...payload, name: 'Pass 5' })).status).toBe(200);
    expect((await owner.call('GET', '/v1/reports')).data.reports).toMatchObject([{ report_id: id, name: 'Pass 5' }]);
    expect((await other.call('GET', '/v1/reports')).data.reports).toEqual([]);
    for (const [method, path, body] of [
      ['GET', ''],
      ['PUT', '', payload],
      ['DELETE', ''],
      ['GET', '/export?type=csv'],
      ['POST', '/links', { days: 1 }],
    ] as const)
      expect([method, (await other.call(method, `/v1/reports/${id}${path}`, body)).status]).toEqual([method, 404]);
    expect((await owner.call('GET', `/v1/reports/${id}`)).data.report.name).toBe('Pass 5');
    expect((await owner.call('DELETE', `/v1/reports/${id}`)).status).toBe(200);
    expect((await owner.call('GET', `/v1/reports/${id}`)).status).toBe(404);
  });

  test('cannot use another user’s scans or unknown figures', async () => {
    const [owner, other] = await Promise.all([signedInUser(0), signedInUser(0)]);
    const { payload } = await kept(owner);
    expect((await other.call('POST', '/v1/reports', payload)).status).toBe(404);
    const odd = { ...payload, settings: { ...SETTINGS, weights: { merits: 1 } } };
    expect((await owner.call('POST', '/v1/reports', odd)).msg).toBe(
      'settings.weights.merits: is not a figure of Rise of Kingdoms.',
    );
  });

  test('are deleted with a scan that they use', async () => {
    const user = await signedInUser(0);
    const { id, range } = await kept(user);
    const { data: link } = await user.call('POST', `/v1/reports/${id}/links`, { days: 1 });
    expect((await user.call('GET', `/v1/scans/${range.from[0]}`)).data.hangs.reports).toEqual([
      { report_id: id, name: 'Pass 4' },
    ]);
    expect((await user.call('DELETE', `/v1/scans/${range.from[0]}`)).msg).toMatch(/: 'Pass 4'\. Ask/);
    expect((await user.call('DELETE', `/v1/scans/${range.from[0]}?with=reports`)).status).toBe(200);
    expect((await user.call('GET', `/v1/reports/${id}`)).status).toBe(404);
    expect((await caller().call('GET', `/v1/reports/shared/${tokenOf(link.path)}`)).status).toBe(404);
  });
});

describe('a shared report', () => {
  test('shows only the chosen columns, its scans and the kingdoms’ sums', async () => {
    const user = await signedInUser(0);
    const { id } = await kept(user, {
      columns: ['rank', 'name', 'dkp', 'goal'],
      goals: [{ min_power: 0, dkp: 400, kills: null, deads: null }],
      note: 'Well done',
    });
    const { data: link } = await user.call('POST', `/v1/reports/${id}/links`, { days: 7 });
    const { status, data } = await caller().call('GET', `/v1/reports/shared/${tokenOf(link.path)}`);
    expect(status).toBe(200);
    expect(data).toMatchObject({ name: 'Pass 4', note: 'Well done', game: 'rok' });
    expect(data.columns.map(({ key }: { key: string }) => key)).toEqual(['rank', 'name', 'dkp', 'goal']);
    expect(data.rows).toEqual([
      [1, 'Birch', 400, 100],
      [2, 'Ash', 100, 25],
      [3, 'Cedar', 0, 0],
      [null, 'Doubt', null, null],
    ]);
    expect(data.ranges[0].from).toMatchObject([{ kingdom_id: 4001, captured_at: Date.UTC(2026, 0, 5) }]);
    expect(data.kingdoms['4001']).toMatchObject({ dkp: 500, dkp_raw: 490, left_out: 1 });
    const card = await caller().fetch(`/v1/reports/shared/${tokenOf(link.path)}/card.png`);
    expect([card.status, card.headers.get('content-type')]).toEqual([200, 'image/png']);
  });

  test('exports only the chosen columns', async () => {
    const user = await signedInUser(0);
    const { id } = await kept(user, { columns: ['rank', 'name', 'dkp'] });
    const { data: link } = await user.call('POST', `/v1/reports/${id}/links`, { days: 7 });
    const file = (type: string) => caller().fetch(`/v1/reports/shared/${tokenOf(link.path)}/export?type=${type}`);
    expect(await (await file('csv')).text()).toBe(
      'rank,name,dkp\r\n1,Birch,400\r\n2,Ash,100\r\n3,Cedar,0\r\n,Doubt,\r\n',
    );
    const titled = async (more: string) => (await (await file(more)).text()).split('\r\n')[0];
    expect(await titled('csv&headers=ko')).toBe('순위,이름,DKP');
    expect(await titled('csv&headers=en')).toBe('Rank,Name,DKP');
    expect((await file('csv&headers=nl')).status).toBe(400);
    const german = await user.fetch(`/v1/reports/${id}/export?type=csv&headers=de`);
    expect((await german.text()).split('\r\n')[0]).toMatch(/,Macht zu Beginn,/);
    // The owner exports all columns.
    const own = await (await user.fetch(`/v1/reports/${id}/export?type=csv`)).text();
    expect(own.split('\r\n')[0]?.split(',')).toEqual(expect.arrayContaining(['id', 'power', 'dkp']));
    const sheets = await linesBySheet(new Uint8Array(await (await file('xlsx')).arrayBuffer()));
    expect(Object.keys(sheets)).toEqual(['Governors', 'Kingdoms', 'Summary']);
    expect(sheets.Governors?.slice(0, 2)).toEqual([
      ['Rank', 'Name', 'DKP'],
      [1, 'Birch', 400],
    ]);
    expect(sheets.Kingdoms?.[0]).not.toContain('Power Gained');
    expect(await (await file('text')).text()).toContain('\n1. Birch 400\n');
    expect([...new Uint8Array(await (await file('png')).arrayBuffer()).subarray(1, 4)]).toEqual([0x50, 0x4e, 0x47]);
    expect((await file('pdf')).status).toBe(400);
    await user.call('DELETE', `/v1/reports/${id}/links/${link.link_id}`);
    expect((await file('csv')).status).toBe(404);
  });

  test('without the score column has no list, picture or preview of scores', async () => {
    const user = await signedInUser(0);
    const { id } = await kept(user, { columns: ['name', 'power'] });
    const { data: link } = await user.call('POST', `/v1/reports/${id}/links`, { days: 7 });
    for (const path of ['export?type=text', 'export?type=png', 'card.png'])
      expect([path, (await caller().fetch(`/v1/reports/shared/${tokenOf(link.path)}/${path}`)).status]).toEqual([
        path,
        409,
      ]);
    expect(await (await caller().fetch(link.path)).text()).not.toContain('card.png');
  });

  test('has a long address that ends with the key that signed it, and a short one that works on', async () => {
    const user = await signedInUser(0);
    const { id } = await kept(user);
    const { data: link } = await user.call('POST', `/v1/reports/${id}/links`, { days: MAX_LINK_DAYS });
    expect(link.expires_at).toBeGreaterThan(Date.now() + 364 * DAY_MS);
    const SESSION_KEYS = JSON.stringify({ current: 'next', keys: { next: 'B'.repeat(43) } });
    const get = async (path: string, bindings: typeof env) => send(path, { redirect: 'manual' }, bindings);
    const open = (path: string) => `/v1/reports/shared/${tokenOf(path)}`;
    const rotated = { ...env, SESSION_KEYS };
    expect([(await get(open(link.path), env)).status, (await get(open(link.path), rotated)).status]).toEqual([
      200, 404,
    ]);
    const short = await get(link.short, rotated);
    expect((await get(open(short.headers.get('location') ?? ''), rotated)).status).toBe(200);
  });

  test('has a name and a picture in its page’s head, and is not indexed', async () => {
    const user = await signedInUser(0);
    const { id, range, payload } = await kept(user);
    const named = {
      ...payload,
      ranges: [range],
      name: '<i>Pass</i> 4',
      settings: { ...SETTINGS, note: '"Well" done' },
    };
    expect((await user.call('PUT', `/v1/reports/${id}`, named)).status).toBe(200);
    const { data: link } = await user.call('POST', `/v1/reports/${id}/links`, { days: 7 });
    const page = await caller().fetch(link.path);
    const html = await page.text();
    expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(html).toContain('property="og:title" content="&lt;i&gt;Pass&lt;/i&gt; 4 · Muster"');
    expect(html).toContain('property="og:description" content="&quot;Well&quot; done"');
    expect(html).toContain(`/v1${link.path}/card.png"`);
    expect(html).toContain('<meta name="robots" content="noindex">');
    expect((await user.call('DELETE', `/v1/reports/${id}/links/${link.link_id}`)).status).toBe(200);
    const ended = await caller().fetch(link.path);
    expect(ended.status).toBe(404);
    expect(await ended.text()).not.toContain('Pass');
  });

  test('ends with its link or its time, and opens with no other token', async () => {
    const user = await signedInUser(0);
    const { id } = await kept(user);
    const open = async () => (await user.call('POST', `/v1/reports/${id}/links`, { days: 7 })).data;
    const [first, second] = [await open(), await open()];
    const seen = async (path: string) => (await caller().call('GET', `/v1/reports/shared/${tokenOf(path)}`)).status;
    expect([await seen(first.path), await seen(second.path)]).toEqual([200, 200]);
    const stranger = await signedInUser(0);
    expect((await stranger.call('DELETE', `/v1/reports/${id}/links/${first.link_id}`)).status).toBe(404);
    expect(await seen(first.path)).toBe(200);
    expect((await user.call('DELETE', `/v1/reports/${id}/links/${first.link_id}`)).status).toBe(200);
    expect([await seen(first.path), await seen(second.path)]).toEqual([404, 200]);
    expect((await user.call('GET', `/v1/reports/${id}`)).data.links).toMatchObject([{ link_id: second.link_id }]);
    await env.DB.prepare('UPDATE report_links SET expires_at = ? WHERE id = ?')
      .bind(Date.now() - 1, second.link_id)
      .run();
    expect(await seen(second.path)).toBe(404);
    expect(await seen('/reports/shared/nonsense')).toBe(404);
    expect((await user.call('POST', `/v1/reports/${id}/links`, { days: 366 })).msg).toBe('days: must be 365 at most.');
  });
});

describe('exports', () => {
  const exported = async (user: Person, type: string) => {
    const { from, to } = await war(user);
    const response = await user.fetch(`/v1/compare/export?from=${from}&to=${to}&t4=10&type=${type}`);
    expect(response.status).toBe(200);
    return response;
  };

  test('csv: numbers as numbers, unknown values empty', async () => {
    const response = await exported(await signedInUser(0), 'csv');
    expect(response.headers.get('content-disposition')).toBe(
      'attachment; filename="compare_2026-01-05_2026-01-19.csv"',
    );
    const [head, ...lines] = (await response.text()).trim().split('\r\n');
    const at = (name: string) => (head ?? '').split(',').indexOf(name);
    const cells = lines.map((line) => line.split(','));
    expect(
      cells.map((row) => [row[at('name')], row[at('dkp')], row[at('dkp_raw')], row[at('gain:killcount_t4')]]),
    ).toEqual([
      ['Birch', '400', '400', '40'],
      ['Ash', '100', '100', '10'],
      ['Cedar', '0', '0', '0'],
      ['Doubt', '', '-10', '-1'],
    ]);
  });

  test('xlsx: one sheet per part, numbers as numbers', async () => {
    const response = await exported(await signedInUser(0), 'xlsx');
    const book = new ExcelJS.Workbook();
    await book.xlsx.load((await response.arrayBuffer()) as never);
    expect(book.worksheets.map(({ name }) => name)).toEqual(['Governors', 'Kingdoms', 'Joined', 'Gone', 'Summary']);
    const sheet = book.worksheets[0] as ExcelJS.Worksheet;
    const titles = (sheet.getRow(1).values as string[]).slice(1);
    const value = (row: number, title: string) => sheet.getRow(row).getCell(titles.indexOf(title) + 1).value;
    expect([value(2, 'Name'), value(2, 'DKP'), value(3, 'DKP')]).toEqual(['Birch', 400, 100]);
    expect(value(5, 'DKP')).toBeNull();
    expect(book.getWorksheet('Joined')?.getRow(2).getCell(2).value).toBe('=1+1');
    expect(book.getWorksheet('Gone')?.getRow(2).getCell(2).value).toBe('Gone');
    expect(book.getWorksheet('Kingdoms')?.getRow(2).getCell(2).value).toBe(500);
    const said = book.getWorksheet('Summary')?.getSheetValues() ?? [];
    const people = (said as unknown[][])
      .map((line) => line?.slice(1, 3))
      .filter((line) => line?.[0] === 'Joined' || `${line?.[0]}`.startsWith('Below'));
    expect(people).toEqual([
      ['Joined', 1],
      ['Below the range of the smaller scan', 0],
    ]);
  });

  test('text for an in-game mail, and a picture', async () => {
    const user = await signedInUser(0);
    const text = await (await exported(user, 'text')).text();
    expect(text).toBe('Kingdom 4001, 5 Jan 2026 to 19 Jan 2026\nDKP\n1. Birch 400\n2. Ash 100\n3. Cedar 0\n');
    const png = new Uint8Array(await (await exported(await signedInUser(0), 'png')).arrayBuffer());
    expect([...png.subarray(1, 4)]).toEqual([0x50, 0x4e, 0x47]);
  });
});

describe('scores in calls and files', () => {
  const seen = async (user: Person, query: string, type?: string) => {
    const { from, to } = await war(user);
    const path = `/v1/compare${type ? '/export' : ''}?from=${from}&to=${to}&${query}${type ? `&type=${type}` : ''}`;
    return user.fetch(path);
  };
  const rowsOf = async (response: Response) => {
    const [head = '', ...lines] = (await response.text()).trim().split('\r\n');
    return lines.map((line) => {
      const cells = line.split(',');
      return Object.fromEntries(head.split(',').map((key, place) => [key, cells[place] ?? '']));
    });
  };

  test('use goals and zeroed governors', async () => {
    const user = await signedInUser(0);
    const query = `t4=10&deads=2&goals=${encodeURIComponent('0: dkp 200; 95: dkp 400')}&zeroed=${encodeURIComponent('1: 50')}`;
    const { from, to } = await war(user);
    const { data } = await user.call('GET', `/v1/compare?from=${from}&to=${to}&${query}`);
    expect(data.players['1']).toMatchObject({ dkp: 100, goal: 25 });
    expect(data.players['2']).toMatchObject({ dkp: 400, goal: 200 });
    expect(data.players['4']).toMatchObject({ dkp: null, goal: null });
    expect([data.zeroed, data.goals.length]).toEqual([{ 1: 50 }, 2]);
    const rows = await rowsOf(await seen(user, query, 'csv'));
    expect(rows.map(({ name, goal }) => [name, goal])).toEqual([
      ['Birch', '200'],
      ['Ash', '25'],
      ['Cedar', '0'],
      ['Doubt', ''],
    ]);
    const refused = async (more: string) => (await user.call('GET', `/v1/compare?from=${from}&to=${to}&${more}`)).msg;
    expect(await refused('goals=40M')).toBe("goals: Line 1: write it as '40M: dkp 2M, kills 100K, deads 50K'.");
    expect(await refused('zeroed=1:50;2:75')).toMatch(/^zeroed: Line 2: '75' must be one of/);
    const many = Array.from({ length: 41 }, (_, line) => `${line}: dkp 1`).join(';');
    expect(await refused(`goals=${encodeURIComponent(many)}`)).toBe('goals: must have 40 entries at most.');
  });

  test('discount only the deads of zeroed governors', async () => {
    const user = await signedInUser(0);
    const [from] = await keep(user, '2026-01-05.csv', fileOf([{ id: 1, t4: 1, deads: 10 }]));
    const [to] = await keep(user, '2026-01-19.csv', fileOf([{ id: 1, t4: 2, deads: 110 }]));
    const dkp = async (more: string) =>
      (await user.call('GET', `/v1/compare?from=${from}&to=${to}&t4=10&deads=1${more}`)).data.players['1'].dkp;
    expect([await dkp(''), await dkp('&zeroed=1:80'), await dkp('&zeroed=2:80')]).toEqual([110, 30, 110]);
  });

  test('are 0 for weights of 0, in the call, its files and reports', async () => {
    const user = await signedInUser(0);
    const rows = await rowsOf(await seen(user, 't4=0', 'csv'));
    expect(rows.map(({ dkp }) => dkp)).toEqual(['0', '0', '0', '0']);
    const owner = await signedInUser(0);
    const { id } = await kept(owner, { weights: {}, columns: ['name', 'dkp'] });
    const { data: link } = await owner.call('POST', `/v1/reports/${id}/links`, { days: 1 });
    const { data } = await caller().call('GET', `/v1/reports/shared/${tokenOf(link.path)}`);
    expect(data.rows.map(([, dkp]: [string, number]) => dkp)).toEqual([0, 0, 0, 0]);
  });

  test('set exempt governors apart, with and without farms', async () => {
    const user = await signedInUser(0);
    await user.call('PUT', '/v1/rosters/rok/4001', [{ governor_id: 2, role: 'exempt', main_id: null, note: '' }]);
    for (const farms of ['', '&farms=20']) {
      const rows = await rowsOf(await seen(user, `t4=10&goals=0:dkp%20100${farms}`, 'csv'));
      expect(rows.map(({ name, rank, goal, apart }) => [name, rank, goal, apart])).toEqual([
        ['Ash', '1', '100', ''],
        ['Cedar', '2', '0', ''],
        ['Doubt', '', '', ''],
        ['Birch', '', '', 'yes'],
      ]);
    }
  });
});

test('strangers and keys without the scope are refused on every call', async () => {
  const user = await signedInUser(0);
  const { data } = await makeKey(user, ['read', 'order']);
  const key = caller({ authorization: `Bearer ${data.key}` });
  const id = crypto.randomUUID();
  const calls: [string, string, unknown?][] = [
    ['GET', '/v1/compare/export?from=a&to=b&type=csv'],
    ['GET', '/v1/reports'],
    ['POST', '/v1/reports', {}],
    ['GET', `/v1/reports/${id}`],
    ['PUT', `/v1/reports/${id}`, {}],
    ['DELETE', `/v1/reports/${id}`],
    ['GET', `/v1/reports/${id}/export?type=csv`],
    ['POST', `/v1/reports/${id}/links`, { days: 1 }],
    ['DELETE', `/v1/reports/${id}/links/${id}`],
    ['GET', '/v1/rosters/rok/1/download'],
    ['GET', '/v1/rosters/rok/1/history'],
    ['POST', '/v1/rosters/rok/1/import', 'x'],
  ];
  for (const [method, path, body] of calls) {
    expect([path, (await caller().call(method, path, body)).status]).toEqual([path, 401]);
    expect([path, (await key.call(method, path, body)).status]).toEqual([path, 403]);
  }
});
