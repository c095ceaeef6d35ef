import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { charactersOf } from '../scripts/card-fonts.ts';
import { startClock } from '../scripts/clock.ts';
import { startPayments } from '../scripts/payments.ts';
import { secretsOf } from '../scripts/secrets.ts';
import { seed } from '../scripts/seed.ts';
import { Problem, ROOT, settingsOf } from '../scripts/settings.ts';
import { checkDatabaseFile, writeState } from '../scripts/state.ts';
import { watch } from '../scripts/watch.ts';

const folder = mkdtempSync(join(tmpdir(), 'muster-scripts-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('folders are relative to where npm was called; the state is in the clone by default', () => {
  const settings = settingsOf({ INIT_CWD: folder, PORT: '9000', STATE_DIR: 'state', SCANS_DIR: '../scans' });
  expect(settings).toEqual({ port: 9000, stateDir: join(folder, 'state'), scansDir: join(folder, '../scans') });
  expect(statSync(settings.stateDir).isDirectory()).toBe(true);
  expect(settingsOf({})).toEqual({ port: 8787, stateDir: join(ROOT, '.state'), scansDir: null });
});

test('what builds a copy is installed even if NODE_ENV is production', () => {
  const clone = join(folder, 'clone');
  const write = (name: string, content: string) => {
    mkdirSync(dirname(join(clone, name)), { recursive: true });
    writeFileSync(join(clone, name), content);
  };
  write('tool/package.json', JSON.stringify({ name: 'tool', version: '1.0.0' }));
  write('package.json', JSON.stringify({ name: 'clone', devDependencies: { tool: 'file:tool' } }));
  write('package-lock.json', JSON.stringify({ name: 'clone', lockfileVersion: 3, packages: {} }));
  write('scripts/install.mjs', readFileSync(join(ROOT, 'scripts/install.mjs'), 'utf8'));
  const { npm_config_include: _, ...env } = process.env;
  execFileSync(process.execPath, [join(clone, 'scripts/install.mjs')], { env: { ...env, NODE_ENV: 'production' } });
  expect(statSync(join(clone, 'node_modules/tool/package.json')).isFile()).toBe(true);
});

test('the build lists exactly the characters that a font can draw', () => {
  const fileOf = (family: string, subset: string) =>
    readFileSync(join(ROOT, 'node_modules/@fontsource', family, 'files', `${family}-${subset}-400-normal.woff2`));
  const drawn = (font: Buffer, text: string) =>
    [...text].map((character) => {
      const code = character.codePointAt(0) ?? 0;
      return charactersOf(font).some(([from, to]) => from <= code && code <= to);
    });
  const latin = fileOf('inter', 'latin');
  expect(drawn(latin, 'AZaz09 é')).toEqual(Array(8).fill(true));
  expect(drawn(latin, 'Ж字😀\uffff')).toEqual([false, false, false, false]);
  expect([drawn(fileOf('noto-sans-javanese', 'javanese'), '꧁'), drawn(latin, '꧁')]).toEqual([[true], [false]]);
  const runs = charactersOf(latin);
  expect(runs.every(([from, to], index) => from <= to && from > (runs[index - 1]?.[1] ?? -2) + 1)).toBe(true);
  expect(() => charactersOf(Buffer.from('no font at all'))).toThrow();
});

test.each(['0', '70000', 'eighty', '80.5'])('PORT %s is refused in words', (port) => {
  expect(() => settingsOf({ PORT: port, STATE_DIR: folder })).toThrow(
    new Problem(`PORT is not a port number: ${port}`),
  );
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

const state = (name: string, files: Readonly<Record<string, string>>): string => {
  const dir = mkdtempSync(join(folder, `${name}-`));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, file)), { recursive: true });
    writeFileSync(join(dir, file), text, 'latin1');
  }
  return dir;
};

describe('an empty or truncated file of a copy is named in a sentence', () => {
  const BROKEN = ['', '{"SESSION_KEYS": "{', '[20000, 20', 'null', '{}', '\0\0\0\0'];

  test.each(BROKEN)('secrets.json: %j', (text) => {
    const dir = state('secrets', { 'secrets.json': text });
    expect(() => secretsOf(dir)).toThrow(
      new Problem(
        `${join(dir, 'secrets.json')} is empty or cut: the keys of this copy are lost. Delete it and start again with new ones: everybody signs in anew, and sets up second factors and Discord anew.`,
      ),
    );
    expect(readFileSync(join(dir, 'secrets.json'), 'latin1')).toBe(text);
  });

  test.each(BROKEN)('seeded.json: %j', async (text) => {
    const dir = state('seeded', { 'seeded.json': text });
    await expect(seed(async () => {}, secretsOf(dir), { stateDir: dir, scansDir: null })).rejects.toThrow(
      new Problem(
        `${join(dir, 'seeded.json')} is empty or cut: which days of the simulated world are there is lost. Delete it and start again: they are published once more, which changes nothing else.`,
      ),
    );
  });

  test.each(BROKEN)('the books of the stand-in for Stripe: %j', async (text) => {
    const dir = state('books', { 'stripe-stand-in.json': text });
    await expect(startPayments({ port: 1, stateDir: dir, scansDir: null })).rejects.toThrow(
      new Problem(
        `${join(dir, 'stripe-stand-in.json')} is empty or cut: the test payments of this copy are lost. Delete it and start again: balances stay, but what was paid can no longer be refunded or disputed.`,
      ),
    );
  });

  const DATABASE = 'v3/d1/miniflare-D1DatabaseObject/0a.sqlite';
  const pages = (count: number, ofBytes: number) => {
    const header = Buffer.alloc(100);
    header.write('SQLite format 3\0', 'latin1');
    header.writeUInt16BE(4096, 16);
    header.writeUInt32BE(count, 28);
    return header.toString('latin1').padEnd(ofBytes, '\0');
  };

  test.each([
    ['empty', ''],
    ['cut within its header', pages(3, 50)],
    ['cut within its pages', pages(3, 2 * 4096 + 1)],
    ['no database', 'x'.repeat(4096)],
  ])('the D1 file: %s', (_, text) => {
    const dir = state('d1', { [DATABASE]: text, 'seeded.json': '[]' });
    expect(() => checkDatabaseFile(dir)).toThrow(
      new Problem(
        `${join(dir, DATABASE)} is empty or cut: accounts, balances and orders of this copy are lost. Put the folder ${dir} back from a copy of it, or delete it and start anew.`,
      ),
    );
    // Before anything was kept in it, nothing is lost.
    rmSync(join(dir, 'seeded.json'));
    expect(() => checkDatabaseFile(dir)).not.toThrow();
  });

  test('the D1 file: gone, or whole', () => {
    const dir = state('d1', { 'seeded.json': '[]', 'v3/d1/miniflare-D1DatabaseObject/metadata.sqlite': '' });
    expect(() => checkDatabaseFile(dir)).toThrow(/is missing: accounts, balances and orders of this copy are lost\./);
    const whole = state('d1', { 'seeded.json': '[]', [DATABASE]: pages(3, 3 * 4096) });
    expect(() => checkDatabaseFile(whole)).not.toThrow();
  });
});

test('a write replaces a file at once: no reader sees half of it, and a failed write keeps the old one', () => {
  const file = join(folder, 'whole.json');
  writeState(file, { first: 1 });
  const inode = statSync(file).ino;
  writeState(file, { second: 'x'.repeat(100_000) });
  // Another file under the same name: never the same one, half written.
  expect(statSync(file).ino).not.toBe(inode);
  const circle: { self?: unknown } = {};
  circle.self = circle;
  expect(() => writeState(file, circle)).toThrow();
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ second: 'x'.repeat(100_000) });
});

test('the clock calls each due trigger with its own expression, and names the one that failed', async () => {
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

test('a service is restarted each time it stops answering for too long', async () => {
  const silent = new Set<string>();
  const events: string[] = [];
  const servers: Server[] = [];
  const serve = async (name: string) => {
    const server = createServer((request, response) => {
      events.push(`${name} asked for ${request.url}`);
      if (!silent.has(name)) response.end();
    });
    servers.push(server);
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    const close = async () => {
      events.push(`${name} closed`);
      server.closeAllConnections();
    };
    return { address: `http://127.0.0.1:${port}`, close };
  };
  const said = vi.spyOn(console, 'error').mockReturnValue();
  const started: number[] = [];
  const restart = async () => {
    started.push(Date.now());
    events.push('restart');
    if (started.length === 2) throw new Error('the end of the test');
    const second = await serve('second');
    setTimeout(() => silent.add('second'), 250);
    return second;
  };
  silent.add('first');
  const began = Date.now();
  // An answer may take long on a busy machine.
  const pace = { everyMs: 20, answerMs: 300, patienceMs: 400 };
  try {
    await expect(watch(await serve('first'), restart, pace)).rejects.toThrow('the end of the test');
  } finally {
    for (const server of servers) server.close();
  }
  const [first = 0, second = 0] = started;
  expect(first - began).toBeGreaterThanOrEqual(400);
  expect(second - first).toBeGreaterThanOrEqual(600);
  expect([...new Set(events)]).toEqual([
    ...['first asked for /v1/health', 'first closed', 'restart'],
    ...['second asked for /v1/health', 'second closed'],
  ]);
  expect(said.mock.calls.flat()).toEqual(
    Array(2).fill('The service has not answered for 0.4 seconds. It is started again.'),
  );
  said.mockRestore();
});
