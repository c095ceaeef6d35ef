import { describe, expect, test } from 'vitest';
import { SIMULATED } from '../../domain/fleet/contract.ts';
import { optionsOf } from '../../fleet/agent.ts';
import { CallError, waitBefore } from '../../fleet/client.ts';

const NOW = Date.UTC(2026, 0, 1);
const wait = (tried: number, status: number, retryAfter: string | null = null, chance = retryAfter?.trim() ? 0 : 1) =>
  waitBefore(tried, { status, retryAfter }, chance, NOW);

describe('retries', () => {
  test.each([400, 401, 403, 404, 409, 413, 422])('a refusal (%d) is final', (status) => {
    expect(wait(1, status)).toBeNull();
    expect(new CallError(status, 'no').refused).toBe(true);
  });

  test.each([0, 429, 500, 502, 503])('status %d is retried with growing waits of at most 10 s', (status) => {
    expect([1, 2, 3, 4, 10].map((tried) => wait(tried, status))).toEqual([250, 500, 1000, 2000, 10_000]);
    expect(wait(3, status, null, 0)).toBe(500);
    expect(new CallError(status, 'later').refused).toBe(false);
  });

  test('Retry-After decides, in seconds or as a date', () => {
    expect(wait(1, 429, '7')).toBe(7000);
    expect(wait(4, 503, '0')).toBe(0);
    // Bots that failed together do not come back together.
    expect(wait(1, 429, '8', 1)).toBe(10_000);
    expect(wait(1, 429, new Date(NOW + 12_000).toUTCString())).toBe(12_000);
    expect(wait(1, 429, new Date(NOW - 12_000).toUTCString())).toBe(0);
    for (const nothing of ['soon', '', ' ']) expect(wait(1, 429, nothing, 1)).toBe(250);
    expect(wait(1, 429, ' 3 ')).toBe(3000);
    // Other statuses are not retried, even with Retry-After.
    expect(wait(1, 409, '7')).toBeNull();
  });

  test('a wait of more than a minute is left to the caller', () => {
    expect(wait(1, 429, '60')).toBe(60_000);
    expect(wait(1, 429, '61')).toBeNull();
  });
});

describe('the command line', () => {
  const env = { FLEET_TOKEN: 'from-the-environment' };

  test('flags win over the environment, which wins over the defaults', async () => {
    expect(await optionsOf([], env)).toMatchObject({
      url: 'http://localhost:8787',
      bots: 4,
      paceMs: 400,
      name: 'agent',
    });
    expect(await optionsOf(['--simulated'], { ...env, BOTS: '2', MUSTER_URL: 'http://a' })).toMatchObject({
      url: 'http://a',
      bots: 2,
    });
    expect(await optionsOf(['--bots', '9', '--token', 't'], { ...env, BOTS: '2' })).toMatchObject({
      bots: 9,
      token: 't',
    });
    const set = { ...env, BOT_NAME: 'n', PACE_MS: '5', POLL_MS: '200', SCANS_DIR: 'test/fleet' };
    expect(await optionsOf([], set)).toMatchObject({
      token: 'from-the-environment',
      name: 'n',
      paceMs: 5,
      pollMs: 200,
      source: { name: 'scan folder' },
    });
    const flags = ['--name', 'm', '--pace', '6', '--poll', '300', '--url', 'http://b', '--scans', 'test/scan-files'];
    const flagged = await optionsOf(flags, { ...set, MUSTER_URL: 'http://a' });
    expect(flagged).toMatchObject({ url: 'http://b', name: 'm', paceMs: 6, pollMs: 300 });
    expect(flagged.source.describe()).toContain('test/scan-files: none that can be read');
    expect((await optionsOf([], env)).pollMs).toBe(240_000);
  });

  test.each([
    ['bots', 1, 100],
    ['pace', 0, 60_000],
    ['poll', 100, 600_000],
    ['settle', 0, 3_600_000],
  ])('--%s is from %d to %d', async (name, least, most) => {
    for (const value of [least, most]) await optionsOf([`--${name}`, String(value)], env);
    for (const value of [least - 1, most + 1, least + 0.5])
      await expect(optionsOf([`--${name}=${value}`], env)).rejects.toThrow(
        `--${name} must be a whole number from ${least} to ${most}, not '${value}'.`,
      );
  });

  test('for another machine it needs something to scan', async () => {
    const away = { ...env, MUSTER_URL: 'https://muster.test' };
    await expect(optionsOf([], away)).rejects.toThrow('Nothing to scan for https://muster.test: name a folder');
    await expect(optionsOf(['--url', 'https://localhost.test'], env)).rejects.toThrow('Nothing to scan');
    for (const url of ['http://localhost:1', 'http://127.0.0.1:1', 'http://[::1]:1'])
      expect((await optionsOf(['--url', url], env)).source).toMatchObject({ name: SIMULATED });
    expect((await optionsOf(['--simulated'], away)).source).toMatchObject({ name: SIMULATED });
    await expect(optionsOf(['--simulated', '--scans', 'x'], away)).rejects.toThrow('Choose one');
    await expect(optionsOf(['--url', 'muster'], env)).rejects.toThrow('--url must be an address like');
  });

  test('a missing token or an invalid number is named', async () => {
    await expect(optionsOf([], {})).rejects.toThrow('No token');
    await expect(optionsOf(['--bots', 'many'], env)).rejects.toThrow(
      "--bots must be a whole number from 1 to 100, not 'many'.",
    );
    await expect(optionsOf(['--speed', '1'], env)).rejects.toThrow('--speed');
  });
});
