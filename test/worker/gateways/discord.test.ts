import { afterEach, expect, it, vi } from 'vitest';
import { postToDiscord, sendsToDiscord } from '../../../worker/gateways/discord.ts';
import { NotSendingNow, RecipientRefused } from '../../../worker/models/messages/outbox.ts';

/** Requests to Discord, and the meaning of its answers. */

afterEach(() => {
  vi.restoreAllMocks();
});

const PRODUCTION = { ENVIRONMENT: 'production', DISCORD_API_BASE: '' };

function discord(status: number) {
  const body = new ReadableStream();
  const cancel = vi.spyOn(body, 'cancel');
  const timeout = vi.spyOn(AbortSignal, 'timeout');
  const answer = new Response([101, 204, 205, 304].includes(status) ? null : body, { status });
  const fetch = vi.spyOn(globalThis, 'fetch').mockImplementation(async () => answer);
  return { fetch, cancel, timeout };
}

it('a message goes to its webhook, mentions nobody, and follows no redirect', async () => {
  const { fetch, timeout, cancel } = discord(200);
  await postToDiscord(PRODUCTION, '12/token', '@everyone: done');
  const [address, init] = fetch.mock.calls[0] as [string, RequestInit];
  expect(address).toBe('https://discord.com/api/webhooks/12/token?wait=true');
  expect(init).toMatchObject({
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/json' },
    signal: expect.any(AbortSignal),
  });
  expect(JSON.parse(String(init.body))).toEqual({
    username: 'Muster',
    content: '@everyone: done',
    allowed_mentions: { parse: [] },
    flags: 4,
  });
  expect(timeout).toHaveBeenCalledExactlyOnceWith(10_000);
  expect(cancel).toHaveBeenCalledTimes(1);
});

it.each([
  [401, true],
  [403, true],
  [404, true],
  [400, false],
  [307, false],
  [500, false],
])('an answer of %d means gone for good: %s', async (status, gone) => {
  discord(status);
  const error = await postToDiscord(PRODUCTION, '12/token', 'x').catch((thrown: unknown) => thrown);
  expect(error instanceof RecipientRefused).toBe(gone);
  expect((error as Error).message).toBe(
    gone ? 'Discord says that this webhook does not exist.' : `Discord answered ${status}.`,
  );
});

it.each([
  [{}, 30_000],
  [{ 'retry-after': '1' }, 30_000],
  [{ 'retry-after': '90' }, 90_000],
  [{ 'retry-after': '1000000' }, 3_600_000],
])('a limit with %j is waited out for %d ms', async (headers, waitMs) => {
  vi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response('', { status: 429, headers }));
  const error = await postToDiscord(PRODUCTION, '12/token', 'x').catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(NotSendingNow);
  expect(error).toMatchObject({ waitMs });
});

it('another address than Discord’s works in local copies only, which just log without one', async () => {
  const { fetch } = discord(204);
  const info = vi.spyOn(console, 'info').mockImplementation(() => undefined);
  const local = { ENVIRONMENT: 'local', DISCORD_API_BASE: '' };
  expect([sendsToDiscord(local), sendsToDiscord(PRODUCTION)]).toEqual([false, true]);
  await postToDiscord(local, '12/token', 'hello');
  expect([fetch.mock.calls.length, info.mock.calls]).toEqual([0, [['Mail to Discord: hello']]]);
  const base = { DISCORD_API_BASE: 'http://stand-in.test' };
  expect(sendsToDiscord({ ...local, ...base })).toBe(true);
  await postToDiscord({ ...local, ...base }, '12/token', 'hello');
  expect(fetch.mock.calls[0]?.[0]).toBe('http://stand-in.test/api/webhooks/12/token?wait=true');
  await expect(postToDiscord({ ...PRODUCTION, ...base }, '12/token', 'x')).rejects.toThrow('is for local copies');
});
