import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startClock } from '../scripts/clock.ts';
import { secretsOf } from '../scripts/secrets.ts';
import { Problem, ROOT, settingsOf } from '../scripts/settings.ts';

const folder = mkdtempSync(join(tmpdir(), 'muster-scripts-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('folders count from where npm was called; the state stays in the clone unless told otherwise', () => {
  const settings = settingsOf({ INIT_CWD: folder, PORT: '9000', STATE_DIR: 'state', SCANS_DIR: '../scans' });
  expect(settings).toEqual({ port: 9000, stateDir: join(folder, 'state'), scansDir: join(folder, '../scans') });
  expect(statSync(settings.stateDir).isDirectory()).toBe(true);
  expect(settingsOf({})).toEqual({ port: 8787, stateDir: join(ROOT, '.state'), scansDir: null });
});

test.each(['0', '70000', 'eighty', '80.5'])('PORT %s is refused in words', (port) => {
  expect(() => settingsOf({ PORT: port, STATE_DIR: folder })).toThrow(new Problem(`PORT is no port: ${port}`));
});

test('secrets are made once, random, and readable by their owner only', () => {
  const first = secretsOf(folder);
  expect(secretsOf(folder)).toEqual(first);
  const other = mkdtempSync(join(folder, 'other-'));
  expect(secretsOf(other).FLEET_TOKEN).not.toBe(first.FLEET_TOKEN);
  const { current, keys } = JSON.parse(first.SESSION_KEYS);
  expect(Buffer.from(keys[current], 'base64url')).toHaveLength(32);
  expect(statSync(join(folder, 'secrets.json')).mode & 0o077).toBe(0);
});

test('the clock calls each trigger that is due with its own expression, and says which one failed', async () => {
  const called: string[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://localhost');
    const cron = `${url.pathname} ${url.searchParams.get('cron')}`;
    called.push(cron);
    response.statusCode = cron.endsWith('*/1 * * * * *') ? 500 : 200;
    response.end('broken');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const errors: unknown[] = [];
  // Six fields: seconds come first, so that the test need not wait for a minute.
  const every = ['* * * * * *', '*/1 * * * * *', '0 0 1 1 *'];
  const stop = startClock(`http://127.0.0.1:${port}`, every, (error) => errors.push(error));
  try {
    await expect.poll(() => errors.length, { timeout: 5000 }).toBeGreaterThan(0);
    await expect.poll(() => new Set(called).size, { timeout: 5000 }).toBe(2);
  } finally {
    stop();
    server.close();
  }
  expect(new Set(called)).toEqual(
    new Set(['/cdn-cgi/local/scheduled * * * * * *', '/cdn-cgi/local/scheduled */1 * * * * *']),
  );
  expect(String(errors[0])).toContain("The cron trigger '*/1 * * * * *' answered 500: broken");
});
