import { listDurableObjectIds } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Answer, caller, type Person } from '../client.ts';
import { expectParts } from '../parts.ts';
import { fighter, HOUR, load, madeEvent, START } from './war.ts';

const visitor = caller();
let admin: Person;
let id: number;
let loaded: Answer[];

const MOMENTS = [START, START + 2 * HOUR, START + 4 * HOUR] as const;

const NO_KILLS = { 'Kill Points': 0, 'T5 Kills': 0, Deads: 0 };

beforeAll(async () => {
  ({ admin, id } = await madeEvent());
  loaded = [
    await load(admin, id, MOMENTS[0], [
      fighter(1, 701, 100),
      fighter(2, 702, 100),
      fighter(3, 703, 100),
      fighter(4, 703, 100),
      fighter(5, 704, 100),
      fighter(6, 704, 0, NO_KILLS),
    ]),
    await load(admin, id, MOMENTS[1], [
      fighter(1, 701, 150),
      fighter(2, 702, 110),
      fighter(3, 703, 130),
      fighter(4, 703, 140),
      fighter(6, 704, 500),
      fighter(7, 704, 10),
    ]),
    await load(admin, id, MOMENTS[2], [
      fighter(1, 701, 160),
      fighter(2, 701, 120, { 'Governor Name': 'Renamed' }),
      fighter(3, 703, 90),
      fighter(4, 703, 300),
      fighter(6, 704, 700),
      fighter(7, 704, 10),
    ]),
  ];
});

const get = (path: string) => visitor.call('GET', `/v1/dashboards/${id}${path}`);

test('a file is loaded as a snapshot, and the same file again is the same snapshot', async () => {
  expect(loaded.map(({ status, data }) => [status, data.ts, data.kingdoms, data.rows])).toEqual([
    [200, MOMENTS[0], [701, 702, 703, 704], 6],
    [200, MOMENTS[1], [701, 702, 703, 704], 6],
    [200, MOMENTS[2], [701, 703, 704], 6],
  ]);
});

describe('meta', () => {
  test('has the fields of the specification', async () => {
    const { data } = await get('/');
    expect(data).toMatchObject({
      dashboard_id: id,
      game: 'rok',
      kvk_id: 'T-1',
      state: 'running',
      refresh_rate: 60,
      next_refresh: null,
      sponsored_text: 'Brought to you by nobody',
      kingdoms: ['701', '702', '703', '704'],
      camps: ['Fire', 'Water'],
      camps_to_kingdoms: { Fire: ['701', '702'], Water: ['703', '704'] },
      kingdoms_to_camps: { 701: 'Fire', 702: 'Fire', 703: 'Water', 704: 'Water' },
      dates: { 'Pass 4': START + HOUR },
    });
    expect(data.snapshots.map(({ ts, state }: { ts: number; state: string }) => [ts, state])).toEqual([
      [MOMENTS[0], 'final'],
      [MOMENTS[1], 'final'],
      [MOMENTS[2], 'live'],
    ]);
    // 702 is not in the last file, so its previous scan replaces it.
    expect(data.snapshots[2].missing).toEqual([{ kingdom: 702, captured_at: MOMENTS[1] }]);
  });
});

test('the page shows its name, its picture and the leader', async () => {
  const page = await visitor.fetch(`/dashboards/${id}`);
  expect(page.status).toBe(200);
  const html = await page.text();
  expect(html).toMatch(/<title>Trial of Kau[^<]* · Muster<\/title>/);
  expect(html).toMatch(/og:image" content="[^"]*\/v1\/cards\//);
  const shown = html.slice(html.indexOf('id="root"')).replaceAll(/<script.*?<\/script>|<[^>]*>/gs, ' ');
  expect(shown).toMatch(/Water\s+leads by\s+2\.40K\s+DKP/);
});

describe('data', () => {
  test('governors count for their first kingdom, and doubtful ones are left out and named', async () => {
    const { data } = await get('/data');
    expect(data.range).toEqual({ start: MOMENTS[0], end: MOMENTS[2] });
    const { kingdoms, camps, players, joined, gone } = data.diffs;
    expect(kingdoms['701']).toMatchObject({ dkp: 1200, dkp_raw: 1200, left_out: 0, common: 1, joined: 0, gone: 0 });
    // Governor 2 moved to 701 but counts for 702, where the substituted scan still lists them.
    expect(kingdoms['702']).toMatchObject({ dkp: 400, common: 1 });
    // 3 fell from 100 to 90.
    expect(kingdoms['703']).toMatchObject({ dkp: 4000, dkp_raw: 3800, left_out: 1, killcount_t5: 200, common: 2 });
    // 6 had no kills at the start, so 700 would be a whole lifetime. 5 is gone, 7 joined.
    expect(kingdoms['704']).toMatchObject({ dkp: null, dkp_raw: 14_000, left_out: 1, common: 1, joined: 1, gone: 1 });
    expect(camps.Fire).toMatchObject({ dkp: 1600, left_out: 0, killcount_t5: 80, common: 2 });
    expect(camps.Water).toMatchObject({ dkp: 4000, dkp_raw: 17_800, left_out: 2, joined: 1, gone: 1 });
    expect(players['3']).toMatchObject({ kingdom: '703', dkp: null, dkp_raw: -200, killcount_t5: -10 });
    expect(players['3'].doubt).toEqual([
      expect.objectContaining({ reason: 'fell', figures: expect.arrayContaining(['killcount_t5']) }),
    ]);
    expect(players['6'].doubt[0]).toMatchObject({ reason: 'one_empty' });
    expect(players['1'].doubt).toBeUndefined();
    expect(players['2']).toMatchObject({ renamed_from: 'Fighter 2', moved_to: '701' });
    expect(joined).toEqual([7]);
    expect(gone).toEqual([expect.objectContaining({ governor_id: 5, home_kingdom: 704 })]);
  });

  test('rows are sorted by DKP, with final figures, and those without a score last', async () => {
    const { data } = await get('/data');
    expect(data.data.players.map(({ governor_id }: { governor_id: number }) => governor_id).slice(0, 3)).toEqual([
      4, 1, 2,
    ]);
    expect(data.data.players[0]).toEqual({
      home_kingdom: 703,
      domain: null,
      governor_id: 4,
      alliance_tag: 'K3',
      name: 'Fighter 4',
      power: 49_999_996,
      deads: 1300,
      killpoints: 6000,
      killcount_t4: 0,
      killcount_t5: 300,
    });
    expect(data.data.kingdoms['704']).toMatchObject({ camp: 'Water', governors: 2, killcount_t5: 710 });
    expect(data.data.camps.Fire).toMatchObject({ kingdoms: ['701', '702'], governors: 2, doubted: {} });
  });

  test('final sums of a kingdom leave out doubtful figures, as its gains do', async () => {
    const { data } = await get('/data');
    // Governor 3 fell from 130 to 90: the kills are in doubt, the power is not.
    expect(data.data.kingdoms['703']).toMatchObject({
      governors: 2,
      killcount_t5: 300,
      killpoints: 6000,
      power: 99_999_993,
    });
    expect(data.data.kingdoms['703'].doubted).toMatchObject({ killcount_t5: 1, killpoints: 1 });
    expect(data.data.kingdoms['703'].doubted.power).toBeUndefined();
    expect(data.data.camps.Water).toMatchObject({ killcount_t5: 1010, doubted: { killcount_t5: 1 } });
  });

  test('between two other snapshots', async () => {
    const { data } = await get(`/data?start=${MOMENTS[1]}&end=${MOMENTS[2]}`);
    expect(data.diffs.camps.Water).toMatchObject({
      dkp: 20 * (160 + 200),
      dkp_raw: 20 * (160 + 200 - 40),
      left_out: 1,
    });
  });

  test('from a labelled date: the last snapshot before it', async () => {
    const { data } = await get(`/data?start=${START + HOUR}`);
    expect(data.range.start).toBe(MOMENTS[0]);
  });
});

test('the first screen: camps in order, the leader, trend, people and top governors', async () => {
  const { data } = await get('/page');
  expect(data.meta.dashboard_id).toBe(id);
  const { camps, lead, people, top, kingdoms } = data.board;
  expect(
    camps.map(({ name, rank, dkp, share, behind }: Record<string, unknown>) => [name, rank, dkp, share, behind]),
  ).toEqual([
    ['Water', 1, 4000, (100 * 4000) / 5600, 0],
    ['Fire', 2, 1600, (100 * 1600) / 5600, 2400],
  ]);
  // After the second snapshot Water had 1,400 and Fire 1,200.
  expect(lead).toEqual({ camp: 'Water', by: 2400, since: MOMENTS[0] });
  expect(camps[0].trend).toEqual([
    { ts: MOMENTS[0], dkp: 0 },
    { ts: MOMENTS[1], dkp: 1400 },
    { ts: MOMENTS[2], dkp: 4000 },
  ]);
  expect(camps.map(({ tendency }: { tendency: string }) => tendency)).toEqual(['gaining', 'falling']);
  expect(people).toEqual({ common: 5, joined: 1, gone: 1, unseen: 0, moved: 1, renamed: 1, idle: 0 });
  expect(top.map(({ rank, id: governor, dkp }: Record<string, unknown>) => [rank, governor, dkp])).toEqual([
    [1, 4, 4000],
    [2, 1, 1200],
    [3, 2, 400],
  ]);
  expect(kingdoms[0]).toMatchObject({ kingdom: '703', camp: 'Water', dkp: 4000, left_out: 1 });
});

test('the table has the same figures as the data', async () => {
  const [{ data: table }, { data }] = [await get('/table'), await get('/data')];
  expect([table.common, table.joined, table.gone]).toEqual([5, 1, 1]);
  table.id.slice(0, table.common).forEach((governor: number, row: number) => {
    const player = data.diffs.players[String(governor)];
    expect(table.kingdoms[table.kingdom[row]]).toBe(player.kingdom);
    for (const [key, gains] of Object.entries(table.gains as Record<string, number[]>))
      expect([governor, key, gains[row]]).toEqual([governor, key, player[key]]);
    const doubted = Object.values(table.doubts as Record<string, Record<string, number[]>>).some((reasons) =>
      Object.values(reasons).some((rows) => rows.includes(row)),
    );
    expect(doubted).toBe(player.doubt !== undefined);
  });
  expect(table.id.slice(table.common)).toEqual([7, 5]);
});

test('the table shows current names, and first and current kingdoms', async () => {
  const { data } = await get('/table');
  const shown = data.id.map((governor: number, row: number) => [
    ...[governor, data.name[row], data.tags[data.tag[row]], data.kingdoms[data.kingdom[row]]],
    ...[data.kingdoms[data.kingdom_now[row]] ?? null, data.power[row], data.now.killcount_t5[row]],
  ]);
  expect(shown.sort(([one]: number[], [other]: number[]) => Number(one) - Number(other))).toEqual([
    [1, 'Fighter 1', 'K1', '701', '701', 49_999_999, 160],
    [2, 'Renamed', 'K1', '702', '701', 49_999_998, 120],
    [3, 'Fighter 3', 'K3', '703', '703', 49_999_997, 90],
    [4, 'Fighter 4', 'K3', '703', '703', 49_999_996, 300],
    [5, 'Fighter 5', 'K4', '704', null, 49_999_995, 100],
    [6, 'Fighter 6', 'K4', '704', '704', 49_999_994, 700],
    [7, 'Fighter 7', 'K4', '704', '704', 49_999_993, 10],
  ]);
  expect(Object.values(data.renamed)).toEqual(['Fighter 2']);
});

test('lines of camps and kingdoms: gains since the start, and totals', async () => {
  const { data } = await get('/lines?metrics=dkp,killcount_t5');
  expect(data.ts).toEqual(MOMENTS);
  expect(data.camps.Water.gained).toEqual({ dkp: [0, 1400, 4000], killcount_t5: [0, 70, 200] });
  expect(data.kingdoms['703'].now).toEqual({ killcount_t5: [200, 270, 300] });
  expect((await get('/lines?metrics=colour')).msg).toBe("metrics: Rise of Kingdoms has no 'colour'.");
});

describe('the explanation of a score', () => {
  test('snapshot by snapshot, with points of each weight', async () => {
    const { data } = await get('/governor/4');
    expect(data).toMatchObject({ id: 4, camp: 'Water', kingdom: '703', rank: 1, at_least: null });
    expect(data.steps.map(({ dkp }: { dkp: number }) => dkp)).toEqual([800, 3200]);
    expect(data.steps[1].points).toEqual({ killcount_t4: 0, killcount_t5: 3200 });
    expect(data.whole).toMatchObject({ dkp: 4000 });
  });

  test('of a doubtful score has its certain part', async () => {
    const { data } = await get('/governor/6');
    expect(data.whole).toMatchObject({ dkp: null, dkp_raw: 14_000, doubts: { killcount_t5: 'one_empty' } });
    expect(data.at_least).toEqual({ dkp: 4000, since: MOMENTS[1], until: MOMENTS[2] });
  });

  test('of an unknown governor is a sentence', async () => {
    expect(await get('/governor/999')).toMatchObject({
      status: 404,
      msg: 'There is no such governor in these snapshots.',
    });
  });
});

describe('files', () => {
  test('the gains between two snapshots, equal to the data', async () => {
    const response = await visitor.fetch(`/v1/dashboards/${id}/download?type=csv`);
    expect(response.headers.get('content-disposition')).toBe(
      `attachment; filename="kvk_T-1_${MOMENTS[0]}_${MOMENTS[2]}.csv"`,
    );
    const [head = '', ...lines] = (await response.text()).trim().split('\r\n');
    const keys = head.split(',');
    const rows = lines.map((line) => Object.fromEntries(line.split(',').map((cell, index) => [keys[index], cell])));
    const { data } = await get('/data');
    expect(rows.map(({ governor_id }) => Number(governor_id))).toEqual(
      data.data.players.map(({ governor_id }: { governor_id: number }) => governor_id),
    );
    for (const row of rows) {
      const player = data.diffs.players[String(row.governor_id)];
      expect([row.dkp, row.dkp_raw, row.killcount_t5_gain]).toEqual(
        player ? [player.dkp, player.dkp_raw, player.killcount_t5].map((value) => String(value ?? '')) : ['', '', ''],
      );
    }
    expect(rows[0]).toMatchObject({ rank: '1', camp: 'Water', kingdom: '703' });
    expect(rows.find(({ governor_id }) => governor_id === '3')?.doubt).toContain('Counter fell');
  });

  test('have titles in the language that is asked for', async () => {
    const head = async (query: string) =>
      (await (await visitor.fetch(`/v1/dashboards/${id}/download?type=csv${query}`)).text()).split('\r\n')[0];
    expect(await head('&headers=ko')).toMatch(/^순위,진영,.*,집정관 ID,/);
    // Another language is another file.
    expect(await head('&headers=de')).toMatch(/^Rang,Lager,/);
    expect(await head('&headers=en')).toMatch(/^Rank,Camp,Counts for,/);
    expect(await head('')).toMatch(/^rank,camp,kingdom,/);
    expect(await head('&headers=nl')).toContain('headers: must be one of');
  });

  test('one snapshot, in both types', async () => {
    const csv = await visitor.fetch(`/v1/dashboards/${id}/snapshot/${MOMENTS[1]}/download?type=csv`);
    expect(csv.headers.get('content-disposition')).toBe(`attachment; filename="kvk_T-1_${MOMENTS[1]}.csv"`);
    expect((await csv.text()).trim().split('\r\n')).toHaveLength(7);
    for (const path of ['download?type=xlsx', `snapshot/${MOMENTS[1]}/download?type=xlsx`]) {
      const xlsx = await visitor.fetch(`/v1/dashboards/${id}/${path}`);
      expect(xlsx.headers.get('content-type')).toContain('spreadsheetml');
      expect([...new Uint8Array(await xlsx.arrayBuffer()).subarray(0, 2)]).toEqual([0x50, 0x4b]);
    }
  });
});

describe('files in parts', () => {
  test.each(['csv', 'xlsx'])('as %s', async (type) => {
    await expectParts(visitor, `/v1/dashboards/${id}/download?type=${type}`);
    await expectParts(visitor, `/v1/dashboards/${id}/snapshot/${MOMENTS[1]}/download?type=${type}`);
  });

  test('of different snapshots have different ETags', async () => {
    const tagOf = async (query: string) =>
      (await visitor.fetch(`/v1/dashboards/${id}/download?${query}`, { method: 'HEAD' })).headers.get('etag');
    const queries = ['type=csv', 'type=xlsx', `type=csv&start=${MOMENTS[1]}`];
    expect(new Set(await Promise.all(queries.map(tagOf))).size).toBe(3);
  });
});

describe('refused requests', () => {
  test('an unknown event creates no object', async () => {
    const before = (await listDurableObjectIds(env.DASHBOARD_CACHE)).length;
    for (const path of ['/v1/dashboards/987654', '/v1/dashboards/987655/data', '/v1/cards/dashboard/987656/x.png'])
      expect((await visitor.fetch(path)).status).toBe(404);
    await visitor.fetch('/dashboards/987657');
    expect(await listDurableObjectIds(env.DASHBOARD_CACHE)).toHaveLength(before);
  });

  test.each([
    ['/v1/dashboards/987654/', 404, 'There is no such event.'],
    ['/v1/dashboards/nonsense/', 400, 'dashboard_id: must be a number.'],
  ])('%s', async (path, status, msg) => {
    expect(await visitor.call('GET', path)).toMatchObject({ status, msg });
  });

  test('a start after the end, a time without a snapshot, an unknown type', async () => {
    expect(await get(`/data?start=${MOMENTS[2]}&end=${MOMENTS[0]}`)).toMatchObject({
      status: 400,
      msg: 'start: must not be after the end.',
    });
    const between = await get(`/data?start=${MOMENTS[0] + 1.5 * HOUR}`);
    expect(between.status).toBe(404);
    expect(between.msg).toContain(`(${MOMENTS[0]})`);
    expect(between.msg).toContain(`(${MOMENTS[1]})`);
    expect(between.msg).not.toContain(`(${MOMENTS[2]})`);
    expect(await get('/download?type=pdf')).toMatchObject({ status: 400, msg: 'type: must be one of csv, xlsx.' });
    expect(await get('/data?start=yesterday')).toMatchObject({ status: 400 });
    expect(await get(`/snapshot/${MOMENTS[0] + 1.5 * HOUR}/download?type=csv`)).toMatchObject({ status: 404 });
  });
});

test('answers have an ETag, and repeats get a 304', async () => {
  for (const path of ['/', '/page', '/data', '/table', '/lines']) {
    const first = await visitor.fetch(`/v1/dashboards/${id}${path}`);
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^".+"$/);
    expect(first.headers.get('cache-control')).toBe('public, max-age=5');
    const again = await visitor.fetch(`/v1/dashboards/${id}${path}`, { headers: { 'if-none-match': `W/${etag}` } });
    expect([path, again.status]).toEqual([path, 304]);
  }
});

test('an answer whose first caller disconnects still reaches the others', async () => {
  const { data } = await get('/');
  const question = { kind: 'table', revision: data.revision, start: MOMENTS[0], end: MOMENTS[1] };
  const gone = new AbortController();
  const ask = (signal?: AbortSignal) =>
    env.DASHBOARD_CACHE.getByName(String(id)).fetch('https://dashboard.invalid/', {
      method: 'POST',
      body: JSON.stringify(question),
      ...(signal ? { signal } : {}),
    });
  const first = ask(gone.signal).then(
    () => 'answered',
    () => 'gone',
  );
  const second = ask();
  gone.abort();
  expect(await first).toBe('gone');
  for (const answer of [await second, await ask()]) {
    expect(answer.status).toBe(200);
    expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(100);
  }
});
