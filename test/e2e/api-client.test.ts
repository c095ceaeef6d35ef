import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { lintFromString, loadConfig } from '@redocly/openapi-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { signedIn } from '../support/client.ts';

const ROOT = resolve(import.meta.dirname, '../..');
/** Inside the clone, so that what is generated finds its packages. */
const FOLDER = join(ROOT, 'dist', 'api-client');

let text: string;
beforeAll(async () => {
  text = await (await fetch(`${inject('address')}/v1/openapi.json`)).text();
});
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));

test('the API’s description passes Redocly’s lint without a warning', async () => {
  const config = await loadConfig({ configPath: join(ROOT, 'redocly.yaml') });
  const problems = await lintFromString({ source: text, config });
  expect(problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`)).toEqual([]);
  // It can fail: a description without its operations' names is warned of.
  const worse = text.replaceAll(/"operationId":"\w+",/g, '');
  const found = await lintFromString({ source: worse, config });
  expect(found.some(({ ruleId }) => ruleId === 'operation-operationId')).toBe(true);
});

/** openapi-typescript is made for TypeScript 5, whose compiler can be called; ours is 7, of which a package keeps the old calls. */
const hooks = registerHooks({
  resolve: (name, context, next) =>
    name === 'typescript' && context.parentURL?.includes('/openapi-typescript/')
      ? {
          url: `data:text/javascript,export{ts as default}from'${import.meta.resolve('@ts-morph/common')}'`,
          shortCircuit: true,
        }
      : next(name, context),
});
afterAll(() => hooks.deregister());

test('openapi-typescript makes a client of it that compiles and reads ten calls', async () => {
  const { astToString, default: openapiTS } = await import('openapi-typescript');
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, 'api.ts'), astToString(await openapiTS(text)));
  copyFileSync(join(import.meta.dirname, 'api-client/ten-calls.ts'), join(FOLDER, 'ten-calls.ts'));
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  const options = [
    '--ignoreConfig',
    '--strict',
    '--noEmit',
    '--module',
    'nodenext',
    '--target',
    'es2024',
    '--lib',
    'es2024,dom',
  ];
  const flags = [...options, '--allowImportingTsExtensions', '--skipLibCheck'];
  const compiled = spawnSync(process.execPath, [tsc, ...flags, join(FOLDER, 'ten-calls.ts')], { encoding: 'utf8' });
  expect(compiled.stdout).toBe('');

  const user = await signedIn(inject('address'));
  const form = { name: 'ten calls', scopes: ['read', 'order'], current_password: 'demo-muster' };
  const { key } = await user.call<{ key: string }>('POST', '/v1/account/keys', form);
  const { tenCalls } = (await import(pathToFileURL(join(FOLDER, 'ten-calls.ts')).href)) as {
    tenCalls: (address: string, key: string) => Promise<string[]>;
  };
  expect(await tenCalls(inject('address'), key)).toEqual([
    'health: ready',
    'products: 3',
    'stats: number',
    'board: 1',
    'kingdoms: number',
    'search: true',
    expect.stringMatching(/^kingdom: [1-9]/),
    'governor: true',
    expect.stringMatching(/^orders: \d+$/),
    'placed: 0.5',
  ]);
});
