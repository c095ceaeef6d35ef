import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { sheetLines } from '../../domain/events/sheets.ts';
import { type Recipe, recipesIn } from '../../domain/service/recipes.ts';
import { signedIn } from '../support/client.ts';

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
let key: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'recipes-'));
  const user = await signedIn(inject('address'));
  const form = { name: 'recipes', scopes: ['read', 'order', 'import', 'compare'], current_password: 'demo-muster' };
  const head =
    'Governor ID,Governor Name,Alliance Tag,Power,Kill Points,Deads,T1 Kills,T2 Kills,T3 Kills,T4 Kills,T5 Kills';
  writeFileSync(
    join(folder, 'TOP2-2026-06-15-1599.csv'),
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
