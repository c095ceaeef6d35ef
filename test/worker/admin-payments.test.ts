import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { GIVEN_BACK, TAKEN } from '../../domain/money/payment.ts';
import { applyReversal } from '../../worker/models/money/reversals.ts';
import { caller, db, makeKey, type Person, person, signedInAdmin, signedInUser } from './client.ts';
import { happens, opens, stripeIsDownFor, stripeIsUp, tell, topsUp } from './payments-client.ts';
import { cell } from './people.ts';

/** The admins' list of top-ups, with what Stripe took back. */

let admin: Person;
let payer: Person;
let other: Person;
const ids = Array.from({ length: 60 }, (_, index) => `payment-${String(index).padStart(2, '0')}`);

beforeAll(async () => {
  [admin, payer, other] = [await signedInAdmin(), await signedInUser(0), await signedInUser(0)];
  await env.DB.batch(
    ids.map((id, index) =>
      env.DB.prepare(
        `INSERT INTO payments (id, user_id, amount_cents, request_key, state, session_id, payment_intent, created_at, paid_at)
         VALUES (?1, ?2, 500, ?1, ?3, ?4, ?5, ?6, ?7)`,
        // Two each were begun in the same moment.
      ).bind(
        id,
        index === 0 ? other.id : payer.id,
        ...(index % 2 === 0 ? ['paid', `cs_${id}`, `pi_${id}`] : ['open', null, null]),
        1000 + Math.floor(index / 2),
        index % 2 === 0 ? 2000 : null,
      ),
    ),
  );
  const payment = { id: 'payment-02', user_id: payer.id };
  await applyReversal(db, payment, { id: 're_one', kind: 'refund', amount: 200, stage: TAKEN }, 3000);
  await applyReversal(db, payment, { id: 'dp_two', kind: 'dispute', amount: 300, stage: TAKEN }, 4000);
  await applyReversal(db, payment, { id: 'dp_two', kind: 'dispute', amount: 0, stage: GIVEN_BACK }, 5000);
});

const list = async (query = '', who = admin) => (await who.call('GET', `/v1/admin/payments${query}`)).data;
const idsOf = (page: { payments: { payment_id: string }[] }) => page.payments.map(({ payment_id }) => payment_id);

describe('the list of payments', () => {
  it('comes by fifty, newest first, each payment once', async () => {
    const first = await list();
    expect(idsOf(first)).toEqual(ids.toReversed().slice(0, 50));
    expect(first.next).toBe('payment-10');
    const rest = await list(`?before=${first.next}`);
    expect(idsOf(rest)).toEqual(ids.toReversed().slice(50));
    expect(rest.next).toBeNull();
  });

  it('is narrowed by state, name and the ids of Stripe, with what it took back', async () => {
    expect(idsOf(await list('?state=open'))).toHaveLength(30);
    expect(idsOf(await list(`?search=${other.username.toUpperCase()}`))).toEqual(['payment-00']);
    for (const id of ['payment-04', 'cs_payment-04', 'pi_payment-04'])
      expect([id, idsOf(await list(`?search=${id}`))]).toEqual([id, ['payment-04']]);
    for (const query of ['?search=re_one', '?state=taken_back', '?state=taken_back&search=dp_two'])
      expect((await list(query)).payments).toEqual([
        {
          ...{ payment_id: 'payment-02', user_id: payer.id, username: payer.username, amount: 5, state: 'paid' },
          ...{ created_at: 1001, paid_at: 2000, session_id: 'cs_payment-02', payment_intent: 'pi_payment-02' },
          reversals: [
            { id: 're_one', kind: 'refund', amount: 2, uncovered: 2, given_back: false, created_at: 3000 },
            { id: 'dp_two', kind: 'dispute', amount: 0, uncovered: 0, given_back: true, created_at: 4000 },
          ],
        },
      ]);
    expect(idsOf(await list('?search=%25'))).toEqual([]);
    expect((await admin.call('GET', '/v1/admin/payments?state=lost')).msg).toMatch(/^state: must be one of/);
  });

  it('is for admins and support, not for users, their keys or strangers', async () => {
    expect(idsOf(await list('', await person({ role: 'support' })))).toHaveLength(50);
    const key = caller({ authorization: `Bearer ${(await makeKey(admin, ['read'])).data.key}` });
    for (const who of [payer, caller(), key]) expect((await who.call('GET', '/v1/admin/payments')).status).toBe(404);
  });
});

describe('one payment', () => {
  const one = (id: string, who = admin) => who.call('GET', `/v1/admin/payments/${id}`);
  const idOf = async (user: Person) => cell<string>('SELECT id FROM payments WHERE user_id = ?', user.id);
  const settle = (id: string, body: object = { reason: 'the webhook was lost' }) =>
    admin.call('POST', `/v1/admin/payments/${id}/settle`, body);

  it('shows its ledger entries and what Stripe says now, with refund and dispute', async () => {
    const user = await signedInUser(0);
    const intent = await topsUp(user, 20);
    for (const what of [`intents/${intent}/refund?amount=750`, `intents/${intent}/dispute`])
      for (const event of await happens(what)) await tell(event);
    const { data } = await one(await idOf(user));
    expect(data).toMatchObject({
      ...{ username: user.username, amount: 20, state: 'paid', payment_intent: intent, stripe_trouble: null },
      stripe: {
        ...{ session: 'complete', payment: 'paid', amount: 20, currency: 'usd' },
        intent: { status: 'succeeded', received: 20, failure: null, receipt: expect.stringContaining('/receipts/') },
      },
    });
    expect(data.ledger.map(({ amount }: { amount: number }) => amount)).toEqual([20, -7.5, -12.5]);
    expect(data.stripe.reversals).toHaveLength(2);
    expect(data.stripe.reversals).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: 'refund', amount: 7.5, status: 'succeeded', due_at: null }),
        expect.objectContaining({ kind: 'dispute', amount: 20, status: 'needs_response', reason: 'fraudulent' }),
      ]),
    );
    const { due_at } = data.stripe.reversals.find(({ kind }: { kind: string }) => kind === 'dispute');
    expect(due_at).toBeGreaterThan(Date.now() + 6 * 86_400_000);
  });

  it('is shown without the words of Stripe if it does not answer', async () => {
    const user = await signedInUser(0);
    const session = await opens(user, 7);
    const id = await idOf(user);
    expect((await one(id)).data.stripe).toMatchObject({
      session: 'open',
      payment: 'unpaid',
      intent: null,
      reversals: [],
    });
    await stripeIsDownFor(session);
    const { data } = await one(id);
    await stripeIsUp();
    expect(data).toMatchObject({
      ...{ state: 'open', stripe: null, stripe_trouble: 'Stripe does not answer. Try again in a minute.' },
    });
    expect((await one('payment-01')).data.stripe_trouble).toBe('The payment page was never opened.');
    expect((await one('payment-02')).data.stripe_trouble).toBe('Stripe does not know this payment.');
    expect((await one('nobody')).status).toBe(404);
  });

  it('is credited once if its webhook was lost, with a log entry', async () => {
    const user = await signedInUser(0);
    const session = await opens(user, 9);
    const id = await idOf(user);
    const entries = () =>
      cell<number>(`SELECT count(*) FROM audit_entries WHERE action = 'payment.settled' AND subject = ?`, id);
    expect((await settle(id)).data).toEqual({ state: 'open', msg: 'At Stripe this payment is open.' });
    expect(await entries()).toBe(0);
    await happens(`sessions/${session}/pay`);
    expect((await settle(id, { reason: 'no' })).msg).toMatch(/^reason: /);
    const both = await Promise.all([settle(id), settle(id)]);
    expect(both.map(({ status }) => status)).toContain(200);
    expect(await cell<number>('SELECT balance_cents FROM users WHERE id = ?', user.id)).toBe(900);
    expect(await settle(id)).toMatchObject({ status: 409, msg: 'This payment is credited already.' });
    expect(await entries()).toBeGreaterThan(0);
    // Paid with another amount than was asked.
    const wrong = await opens(user, 7);
    await happens(`sessions/${wrong}/pay`);
    const asked = await cell<string>('SELECT id FROM payments WHERE session_id = ?', wrong);
    await env.DB.prepare('UPDATE payments SET amount_cents = 800 WHERE id = ?').bind(asked).run();
    expect(await settle(asked)).toMatchObject({ status: 409, msg: expect.stringContaining('is paid with 700 usd') });
    for (const who of [user, caller()]) expect((await one(id, who as Person)).status).toBe(404);
    const support = await person({ role: 'support' });
    expect((await one(id, support)).status).toBe(200);
    expect((await support.call('POST', `/v1/admin/payments/${id}/settle`, { reason: 'to try it' })).status).toBe(403);
  });
});
