import { beforeAll, expect, it } from 'vitest';
import { admin } from '../../worker/middleware/admin.ts';
import { allRowsBut } from './all-rows.ts';
import { type Person, signedInAdmin } from './client.ts';
import { csvOf, eventOf, fighter, START } from './events/war.ts';
import { CALLS, nameOf } from './routes.ts';

/** Every admin call that names something, with an id that does not exist: it is refused and changes nothing. */

/** An act, which is one of a fixed set, names nothing. */
const namesSomething = (path: string): boolean => path.replaceAll(/:\w+\{[^}]*\}/g, '').includes(':');
const NAMING = CALLS.filter(({ path, handlers }) => namesSomething(path) && handlers.includes(admin));

/** A valid body, if the call needs one. */
const BODIES: Readonly<Record<string, string>> = {
  'POST /v1/admin/reports/:id/answer': JSON.stringify({ text: 'It is right now.' }),
  'POST /v1/admin/orders/:order_id/return': JSON.stringify({ item_id: 'i1', amount: 1, reason: 'It was late.' }),
  'POST /v1/admin/orders/:order_id/:act{retry|repair|cancel|finish}': JSON.stringify({ reason: 'It was late.' }),
  'POST /v1/admin/accounts/:user_id/role': JSON.stringify({ role: 'user', before: 'admin', reason: 'It was late.' }),
  'POST /v1/admin/accounts/:user_id/adjust': JSON.stringify({ amount: 1, reason: 'It was late.' }),
  'POST /v1/admin/accounts/:user_id/:act{lock|unlock|end-sessions|reset-two-factor}': JSON.stringify({
    reason: 'It was late.',
  }),
  'POST /v1/admin/bots/:bot_id/:act{pause|resume|retire}': JSON.stringify({ group_id: 'g', reason: 'It was late.' }),
  'POST /v1/admin/groups/:group_id/token': JSON.stringify({ reason: 'It was late.' }),
  'POST /v1/admin/groups/:group_id/:act{pause|resume|retire}': JSON.stringify({ reason: 'It was late.' }),
  'POST /v1/admin/removals/:id': JSON.stringify({ decision: 'accepted' }),
  'POST /v1/admin/payments/:payment_id/settle': JSON.stringify({ reason: 'It was late.' }),
  'PUT /v1/admin/products/:product_id/price': JSON.stringify({
    ...{ from: '2999-01-01', price: 1, version: 0, reason: 'It was late.' },
  }),
  'PUT /v1/admin/products/:product_id/readiness': JSON.stringify({
    ...{ readiness: 'available', version: 0, reason: 'It was late.' },
  }),
  'PUT /v1/admin/news/:id': JSON.stringify({ title: 'News', body: 'New.', version: 1 }),
  'PUT /v1/admin/licences/:version': JSON.stringify({
    ...{ text: 'Be fair. '.repeat(20), holds_from: null, edits: 1, reason: 'It was late.' },
  }),
  'POST /v1/admin/licences/:version/discard': JSON.stringify({ edits: 1, reason: 'It was late.' }),
  'PUT /v1/admin/events/:dashboard_id': JSON.stringify(eventOf()),
  'POST /v1/admin/events/:dashboard_id/snapshots': csvOf([fighter(1, 701, 5)]),
};
/** Bots of a name in all groups: the list may be empty. */
const LISTS = ['GET /v1/admin/bots/:bot_id', 'GET /v1/admin/bots/:bot_id/files'];

/** Edits of a draft that is gone say who may have taken it away. */
const EDITS = ['PUT /v1/admin/licences/:version', 'POST /v1/admin/licences/:version/discard'];

let caller: Person;
/** All stored rows, without times of last use and the log. */
let stored: () => Promise<Record<string, string | null>>;
let before: Record<string, string | null>;
beforeAll(async () => {
  caller = await signedInAdmin();
  stored = await allRowsBut(['audit_entries'], ['last_used_at', 'last_seen_at']);
  before = await stored();
});

it.each(NAMING.map((call) => [nameOf(call), call] as const))('%s', async (name, { method, path }) => {
  const body = BODIES[name];
  const address = path
    .replace(':ts', String(START))
    .replace(/:\w+\{(\w+)[^}]*\}/g, '$1')
    .replace(/:\w+/g, '987654');
  const query = name.endsWith('/snapshots') ? `?captured_at=${new Date(START).toISOString()}` : '';
  const response = await caller.fetch(`${address}${query}`, {
    method,
    headers: {
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': body.startsWith('{') ? 'application/json' : 'text/csv' }),
    },
    ...(body !== undefined && { body }),
  });
  const { msg } = await response.json<{ msg?: string }>();
  if (LISTS.includes(name)) expect([200, 404]).toContain(response.status);
  else if (EDITS.includes(name))
    expect({ status: response.status, msg }).toEqual({ status: 409, msg: expect.stringMatching(/meanwhile/) });
  else expect({ status: response.status, msg }).toEqual({ status: 404, msg: expect.stringMatching(/^There is no /) });
});

it('none of the calls changes anything', async () => {
  expect(await stored()).toEqual(before);
});
