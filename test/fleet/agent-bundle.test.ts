import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildAgent } from '../../scripts/build-agent.ts';
import { ROOT } from '../../scripts/settings.ts';

/** The agent as one file, run in a folder where nothing else is. */

const folder = mkdtempSync(join(tmpdir(), 'agent-'));
let modules: string[];
beforeAll(async () => {
  modules = await buildAgent(folder);
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs it until it ends or is stopped, and returns its exit code and output. */
function run(
  args: string[],
  env: Record<string, string> = {},
  stop?: Promise<void>,
): Promise<{ code: unknown; text: string }> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [join(folder, 'muster-agent.mjs'), ...args],
      { cwd: folder, env: { PATH: process.env.PATH ?? '', ...env } },
      (error, stdout, stderr) => resolve({ code: error ? error.code : 0, text: stdout + stderr }),
    );
    stop?.then(() => child.kill('SIGTERM'));
  });
}

/** A service that answers each call as the test says; the calls that it got. */
async function service(answer: (path: string) => [status: number, body: object]) {
  const calls: { path: string; body: { bot_id: string; kingdoms?: unknown } }[] = [];
  const leased = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (part) => {
      text += part;
    });
    request.on('end', () => {
      const path = request.url ?? '';
      calls.push({ path, body: JSON.parse(text) });
      if (path.endsWith('lease')) leased.resolve();
      const [status, body] = answer(path);
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, calls, leased: leased.promise, close: () => server.close() };
}

test('contains only fleet, domain, scan-files and zod', () => {
  const parts = modules.filter((path) => !path.startsWith('\0')).map((path) => relative(ROOT, path));
  expect(parts).toContain('fleet/agent.ts');
  expect(parts.filter((path) => !/^(fleet|domain|scan-files|node_modules\/zod)\//.test(path))).toEqual([]);
  const imports = readFileSync(join(folder, 'muster-agent.mjs'), 'utf8').matchAll(/^import .*? from ["'](.*?)["'];$/gm);
  expect([...imports].map(([, from]) => from).filter((from) => !from?.startsWith('node:'))).toEqual([]);
});

test('is built beside its Dockerfile, unit and README, which call it by its name', () => {
  expect(readdirSync(folder).sort()).toEqual(['Dockerfile', 'README.md', 'muster-agent.mjs', 'muster-agent.service']);
  for (const name of ['Dockerfile', 'README.md', 'muster-agent.service'])
    expect(readFileSync(join(folder, name), 'utf8')).toContain('/opt/muster-agent/muster-agent.mjs');
});

test('prints its usage, and names what is missing', async () => {
  expect(await run(['--help'])).toMatchObject({
    code: 0,
    text: expect.stringContaining('Usage: node muster-agent.mjs'),
  });
  const none = await run([]);
  expect(none).toMatchObject({ code: 1, text: expect.stringContaining('No token: set FLEET_TOKEN or --token.') });
});

test('exits with its own status if its token is refused', async () => {
  const { url, close } = await service(() => [401, { success: 0, msg: 'No.' }]);
  const { code, text } = await run(['--simulated'], { MUSTER_URL: url, FLEET_TOKEN: 't' });
  close();
  expect(code).toBe(78);
  expect(text).toContain('Ask an admin of the service for a token and set FLEET_TOKEN.');
});

test('declares the kingdoms in its folder', async () => {
  const scans = mkdtempSync(join(folder, 'scans-'));
  writeFileSync(join(scans, 'kingdom_4001_2026-01-01.csv'), 'Kingdom,Governor ID,Governor Name,Power\n4001,1,A,90\n');
  const { url, calls, leased, close } = await service((path) => [
    200,
    {
      success: 1,
      data: path.endsWith('heartbeat') ? { now: Date.now(), lease_seconds: 300 } : { tasks: [], ask_again_ms: 1000 },
    },
  ]);
  const env = { MUSTER_URL: url, FLEET_TOKEN: 't', SCANS_DIR: scans, SETTLE_MS: '0', BOTS: '1' };
  const { text } = await run([], env, leased);
  close();
  expect(text).toContain('1 kingdom (4001)');
  expect(calls.find(({ path }) => path.endsWith('heartbeat'))?.body.kingdoms).toEqual({ rok: [4001], cod: [] });
});
