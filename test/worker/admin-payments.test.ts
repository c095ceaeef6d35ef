import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { GIVEN_BACK, TAKEN } from '../../domain/money/payment.ts';
import { applyReversal } from '../../worker/models/money/reversals.ts';
import { caller, db, makeKey, type Person, person, signedInAdmin, signedInUser } from './client.ts';

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
