import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import { SIMULATED } from '../../domain/fleet/contract.ts';
import { flawsOfConfiguration, flawsOfSecrets, notesOnSecrets } from '../../worker/configuration/checks.ts';
import type { Env } from '../../worker/env.ts';
import worker from '../../worker/index.ts';
import { createGroup } from '../../worker/models/fleet/bots.ts';
import { CARD_LOOK } from '../../worker/services/boards/draw-card.ts';
import { caller, columnsFor, db, json, production, scanOf, send, signedInUser } from './client.ts';

const flaws = (changes: Partial<Env>, of = production) => {
  const bindings = of(changes);
  return [...flawsOfSecrets(bindings), ...flawsOfConfiguration(bindings)];
};
const local = (changes: Partial<Env> = {}): Env => ({ ...env, ...changes });
const staging = (changes: Partial<Env> = {}): Env =>
  production({ ENVIRONMENT: 'staging', STRIPE_SECRET_KEY: 'sk_test_only', ...changes });
const key = 'A'.repeat(43);
const none = undefined as never;

describe('a valid configuration', () => {
  it('has no flaw', () => {
    expect(flaws({})).toEqual([]);
    expect(flaws({}, staging)).toEqual([]);
    expect(flaws({}, local)).toEqual([]);
    expect(flaws({ STRIPE_SECRET_KEY: none, STRIPE_WEBHOOK_SECRET: none })).toEqual([]);
    expect(flaws({ STRIPE_SECRET_KEY: 'rk_live_x' })).toEqual([]);
    // The two are set one after the other. Until both are set, only payments are closed.
    expect(flaws({ STRIPE_SECRET_KEY: none })).toEqual([]);
    expect(flaws({ STRIPE_WEBHOOK_SECRET: none })).toEqual([]);
    expect(flaws({ READY_PRODUCTS: '', LEASE_SECONDS: '1' })).toEqual([]);
    expect(flaws({ ALLOWED_ORIGINS: 'https://a.test, https://b.test', API_BASE: 'https://api.test' })).toEqual([]);
    expect(flaws({ PRIVACY: 'é'.repeat(2500) })).toEqual([]);
  });
});

describe('each flaw gives one sentence', () => {
  it.each<[string, Partial<Env>, string]>([
    ['no keys', { SESSION_KEYS: '' }, 'SESSION_KEYS is not set.'],
    ['keys that are not JSON', { SESSION_KEYS: '{' }, 'SESSION_KEYS is not JSON.'],
    ['empty keys', { SESSION_KEYS: '{}' }, 'SESSION_KEYS must be {"current"'],
    ['keys as a list', { SESSION_KEYS: '{"current":"a","keys":["x"]}' }, 'SESSION_KEYS must be {"current"'],
    [
      'an id with a dot',
      { SESSION_KEYS: `{"current":"a.b","keys":{"a.b":"${key}"}}` },
      'SESSION_KEYS must be {"current"',
    ],
    [
      'a short key',
      { SESSION_KEYS: `{"current":"a","keys":{"a":"${'A'.repeat(42)}"}}` },
      "The key 'a' of SESSION_KEYS is shorter",
    ],
    [
      'no key of the current id',
      { SESSION_KEYS: `{"current":"b","keys":{"a":"${key}"}}` },
      "SESSION_KEYS has no key 'b'",
    ],
    ['an unknown environment', { ENVIRONMENT: 'productoin' }, "ENVIRONMENT is 'productoin'"],
    ['a stand-in for Stripe', { STRIPE_API_BASE: 'http://127.0.0.1:1' }, 'STRIPE_API_BASE is for local copies'],
    ['a stand-in for Discord', { DISCORD_API_BASE: 'http://127.0.0.1:1' }, 'DISCORD_API_BASE is for local copies'],
    ['no address', { SITE_ORIGIN: none }, 'SITE_ORIGIN is not set.'],
    ['an address without TLS', { SITE_ORIGIN: 'http://muster.test' }, "SITE_ORIGIN is 'http://muster.test'"],
    ['a slash at the end', { SITE_ORIGIN: 'https://muster.test/' }, "SITE_ORIGIN is 'https://muster.test/'"],
    ['a path', { SITE_ORIGIN: 'https://muster.test/x' }, "SITE_ORIGIN is 'https://muster.test/x'"],
    ['the placeholder address', { SITE_ORIGIN: 'https://muster.example' }, 'SITE_ORIGIN still has its placeholder'],
    ['the placeholder chat', { CHAT_INVITE: 'https://x.example/join' }, 'CHAT_INVITE still has its placeholder'],
    ['the placeholder imprint', { IMPRINT: 'a@b.EXAMPLE' }, 'IMPRINT still has its placeholder'],
    ['no imprint', { IMPRINT: ' \n' }, 'IMPRINT is not set.'],
    ['no privacy notice', { PRIVACY: '' }, 'PRIVACY is not set.'],
    ['too long a text', { PRIVACY: `${'é'.repeat(2500)}a` }, 'PRIVACY has 5001 bytes'],
    ['no sender of mails', { MAIL_FROM: '' }, 'MAIL_FROM is not set.'],
    ['a sender without host', { MAIL_FROM: 'no-reply' }, "MAIL_FROM is 'no-reply'"],
    ['an invalid contact', { SUPPORT_EMAIL: 'a b@c.test' }, "SUPPORT_EMAIL is 'a b@c.test'"],
    ['a plain chat', { CHAT_INVITE: 'http://chat.test' }, "CHAT_INVITE is 'http://chat.test'"],
    ['an invalid script', { ANALYTICS_SCRIPT: 'script.js' }, "ANALYTICS_SCRIPT is 'script.js'"],
    ['an API with a path', { API_BASE: 'https://api.test/v1' }, "API_BASE has 'https://api.test/v1'"],
    ['a plain origin', { ALLOWED_ORIGINS: 'https://a.test,http://b.test' }, "ALLOWED_ORIGINS has 'http://b.test'"],
    ['no mail', { EMAIL: none }, 'The binding EMAIL is missing: declare it under [[send_email]].'],
    ['no limiter', { FLEET_GROUP: none }, 'The binding FLEET_GROUP is missing: declare it under [[ratelimits]].'],
    ['a lease in words', { LEASE_SECONDS: 'abc' }, "LEASE_SECONDS is 'abc'"],
    ['no lease', { LEASE_SECONDS: '' }, "LEASE_SECONDS is ''"],
    ['too short a lease', { LEASE_SECONDS: '0' }, "LEASE_SECONDS is '0'"],
    ['too long a lease', { LEASE_SECONDS: '3601' }, "LEASE_SECONDS is '3601'"],
    ['a mistyped product', { READY_PRODUCTS: 'rok-kingdom-scan, cod-scan' }, "READY_PRODUCTS names 'cod-scan'"],
    ['an invalid day', { READY_PRODUCTS: 'rok-history@2027-13-01' }, "READY_PRODUCTS names 'rok-history@2027-13-01'"],
    ['a test key', { STRIPE_SECRET_KEY: 'sk_test_x' }, 'STRIPE_SECRET_KEY is a test key'],
    ['a restricted test key', { STRIPE_SECRET_KEY: 'rk_test_x' }, 'STRIPE_SECRET_KEY is a test key'],
    ['another key', { STRIPE_SECRET_KEY: 'pk_live_x' }, 'STRIPE_SECRET_KEY is not a Stripe secret key'],
    ['another signing secret', { STRIPE_WEBHOOK_SECRET: 'x' }, 'STRIPE_WEBHOOK_SECRET is not a Stripe signing secret'],
  ])('%s', (_, changes, sentence) => {
    const found = flaws(changes);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(sentence);
    expect(found[0]).toMatch(/\.$/);
  });

  it('a live key or a placeholder in staging', () => {
    expect(flaws({ STRIPE_SECRET_KEY: 'sk_live_x' }, staging)).toEqual([
      'STRIPE_SECRET_KEY is a live key: staging takes test keys only.',
    ]);
    expect(flaws({ SITE_ORIGIN: 'https://staging.muster.example' }, staging)).toHaveLength(1);
  });

  it('in a local copy, only what cannot work', () => {
    expect(flaws({ LEASE_SECONDS: 'abc', SESSION_KEYS: '{}', SITE_ORIGIN: 'http://x.example/' }, local)).toHaveLength(
      2,
    );
  });

  it('several flaws at once', () => {
    expect(flaws({ SITE_ORIGIN: '', MAIL_FROM: 'x', LEASE_SECONDS: 'abc' })).toHaveLength(3);
  });
});

it('notes what an incomplete configuration switches off', () => {
  const notes = (changes: Partial<Env>) =>
    notesOnSecrets(production({ ALERT_WEBHOOK: 'https://hook.test/', ...changes }));
  expect(notes({})).toEqual([]);
  expect(notes({ STRIPE_SECRET_KEY: none, STRIPE_WEBHOOK_SECRET: none })).toEqual([]);
  expect(notes({ STRIPE_SECRET_KEY: none })).toEqual([
    'STRIPE_WEBHOOK_SECRET is set without STRIPE_SECRET_KEY: payments stay closed until both are.',
  ]);
  expect(notes({ STRIPE_WEBHOOK_SECRET: none })).toEqual([
    'STRIPE_SECRET_KEY is set without STRIPE_WEBHOOK_SECRET: payments stay closed until both are.',
  ]);
  expect(notes({ ALERT_WEBHOOK: none })).toEqual([expect.stringContaining('ALERT_WEBHOOK is not set')]);
  expect(notes({ ALERT_WEBHOOK: 'http://hook.test/' })).toEqual([expect.stringContaining('must begin with https://')]);
});

describe('with a flaw', () => {
  it.each([
    '/v1/products/list',
    '/v1/health',
    '/v1/governor/rankings?type=power&count=-1&page=0',
    '/v1/stats/global',
    `/v1/cards/muster-${CARD_LOOK}.png`,
    '/v1/nothing',
  ])('the call %s is refused', async (path) => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    const response = await send(path, {}, production({ LEASE_SECONDS: 'abc', SITE_ORIGIN: '' }));
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({
      success: 0,
      msg: 'The service is being set up. Please try again later.',
    });
    expect(log.mock.calls).toEqual([
      ["Muster refuses to work: LEASE_SECONDS is 'abc': it must be a whole number from 1 to 3600."],
      ['Muster refuses to work: SITE_ORIGIN is not set.'],
    ]);
  });

  it.each(['/', '/leaderboard', '/faq'])('the page %s is refused', async (path) => {
    const response = await send(path, {}, production({ MAIL_FROM: '' }));
    expect(response.status).toBe(503);
    expect(await response.text()).toMatch(
      /^The service is being set up\. Please try again later\.\n\nRequest [\da-f-]{36}$/,
    );
  });

  it('a cached board is not served either', async () => {
    const bindings = production();
    const ask = (with_: Env) =>
      worker.fetch(new Request('https://muster.test/v1/kingdom/rankings/rok') as never, with_, {} as ExecutionContext);
    expect((await ask(bindings)).status).toBe(200);
    expect((await ask(production({ READY_PRODUCTS: 'x' }))).status).toBe(503);
  });

  it('a closed service refuses calls with its own message', async () => {
    const bindings = production({ CLOSED: 'Back at 12:00 UTC.' });
    for (const path of ['/v1/products/list', '/v1/kingdom/rankings/rok', '/faq']) {
      const response = await worker.fetch(
        new Request(`https://muster.test${path}`) as never,
        bindings,
        {} as ExecutionContext,
      );
      expect(response.status).toBe(503);
      expect(await response.text()).toContain('Back at 12:00 UTC.');
    }
    const controller = createScheduledController({ cron: 'no such cron', scheduledTime: new Date() });
    await worker.scheduled(controller, bindings);
    await expect(worker.scheduled(controller, production())).rejects.toThrow('no such cron');
  });

  it('no cron runs', async () => {
    const controller = createScheduledController({ cron: '* * * * *', scheduledTime: new Date() });
    await expect(worker.scheduled(controller, production({ SESSION_KEYS: '{}' }))).rejects.toThrow('No cron runs');
    await worker.scheduled(controller, env);
  });
});

it('a deployment refuses rows of the simulated world', async () => {
  const token = `token-${crypto.randomUUID()}`;
  await createGroup(db, crypto.randomUUID(), 'test group', token);
  const headers = { authorization: `Bearer ${token}` };
  const bot = caller(headers);
  await (await signedInUser()).call('POST', '/v1/order/create', { orders: [scanOf([1077])] });
  const { data: leased } = await bot.call('POST', '/v1/fleet/lease', { bot_id: 'b', games: ['rok'] });
  const [{ subtask_id, lease, ...task }] = leased.tasks;
  const made = (source: string) => ({
    bot_id: 'b',
    results: [{ subtask_id, lease, captured_at: Date.now(), source, columns: columnsFor(task) }],
  });
  for (const source of [SIMULATED, ' Simulated World'])
    for (const bindings of [production(), staging()]) {
      const response = await send('/v1/fleet/rows', json(made(source), headers), bindings);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({
        msg: 'results[0]: source: rows of the simulated world are for local copies only.',
      });
    }
  const { data } = await bot.call('POST', '/v1/fleet/rows', made(SIMULATED));
  expect(data.results).toEqual([{ subtask_id, outcome: 'accepted' }]);
});
