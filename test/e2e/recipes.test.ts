import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { signedIn } from '../support/client.ts';

/** Runs every recipe of docs/recipes.md as it is printed there. */

const PAGE = readFileSync(resolve(import.meta.dirname, '../../docs/recipes.md'), 'utf8');

interface Recipe {
  title: string;
  language: string;
  code: string;
}

const RUNNERS: Readonly<Record<string, readonly string[]>> = {
  sh: ['sh', '-euc'],
  python: ['python3', '-c'],
  js: [process.execPath, '--input-type=module', '-e'],
};

const RECIPES: readonly Recipe[] = PAGE.split(/^## /m)
  .slice(1)
  .flatMap((part) => {
    const [title = ''] = part.split('\n');
    return [...part.matchAll(/```(\w+)\n(.*?)```/gs)].map(([, language = '', code = '']) => ({
      title,
      language,
      code,
    }));
  });

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
  expect(RECIPES.length).toBeGreaterThanOrEqual(15);
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
  const [file = ''] = /\b(?:scan|newest|gains|saved|boards)-\w+\.\w+\b/.exec(recipe.code) ?? [];
  if (file.endsWith('.json'))
    expect(JSON.parse(readFileSync(join(folder, file), 'utf8'))).toMatchObject({
      data: { scan_ids: [expect.any(String)] },
    });
  else expect(statSync(join(folder, file)).size).toBeGreaterThan(1000);
});
