import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { app } from '../../worker/app.ts';
import { checkOf } from '../../worker/middleware/validate.ts';
import { allRowsBut } from './all-rows.ts';
import type { Caller } from './client.ts';
import { callers, checked, met, NAMES, openDoors, SEED } from './fuzz-calls.ts';

/**
 * Sends random calls to every route as every kind of caller. None may return a 500 or an answer outside of its schema,
 * and a refused call may not write anything. Calls that grow in size, count and depth are in test/proof/worker.
 */

const CALLS_PER_ROUTE = 6;

interface Route {
  method: string;
  path: string;
  /** Names of the body's fields, so that random bodies get past the first check. */
  fields: string[];
}

const fieldsOf = (handlers: object[]): string[] =>
  handlers.flatMap((handler) => {
    const check = checkOf(handler);
    if (check?.target !== 'json') return [];
    const { properties } = z.toJSONSchema(check.schema, { io: 'input', unrepresentable: 'any' });
    return Object.keys(properties ?? {});
  });

const routes: Route[] = [
  ...Map.groupBy(
    app.routes.filter(({ method, path }) => method !== 'ALL' && path.startsWith('/v1/')),
    ({ method, path }) => `${method} ${path}`,
  ).values(),
].flatMap((entries) => {
  const [first] = entries;
  return first ? [{ ...first, fields: fieldsOf(entries.map(({ handler }) => handler)) }] : [];
});

/** Sign-out routes come last, because they end the callers' sessions. */
const endsSessions = ({ path }: Route): number => Number(/\/(logout|sign-out)$/.test(path));
const ordered = routes.sort((a, b) => endsSessions(a) - endsSessions(b));

// --- Random parts of a call -----------------------------------------------------------------------------------------

const ids = fc.oneof(
  fc.constantFrom(
    '1',
    '0',
    '-1',
    '999999999999999999999',
    '1e3',
    'null',
    '..',
    '%00',
    '%F0%9F%98%80',
    "'--",
    'rok',
    'i1',
  ),
  fc.string({ maxLength: 40 }).map(encodeURIComponent),
  fc.uuid(),
);

const scalar = fc.oneof(
  fc.constantFrom<unknown>(null, '', '1', 'rok', 'active', 'day', -1, 0, 1, 100, 1.5, 1e308, 2 ** 53, true, [], {}),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.double({ noDefaultInfinity: true, noNaN: true }),
  fc.constantFrom('a@b.example', '\u0000', '__proto__', '\ud800', '<script>', 'https://evil.example'),
);

const bodyFor = ({ fields }: Route): fc.Arbitrary<string | undefined> => {
  const value = fc.oneof(scalar, fc.jsonValue({ maxDepth: 2 }));
  const shaped = fc.record(Object.fromEntries(fields.map((name) => [name, value])), { requiredKeys: [] });
  return fc.oneof(
    { weight: 6, arbitrary: shaped.map((body) => JSON.stringify(body)) },
    { weight: 2, arbitrary: fc.json({ maxDepth: 3 }) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
    { weight: 1, arbitrary: fc.constantFrom(undefined, '', '{', '[]', 'null', '{"__proto__":{"role":"admin"}}') },
  );
};

const PARAMETERS = [
  'before',
  'type',
  'all',
  'sort',
  'reversed',
  'count',
  'page',
  'start',
  'end',
  'q',
  'orders',
  'game',
];

const query = fc
  .dictionary(fc.constantFrom(...PARAMETERS), fc.oneof(fc.string({ maxLength: 20 }), ids), { maxKeys: 3 })
  .map((pairs) => new URLSearchParams(pairs).toString());

const printable = fc.string({ maxLength: 30 }).map((text) => text.replace(/[^\x20-\x7e]/g, '').trim());

const headers = fc.record(
  {
    accept: fc.constantFrom('application/json', '*/*', 'text/html', ''),
    'content-type': fc.constantFrom('application/json', 'text/plain', 'application/json; charset=utf-16', 'x'),
    origin: fc.constantFrom('http://muster.test', 'https://evil.example', 'null', ''),
    'idempotency-key': printable,
    'if-none-match': printable,
    'user-agent': printable,
    'x-request-id': printable,
    'x-http-method-override': fc.constantFrom('DELETE', 'PATCH'),
    upgrade: fc.constantFrom('websocket', 'h2c'),
    range: fc.constantFrom('bytes=0-1', 'bytes=x'),
  },
  { requiredKeys: [] },
);

/** Forged cookies and tokens of a stranger. */
const forged = fc.oneof(
  fc.constant({}),
  fc.record({ cookie: printable.map((text) => `muster_session=${text}; muster_bookmark=${text}`) }),
  fc.record({ cookie: fc.constantFrom(`muster_bookmark=00000000-00000000-00000000-${'0'.repeat(32)}`, ';;=;') }),
  fc.record({ authorization: printable.map((text) => `Bearer mk_${text}`) }),
  fc.record({ authorization: fc.constantFrom('Bearer', 'Basic YTpi', `Bearer ${'x'.repeat(5000)}`) }),
);

// --- What must not change -------------------------------------------------------------------------------------------

/** Written by refused calls on purpose: the log, mails, limits of codes, refused webhooks and times of use. */
const MEANT = ['audit_entries', 'outbox', 'mail_tokens', 'setbacks'];
const MARKS = ['last_used_at', 'last_seen_at', 'expires_at', 'failures', 'blocked_until', 'last_step'];

let rows: () => Promise<Record<string, string | null>>;

beforeAll(async () => {
  await openDoors();
  rows = await allRowsBut(MEANT, MARKS);
});

describe('random calls', () => {
  it.each(ordered)(
    '$method $path answers all in the envelope, and refusals change nothing',
    async (route) => {
      const slots = route.path.match(/:\w+(\{[^}]*\})?\??/g)?.length ?? 0;
      let before = await rows();
      const call = fc.record({
        who: fc.constantFrom(...NAMES),
        params: fc.array(ids, { minLength: slots, maxLength: slots }),
        query,
        headers,
        forged,
        body: bodyFor(route),
      });
      await fc.assert(
        fc.asyncProperty(call, async ({ who, params, query: search, headers: some, forged: fake, body }) => {
          const path = params.reduce((text, value) => text.replace(/:\w+(\{[^}]*\})?\??/, () => value), route.path);
          const response = await (callers[who] as Caller).fetch(`${path}?${search}`, {
            method: route.method,
            headers: { 'content-type': 'application/json', ...some, ...(who === 'stranger' ? fake : {}) },
            ...(route.method === 'GET' || body === undefined ? {} : { body }),
          });
          const refused = await checked(response);
          const after = await rows();
          if (refused) expect(after).toEqual(before);
          before = after;
        }),
        { seed: SEED, numRuns: CALLS_PER_ROUTE },
      );
    },
    30_000,
  );

  it('cover the statuses 200, 400, 401, 403 and 404', () => {
    for (const status of [200, 400, 401, 403, 404]) expect(met.get(status), `${status}`).toBeGreaterThan(10);
  });
});
