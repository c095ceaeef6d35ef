import { env } from 'cloudflare:workers';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { signToken } from '../../worker/configuration/signing.ts';
import type { LimitName } from '../../worker/gateways/rate-limits.ts';
import { createGroup } from '../../worker/models/fleet/bots.ts';
import { db, json, makeKey, scanOf, send, signedInUser } from './client.ts';
import { ClockedLimit, LIMITS } from './clocked-limit.ts';
import { cell } from './people.ts';

/** Replaces one limiter of wrangler.toml at a time. */
const QUICK = { calls: 2, seconds: 10 };

it('the limits have their decided values', () => {
  const calls = Object.fromEntries(Object.entries(LIMITS).map(([name, { calls: count }]) => [name, count]));
  expect(calls).toEqual({
    LOGIN_ADDRESS: 60,
    REGISTER_ADDRESS: 20,
    ORDER_USER: 240,
    DOWNLOAD_USER: 300,
    IMPORT_USER: 60,
    COMPARE_USER: 120,
    FLEET_GROUP: 3000,
    NOTIFY_USER: 5,
    REPORT_USER: 5,
    SHARE_USER: 20,
    SEARCH_ADDRESS: 240,
    SCHEDULE_USER: 60,
    PAYMENT_USER: 120,
    DASHBOARD_ADDRESS: 120,
  });
  expect(new Set(Object.values(LIMITS).map(({ seconds }) => seconds))).toEqual(new Set([60]));
});

interface Limited {
  what: string;
  limiter: LimitName;
  /** Creates a caller with a new key for the limiter, and returns their call. */
  somebody: () => Promise<() => { path: string; init: RequestInit }>;
  /** The status of an allowed call. */
  through: number;
  /** How many calls one check of the limiter covers. */
  calls?: number;
}

let people = 0;
const address = () => `192.0.2.${++people}`;

/** The header with an API key of a new user. */
async function ownKey(): Promise<{ authorization: string }> {
  const user = await signedInUser();
  const { data } = await makeKey(user);
  return { authorization: `Bearer ${data.key}` };
}

/** The session cookie of a new user. */
async function ownSession(): Promise<{ cookie: string }> {
  const { id } = await signedInUser();
  const session = await cell<string>('SELECT id FROM sessions WHERE user_id = ?', id);
  return { cookie: `__Host-muster_session=${await signToken(env, 'session', session, Date.now() + 60_000)}` };
}

const LIMITED: Limited[] = [
  {
    what: 'registrations from an address',
    limiter: 'REGISTER_ADDRESS',
    somebody: async () => {
      const from = { 'cf-connecting-ip': address() };
      return () => ({ path: '/v1/account/create', init: json({ username: 'x' }, from) });
    },
    through: 400,
  },
  {
    what: 'orders of a user',
    limiter: 'ORDER_USER',
    somebody: async () => {
      const key = await ownKey();
      return () => ({ path: '/v1/order/create', init: json({ orders: [scanOf([1])], scheduleInfo: null }, key) });
    },
    through: 200,
  },
  {
    what: 'downloads of a user',
    limiter: 'DOWNLOAD_USER',
    somebody: async () => {
      const headers = await ownKey();
      return () => ({ path: '/v1/order/no-such-item/download?type=csv', init: { headers } });
    },
    through: 404,
  },
  {
    what: 'reports of a user',
    limiter: 'REPORT_USER',
    somebody: async () => {
      const headers = await ownSession();
      return () => ({ path: '/v1/order/1/report', init: json({ message: 'It is wrong.' }, headers) });
    },
    through: 404,
  },
  {
    what: 'links of a user',
    limiter: 'SHARE_USER',
    somebody: async () => {
      const headers = await ownSession();
      return () => ({ path: '/v1/order/no-such-item/shares', init: json({}, headers) });
    },
    through: 404,
  },
  {
    what: 'searches from an address',
    limiter: 'SEARCH_ADDRESS',
    somebody: async () => {
      const headers = { 'cf-connecting-ip': address() };
      return () => ({ path: `/v1/search?q=${crypto.randomUUID()}`, init: { headers } });
    },
    through: 200,
  },
  ...(['pause', 'resume', 'end', 'edit'] as const).map(
    (verb): Limited => ({
      what: `changes of a user's schedules (${verb})`,
      limiter: 'SCHEDULE_USER',
      somebody: async () => {
        const headers = await ownSession();
        const body = verb === 'edit' ? { scheduleInfo: { start: new Date().toISOString() } } : {};
        return () => ({ path: `/v1/orders/scheduled/1/${verb}`, init: json(body, headers) });
      },
      through: 404,
    }),
  ),
  {
    what: 'imports of a user',
    limiter: 'IMPORT_USER',
    somebody: async () => {
      const headers = await ownSession();
      return () => ({ path: '/v1/scans/import', init: json({}, { ...headers, 'content-length': '2' }) });
    },
    through: 400,
  },
  {
    what: 'comparisons of a user',
    limiter: 'COMPARE_USER',
    somebody: async () => {
      const headers = await ownSession();
      return () => ({ path: '/v1/compare', init: { headers } });
    },
    through: 400,
  },
  {
    what: 'test messages of a user',
    limiter: 'NOTIFY_USER',
    somebody: async () => {
      const headers = await ownSession();
      return () => ({ path: '/v1/account/notifications/test', init: json({}, headers) });
    },
    through: 409,
  },
  {
    what: 'calls of a group of bots',
    limiter: 'FLEET_GROUP',
    somebody: async () => {
      const token = crypto.randomUUID();
      await createGroup(db, crypto.randomUUID(), 'test group', token);
      const lease = { bot_id: 'bot-1', games: ['rok'], count: 1 };
      return () => ({ path: '/v1/fleet/lease', init: json(lease, { authorization: `Bearer ${token}` }) });
    },
    through: 200,
    calls: 10,
  },
];

describe('a limited call', () => {
  // A limiter's answer is reused for a second, which is too short on a busy machine.
  beforeAll(() => void vi.useFakeTimers({ toFake: ['Date'] }));
  afterAll(() => void vi.useRealTimers());

  it.concurrent.each(LIMITED)(
    '$what: too many are refused with a message, while others and later ones pass',
    async ({ limiter, somebody, through, calls = 1 }) => {
      const [busy, other] = [await somebody(), await somebody()];
      const limit = new ClockedLimit(QUICK);
      const bindings = { ...env, [limiter]: limit };
      // As many calls as one check covers. If the first is refused, so are the others.
      const call = async (who: typeof busy) => {
        const { path, init } = who();
        const first = await send(path, init, bindings);
        for (let more = 1; more < calls; more++) {
          const { path, init } = who();
          expect([first.status, 429]).toContain((await send(path, init, bindings)).status);
        }
        return first;
      };
      expect((await call(busy)).status).toBe(through);
      expect((await call(busy)).status).toBe(through);
      const last = await call(busy);
      expect(last.status).toBe(429);
      expect(last.headers.get('retry-after')).toBe('60');
      expect(last.headers.get('ratelimit-policy')).toContain(`;q=${calls * LIMITS[limiter].calls};w=60`);
      expect(await last.json()).toEqual({
        success: 0,
        msg: 'Too many attempts. Please wait a minute, then try again.',
        code: 'too_many',
        request_id: expect.any(String),
      });
      expect((await call(other)).status).toBe(through);
      limit.now += QUICK.seconds * 1000;
      expect((await call(busy)).status).toBe(through);
    },
  );
});
