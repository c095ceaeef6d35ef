import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Secret, TOTP } from 'otpauth';
import { afterAll, expect, test } from 'vitest';
import { GAMES } from '../../domain/games/games.ts';
import { simulatedWorld } from '../../fleet/sources/world.ts';
import { openPlatform } from '../../scripts/admin/platform.ts';
import { restoreBackup } from '../../scripts/admin/restore.ts';
import { build } from '../../scripts/build.ts';
import { examine } from '../../scripts/doctor.ts';
import { ROOT } from '../../scripts/settings.ts';
import { type Client, clientOf, ended, order, rowsOf, waitFor } from '../support/client.ts';
import { freePort } from '../support/service.ts';
import { admin, configurationFor, type Deployment, deploy, wrangler } from './deployment.ts';

/** A deployment from an empty state to a customer's result, and back from a disaster, by the operator's own commands. */

// The certificate is this machine's own.
process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';

const folder = mkdtempSync(join(tmpdir(), 'muster-proof-'));
const PASSWORD = 'four unrelated words here';
const KINGDOM = 1007;
const GOVERNORS = 300;
/** Two dozen processes, one after the other: a minute and a half on an idle machine. */
const PATIENCE_MS = 600_000;

let running: Deployment | undefined;
const ends: (() => void)[] = [];
afterAll(async () => {
  for (const end of ends) end();
  await running?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Writes a scan file as a known tool writes it, with made-up governors of a kingdom. */
function writeScans(): { scans: string; rows: Record<string, unknown>[] } {
  const scans = join(folder, 'scans');
  mkdirSync(scans, { recursive: true });
  const rows = simulatedWorld().rows('rok', KINGDOM, Date.UTC(2026, 10, 1), GOVERNORS);
  const lines = rows.map((row) =>
    JSON.stringify(Object.fromEntries(GAMES.rok.columns.map(({ key, title }) => [title, row[key] ?? null]))),
  );
  const day = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  writeFileSync(join(scans, `${KINGDOM}_${day}.jsonl`), lines.join('\n'));
  return { scans, rows };
}

/** Rows as a csv file to import or load, with a day's gains added. */
function csvOf(rows: readonly Record<string, unknown>[], gained: number): string {
  const { columns } = GAMES.rok;
  const cell = (value: unknown) => `"${String(value ?? '').replaceAll('"', '""')}"`;
  const lines = rows.map((row) =>
    columns.map(({ key }) => cell(key === 'power' ? Number(row[key]) + gained : row[key])).join(','),
  );
  return [columns.map(({ title }) => cell(title)).join(','), ...lines].join('\n');
}

/** Sends a file as a browser does; returns the envelope's data. */
async function sendFile<Data>(client: Client, path: string, body: string): Promise<Data> {
  const headers = { cookie: client.cookie(), 'content-type': 'text/csv', accept: 'application/json' };
  const answer = await fetch((running as Deployment).address + path, { method: 'POST', headers, body });
  const { data, msg } = (await answer.json()) as { data: Data; msg?: string };
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${msg}`);
  return data;
}

const DAY_MS = 86_400_000;

/** Makes an event of the kingdom, with two snapshots loaded by an admin; returns its id. */
async function makeEvent(chief: Client, rows: readonly Record<string, unknown>[]): Promise<number> {
  const start = Math.floor(Date.now() / DAY_MS - 3) * DAY_MS;
  const { dashboard_id } = await chief.call<{ dashboard_id: number }>('POST', '/v1/admin/events', {
    ...{ game: 'rok', kvk_id: 'P-1', name: 'Proof', season: 'S1', sponsored_text: '', gather: false },
    camps: [{ name: 'Fire', kingdoms: [String(KINGDOM)] }],
    ...{ refresh_rate: 60, start, end: start + 30 * DAY_MS, dates: {}, weights: { killcount_t4: 10 } },
  });
  for (const day of [0, 1]) {
    const at = new Date(start + day * DAY_MS).toISOString();
    const path = `/v1/admin/events/${dashboard_id}/snapshots?captured_at=${at}&name=${KINGDOM}.csv`;
    await sendFile(chief, path, csvOf(rows, day));
  }
  await chief.call('POST', `/v1/admin/events/${dashboard_id}/publish`);
  return dashboard_id;
}

/** Imports two scans of a customer; returns their ids. */
async function bringScans(customer: Client, rows: readonly Record<string, unknown>[]): Promise<string[]> {
  const ids: string[] = [];
  for (const day of [5, 12]) {
    const name = `${KINGDOM}_2026-01-${String(day).padStart(2, '0')}.csv`;
    const { import_id } = await sendFile<{ import_id: string }>(
      customer,
      `/v1/scans/import?name=${name}&kingdom=${KINGDOM}`,
      csvOf(rows, day),
    );
    const saved = await customer.call<{ scan_ids: string[] }>('POST', `/v1/scans/import/${import_id}/save`, {
      kingdom: KINGDOM,
      captured_at: `2026-01-${String(day).padStart(2, '0')}T00:00:00Z`,
    });
    ids.push(...saved.scan_ids);
  }
  return ids;
}

/** A restore whose process ends after this many objects. */
async function cutRestore(stateDir: string, config: string, kept: string, objects: number): Promise<void> {
  const platform = await openPlatform({ remote: false, environment: undefined, stateDir, config });
  let left = objects;
  const put = (...args: Parameters<typeof platform.store.put>) =>
    left-- > 0 ? platform.store.put(...args) : Promise.reject(new Error('the process was killed'));
  const store = new Proxy(platform.store, {
    get: (target, name) => (name === 'put' ? put : Reflect.get(target, name).bind(target)),
  });
  try {
    await expect(restoreBackup({ ...platform, store }, kept, { name: 'op' })).rejects.toThrow('the process was killed');
  } finally {
    await platform.close();
  }
}

/** The newest mail to an address, once it has arrived. */
async function mailTo(address: string): Promise<{ subject: string; text: string }> {
  const mailOf = async () => (await running?.mails())?.filter(({ to }) => to === address).at(-1);
  await expect.poll(mailOf, { timeout: 20_000 }).toBeDefined();
  return (await mailOf()) as { subject: string; text: string };
}

/**
 * The exit code and error output of a program of ours. Asynchronous, because the service behind https is partly this
 * process.
 */
const endOf = (args: string[]): Promise<[code: number | null, said: string]> =>
  new Promise((done) => {
    const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk;
    });
    child.once('close', (code) => done([code, said]));
  });

const codeOf = (secret: string, at = Date.now()): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at });

/** Registers with a code, verifies the address by the mailed link, signs in and accepts the licence. */
async function register(address: string, username: string, access_code: string): Promise<Client> {
  const client = clientOf(address);
  const email = `${username}@mail.test`;
  await client.call('POST', '/v1/account/create', { username, password: PASSWORD, email, fullname: '', access_code });
  const { text } = await mailTo(email);
  const link = new URL(/https:\/\/\S+/.exec(text)?.[0] ?? '');
  expect(link.origin).toBe(address);
  await client.call('POST', '/v1/verify-email', { token: link.searchParams.get('token') });
  await client.call('POST', '/v1/login', { username, password: PASSWORD });
  await client.call('POST', '/v1/eula/accept', { accepted: true });
  return client;
}

test(
  'a deployment goes from an empty state to a result, and back from a disaster',
  async () => {
    await build();
    const port = await freePort();
    const stateDir = join(folder, 'state');
    mkdirSync(stateDir);
    const config = configurationFor(folder, port);
    const keys = { current: 'k1', keys: { k1: randomBytes(32).toString('base64url') } };
    const secrets = { SESSION_KEYS: JSON.stringify(keys) };
    expect(examine(config, undefined, secrets)).toEqual([]);
    const up = async (state = stateDir) => {
      running = await deploy(config, { port, stateDir: state, secrets });
      return running;
    };
    const down = async () => {
      await running?.close();
      running = undefined;
    };

    // An empty account: the database and the first code.
    wrangler('d1', 'migrations', 'apply', 'DB', '--local', '--config', config, '--persist-to', stateDir);
    const code = /Access code: (\S+)/.exec(admin(stateDir, config, 'first-code'))?.[1] ?? '';

    // Routes of a local copy are not exposed.
    const { address } = await up();
    const page = await fetch(`${address}/`);
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self';");
    expect(page.headers.get('strict-transport-security')).toContain('max-age=');
    expect((await fetch(`${address}/cdn-cgi/local/scheduled?cron=*+*+*+*+*`)).status).not.toBe(200);
    for (const [username, password] of [
      ['demo', 'demo-muster'],
      ['admin', 'admin-muster'],
    ])
      expect((await clientOf(address).send('POST', '/v1/login', { username, password })).status).toBe(401);

    // The first user, whose cookies are bound to the host and to TLS.
    const chief = await register(address, 'chief', code);
    const again = await clientOf(address).send('POST', '/v1/login', { username: 'chief', password: PASSWORD });
    expect(again.headers.getSetCookie().join()).toMatch(
      /^__Host-muster_session=[^;]+;.*HttpOnly; Secure; SameSite=Lax/,
    );
    expect((await chief.send('GET', '/v1/admin/figures')).status).toBe(404);

    // The first admin, with a second factor, and the first group.
    await down();
    expect(admin(stateDir, config, 'promote', 'chief')).toContain('chief is an admin now.');
    const token = /FLEET_TOKEN=(\S+)/.exec(admin(stateDir, config, 'group', 'add', 'scanners'))?.[1] ?? '';
    await up();
    expect((await chief.send('GET', '/v1/admin/figures')).status).toBe(403);
    const { secret } = await chief.call<{ secret: string }>('POST', '/v1/account/two-factor/start', {
      current_password: PASSWORD,
    });
    await chief.call('POST', '/v1/account/two-factor/confirm', { code: codeOf(secret) });
    await chief.call('GET', '/v1/admin/figures');

    // A customer with a balance.
    const given = await chief.call<{ code: string }>('POST', '/v1/admin/access-codes', { max_uses: 1 });
    const customer = await register(address, 'customer', given.code);
    const gift = { username: 'customer', amount: 20, reason: 'Welcome', code: codeOf(secret, Date.now() + 30_000) };
    await chief.call('POST', '/v1/admin/adjustments', gift);

    // The agent refuses made-up rows and another token, then reads a folder of scans.
    const { scans, rows } = writeScans();
    const agent = (bearer: string, ...args: string[]) => [
      'fleet/agent.ts',
      ...['--url', address, '--token', bearer, '--pace', '10', '--poll', '200', '--settle', '0', ...args],
    ];
    const away = ['fleet/agent.ts', '--url', 'https://muster.test', '--token', token];
    expect(await endOf(away)).toEqual([1, expect.stringContaining('Nothing to scan for')]);
    expect(await endOf(agent('x'.repeat(43), '--scans', scans))).toEqual([
      78,
      expect.stringContaining('knows no bot group with this token'),
    ]);
    const bots = spawn(process.execPath, agent(token, '--scans', scans), { cwd: ROOT, stdio: 'ignore' });
    ends.push(() => bots.kill());

    // An order, filled.
    const orderId = await order(customer, 'rok', [KINGDOM], GOVERNORS);
    const done = await waitFor(customer, orderId, ended, 60_000);
    expect(done.items).toMatchObject([{ state: 'done', has_results: true, error: null }]);
    const itemId = done.items[0]?.item_id ?? '';
    const results = await rowsOf(customer, itemId);
    expect(results.map(({ governor_id, power }) => [governor_id, power])).toEqual(
      rows.map(({ governor_id, power }) => [governor_id, power]),
    );
    for (const cron of ['* * * * *', '0 * * * *', '10 0 * * *', '30 3 * * *'])
      expect(await running?.cron(cron)).toBe('ok');
    const troubles = await chief.call<{ setbacks?: unknown[] }>('GET', '/v1/admin/figures');
    expect(JSON.stringify(troubles)).not.toContain('"error"');

    // An event, and scans of the customer's own.
    const eventId = await makeEvent(chief, rows);
    const [from, to] = await bringScans(customer, rows);

    // A backup, and its restore into another empty account.
    bots.kill();
    const name = String(results[0]?.name);
    const seen = async (client: Client) => ({
      balance: (await client.call<{ balance: number }>('GET', '/v1/account')).balance,
      orders: await client.call('GET', '/v1/orders'),
      results: await rowsOf(client, itemId),
      statement: await client.call('GET', '/v1/account/statement'),
      search: await client.call('GET', `/v1/search?q=${encodeURIComponent(name)}`),
      board: await client.call('GET', '/v1/kingdom/rankings/rok?count=100&page=0'),
      governor: await client.call('GET', `/v1/governors/${results[0]?.governor_id}/`),
      event: await client.call('GET', `/v1/dashboards/${eventId}/data`),
      library: await client.call('GET', '/v1/scans'),
      compared: await client.call('GET', `/v1/compare/table?from=${from}&to=${to}`),
    });
    // The board was just published; its manifest is read again after some seconds.
    const boardRows = async () => ((await seen(customer)).board as { info: { total: number } }).info.total;
    await expect.poll(boardRows, { timeout: 60_000, interval: 2000 }).toBe(1);
    const before = await seen(customer);
    expect(before.balance).toBe(18.5);
    await down();
    const kept = join(folder, 'backup');
    expect(admin(stateDir, config, 'verify')).toContain('Everything fits.');
    admin(stateDir, config, 'backup', kept);
    const emptyAt = (name: string): string => {
      const place = join(folder, name);
      mkdirSync(place);
      wrangler('d1', 'migrations', 'apply', 'DB', '--local', '--config', config, '--persist-to', place);
      return place;
    };
    const elsewhere = emptyAt('elsewhere');
    // An interrupted restore can simply run again.
    await cutRestore(elsewhere, config, kept, 3);
    admin(elsewhere, config, 'restore', kept);
    expect(admin(elsewhere, config, 'verify')).toContain('Everything fits.');
    // The backup taken by the cron equals it.
    expect(admin(stateDir, config, 'backups')).toMatch(/: \d+ rows, and \d+ files read again as they were\./);
    const fetched = join(folder, 'fetched');
    admin(stateDir, config, 'fetch-backup', fetched);
    const third = emptyAt('third');
    admin(third, config, 'restore', fetched);
    expect(admin(third, config, 'verify')).toContain('Everything fits.');
    rmSync(stateDir, { recursive: true });

    await up(elsewhere);
    const back = clientOf(address);
    await back.call('POST', '/v1/login', { username: 'customer', password: PASSWORD });
    expect(await seen(back)).toEqual(before);
    // Ids continue where they were, and triggers are back.
    expect(await order(back, 'rok', [KINGDOM], 100)).toBe(orderId + 1);
    expect((await back.call<{ balance: number }>('GET', '/v1/account')).balance).toBe(18);
    await down();
    expect(admin(elsewhere, config, 'verify')).toContain('Everything fits.');
  },
  PATIENCE_MS,
);

test.each(['', 'staging'])(
  'a deployment of the environment "%s" would go through without a warning',
  async (environment) => {
    await build();
    const printed = wrangler(
      'deploy',
      '--dry-run',
      '--outdir',
      join(folder, `dry-${environment}`),
      `--env=${environment}`,
    );
    expect(printed).toContain('--dry-run: exiting now.');
    expect(printed).not.toMatch(/warning|deprecated/i);
  },
);
