import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { sheetLines } from '../../domain/events/sheets.ts';
import { type Recipe, recipesIn } from '../../domain/service/recipes.ts';
import { type Client, type Order, signedIn } from '../support/client.ts';

/** Runs every recipe of docs/recipes.md as it is printed there. */

const PAGE = readFileSync(resolve(import.meta.dirname, '../../docs/recipes.md'), 'utf8');

const RUNNERS: Readonly<Record<string, readonly string[]>> = {
  sh: ['sh', '-euc'],
  python: ['python3', '-c'],
  js: [process.execPath, '--input-type=module', '-e'],
};

const RECIPES = recipesIn(PAGE);

const NEEDED: Readonly<Record<string, string>> = { sh: 'curl', python: 'python3' };
const programsFor = ({ language, title }: Recipe): string[] => [
  ...(NEEDED[language] ? [NEEDED[language]] : []),
  ...(title.includes('DuckDB') ? ['duckdb'] : []),
];
const isThere = (program: string) => spawnSync(program, ['--version']).status === 0;

let folder: string;
let user: Client;
let key: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'recipes-'));
  user = await signedIn(inject('address'));
  const form = { name: 'recipes', scopes: ['read', 'order', 'import', 'compare'], current_password: 'demo-muster' };
  const head =
    'Governor ID,Governor Name,Alliance Tag,Power,Kill Points,Deads,T1 Kills,T2 Kills,T3 Kills,T4 Kills,T5 Kills';
  writeFileSync(
    join(folder, 'TOP2-2026-06-15-1599-[x7Y].csv'),
    `${head}\n1,Ash,MC,9,0,0,0,0,0,0,0\n2,Elm,MC,8,0,0,0,0,0,0,0\n`,
  );
  ({ key } = await user.call<{ key: string }>('POST', '/v1/account/keys', form));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = ({ language, code }: Recipe): Promise<{ status: number | null; said: string }> =>
  new Promise((done) => {
    const [program = '', ...options] = RUNNERS[language] ?? [];
    const env = { ...process.env, MUSTER: inject('address'), MUSTER_KEY: key };
    const child = spawn(program, [...options, code], { cwd: folder, env });
    let said = '';
    child.stdout.on('data', (data) => (said += data));
    child.stderr.on('data', (data) => (said += data));
    child.on('close', (status) => done({ status, said }));
  });

test('each recipe exists in three languages', () => {
  expect(RECIPES.length).toBeGreaterThanOrEqual(18);
  const languages = Map.groupBy(RECIPES, ({ title }) => title);
  for (const [title, all] of languages)
    expect([title, all.map(({ language }) => language)]).toEqual([title, ['sh', 'python', 'js']]);
});

test.for(RECIPES)('$title, in $language', async (recipe, { skip }) => {
  const missing = programsFor(recipe).find((program) => !isThere(program));
  if (missing) {
    console.warn(`${missing} is not installed here: '${recipe.title}' was not run in ${recipe.language}.`);
    skip(`${missing} is not installed here`);
  }
  const { status, said } = await run(recipe);
  expect({ status, said }).toEqual({ status: 0, said: '' });
  const [file = ''] = /\b(?:scan|newest|gains|saved|boards|below)-\w+\.\w+\b/.exec(recipe.code) ?? [];
  if (file.endsWith('.json'))
    expect(JSON.parse(readFileSync(join(folder, file), 'utf8'))).toMatchObject({
      data: { scan_ids: [expect.any(String)] },
    });
  else expect(statSync(join(folder, file)).size).toBeGreaterThan(1000);
});

const versionsOf = (title: string) => RECIPES.filter((recipe) => recipe.title.startsWith(title));

test('the recipe of an order leads to the same order if it runs again', async () => {
  const newest = async () => (await user.call<{ orders: Order[] }>('GET', '/v1/orders')).orders[0]?.order_id;
  const before = await newest();
  for (const recipe of versionsOf('Order a scan')) expect((await run(recipe)).status).toBe(0);
  expect(await newest()).toBe(before);
});

test('the newest scan of a kingdom is not that of another one of the same order', async () => {
  const params = { kingdoms: ['1002', '1001'], governors: 100, full_profile: true };
  const { order_id } = await user.call<Order>('POST', '/v1/order/create', {
    orders: [{ type: 'rok-kingdom-scan', price: 1, params }],
  });
  const items = async () => (await user.call<Order>('GET', `/v1/order/${order_id}`)).items;
  await expect.poll(async () => (await items()).every((item) => item.has_results), { timeout: 60_000 }).toBe(true);
  const own = (await items()).find(({ kingdom_id }) => kingdom_id === 1001)?.item_id;
  const file = await user.send('GET', `/v1/order/${own}/download?type=xlsx`);
  const bytes = Buffer.from(await file.arrayBuffer());
  for (const recipe of versionsOf('The newest scan')) {
    expect((await run(recipe)).status).toBe(0);
    expect([recipe.language, readFileSync(join(folder, `newest-${recipe.language}.xlsx`)).equals(bytes)]).toEqual([
      recipe.language,
      true,
    ]);
  }
});

/** Reads csv as spreadsheets do (RFC 4180). */
function cellsOf(csv: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain = '', end = ''] of csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end !== ',' && end !== '') rows.push([]);
  }
  return rows.filter((row) => row.join('') !== '');
}

test('each line for a spreadsheet names an address that anybody reads as rows with stable columns', async () => {
  const lines = [...PAGE.matchAll(/^\| [^|]+ \| `([^`]*muster\.example[^`]*)` \|$/gm)].map(([, line = '']) => line);
  const { events } = (await (await fetch(`${inject('address')}/v1/dashboards?game=rok`)).json()).data;
  const { dashboard_id, camps } = events.find(({ state }: { state: string }) => state === 'running');
  const [kingdom] = camps[0].kingdoms;
  const sheet = `${inject('address')}/v1/dashboards/${dashboard_id}/download?type=csv&kingdom=${kingdom}`;
  expect(
    sheetLines('https://muster.example/v1/dashboards/1/download?type=csv&kingdom=1001').map(([, line]) => line),
  ).toEqual(lines);
  const response = await fetch(sheet);
  expect(response.headers.get('content-type')).toMatch(/^text\/csv/);
  const [head = [], ...rows] = cellsOf((await response.text()).replace(/^\ufeff/, ''));
  expect(head.slice(0, 3)).toEqual(['rank', 'camp', 'kingdom']);
  for (const column of ['governor_id', 'name', 'power', 'dkp', 'dkp_raw', 'goal_dkp', 'doubt'])
    expect(head).toContain(column);
  expect(rows.length).toBeGreaterThan(100);
  expect(new Set(rows.map(({ length }) => length))).toEqual(new Set([head.length]));
  if (!isThere('duckdb')) return;
  const { stdout } = spawnSync('duckdb', ['-csv', '-noheader', '-c', `SELECT count(*) FROM read_csv('${sheet}')`]);
  expect(Number(stdout)).toBe(rows.length);
});

test('each version finds the same governors below goal, whatever their names and doubts', () => {
  const idsIn = (language: string): string[] => {
    const [head = [], ...rows] = cellsOf(readFileSync(join(folder, `below-${language}.csv`), 'utf8'));
    return rows.map((row) => row[head.indexOf('governor_id')] ?? '').sort();
  };
  const ids = idsIn('python');
  expect(ids.length).toBeGreaterThan(10);
  expect([idsIn('sh'), idsIn('js')]).toEqual([ids, ids]);
  const csv = [
    'rank,governor_id,name,goal_dkp,doubt',
    '1,1,"a, b",150.5,',
    '2,2,x,99.9,"Fell: Killpoints, T4 Kills and Deads"',
    '3,3,y,,"Fell: Killpoints, T4 Kills and Deads"',
    '4,4,"q ""z"", w",7,',
  ];
  writeFileSync(join(folder, 'room.csv'), csv.map((line) => `${line}\r\n`).join(''));
  const [sheet] = versionsOf('Who is below goal');
  const [, part = ''] = sheet?.code.split(/^(?=column=)/m) ?? [];
  expect(spawnSync('sh', ['-euc', part], { cwd: folder }).status).toBe(0);
  expect(idsIn('sh')).toEqual(['2', '4']);
});
