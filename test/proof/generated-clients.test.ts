import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { lintFromString, loadConfig } from '@redocly/openapi-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { signedIn } from '../support/client.ts';

/** Clients made by other generators from the API's description, compiled strictly and doing the main job. */

const ROOT = resolve(import.meta.dirname, '../..');
/** Inside the clone, so that generated code finds its packages. */
const FOLDER = join(ROOT, 'dist', 'generated-clients');
/** The description as a customer has it: a file. */
const CONTRACT = join(FOLDER, 'openapi.json');

/** Both generators call functions of a compiler that TypeScript 7 no longer has; a package keeps the old ones. */
const hooks = registerHooks({
  resolve: (name, context, next) =>
    name === 'typescript' && /\/(openapi-typescript|@hey-api)\//.test(context.parentURL ?? '')
      ? {
          url: `data:text/javascript,export{ts as default}from'${import.meta.resolve('@ts-morph/common')}'`,
          shortCircuit: true,
        }
      : next(name, context),
});

let key: string;
beforeAll(async () => {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(join(FOLDER, 'openapi-typescript'), { recursive: true });
  cpSync(join(import.meta.dirname, 'generated-clients'), FOLDER, { recursive: true });
  writeFileSync(CONTRACT, await (await fetch(`${inject('address')}/v1/openapi.json`)).text());
  const user = await signedIn(inject('address'));
  const form = { name: 'clients', scopes: ['read', 'order', 'import'], current_password: 'demo-muster' };
  ({ key } = await user.call<{ key: string }>('POST', '/v1/account/keys', form));
});
afterAll(() => {
  hooks.deregister();
  rmSync(FOLDER, { recursive: true, force: true });
});

/** The compiler's complaints, at its strictest, about a program and its imports. */
function complaintsOf(program: string): string {
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  const options = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2024', '--lib', 'es2024,dom'];
  const flags = ['--ignoreConfig', ...options, '--types', 'node', '--allowImportingTsExtensions', '--skipLibCheck'];
  return spawnSync(process.execPath, [tsc, ...flags, join(FOLDER, program)], { encoding: 'utf8' }).stdout;
}

const HEAD =
  'Governor ID,Governor Name,Alliance Tag,Power,Kill Points,Deads,T1 Kills,T2 Kills,T3 Kills,T4 Kills,T5 Kills';

async function mainJobOf(program: string, kingdom: number): Promise<string[]> {
  const file = new Blob([`${HEAD}\n1,Ash,MC,9,0,0,0,0,0,0,0\n2,Elm,MC,8,0,0,0,0,0,0,0\n`]);
  const { mainJob } = (await import(pathToFileURL(join(FOLDER, program)).href)) as {
    mainJob: (address: string, key: string, file: Blob, name: string) => Promise<string[]>;
  };
  return mainJob(inject('address'), key, file, `TOP2-2026-06-15-${kingdom}.csv`);
}

const DONE = ['board: 1', 'placed: 0.5', 'csv: 101', 'json: 100', 'saved: 1'];

test('openapi-typescript makes types that compile, and a program with them does the main job', async () => {
  const { astToString, default: openapiTS } = await import('openapi-typescript');
  writeFileSync(join(FOLDER, 'openapi-typescript/api.ts'), astToString(await openapiTS(pathToFileURL(CONTRACT))));
  expect(complaintsOf('openapi-fetch.ts')).toBe('');
  expect(await mainJobOf('openapi-fetch.ts', 1599)).toEqual(DONE);
});

test('@hey-api/openapi-ts makes functions that compile, and a program with them does the main job', async () => {
  const { createClient } = await import('@hey-api/openapi-ts');
  await createClient({
    input: CONTRACT,
    output: { path: join(FOLDER, 'hey-api'), module: { extension: '.ts' } },
    logs: { level: 'silent', file: false },
    plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
  });
  expect(complaintsOf('hey-api.ts')).toBe('');
  expect(await mainJobOf('hey-api.ts', 1600)).toEqual(DONE);
});

test('the API’s description passes Redocly’s lint without a warning', async () => {
  const config = await loadConfig({ configPath: resolve(import.meta.dirname, '../../redocly.yaml') });
  const text = await (await fetch(`${inject('address')}/v1/openapi.json`)).text();
  const problems = await lintFromString({ source: text, config });
  expect(problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`)).toEqual([]);
  // The lint can fail: a description without operation ids has warnings.
  const worse = text.replaceAll(/"operationId":"\w+",/g, '');
  const found = await lintFromString({ source: worse, config });
  expect(found.some(({ ruleId }) => ruleId === 'operation-operationId')).toBe(true);
});
