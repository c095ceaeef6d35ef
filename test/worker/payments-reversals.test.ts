import { env } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import { dayOf } from '../../domain/days.ts';
import { GIVEN_BACK, TAKEN } from '../../domain/money/payment.ts';
import { post } from '../../worker/models/money/ledger.ts';
import { paymentOfIntent } from '../../worker/models/money/payments.ts';
import { applyReversal, collectFrom, type Reversal } from '../../worker/models/money/reversals.ts';
import { reconcilePayments } from '../../worker/services/payments/reconcile-payments.ts';
import { db, fireCron, scanOf, signedInUser } from './client.ts';
import { booksOfUser, happens, opens, rowsWhere, type SignedEvent, tell, topsUp } from './payments-client.ts';

const DAY_MS = 86_400_000;

const first = ([event]: SignedEvent[]): SignedEvent => {
  if (!event) throw new Error('no event');
  return event;
};
const objectOf = (event: SignedEvent) => JSON.parse(event.body).data.object;

const entriesOf = (id: string) =>
  rowsWhere(`SELECT kind, amount_cents, note FROM ledger_entries WHERE user_id = ? ORDER BY id`, id);

const orders = (user: Awaited<ReturnType<typeof signedInUser>>, kingdom: number, governors = 100) =>
  user.call('POST', '/v1/order/create', { orders: [scanOf([kingdom], governors)] });

const uncovered = async (user: Awaited<ReturnType<typeof signedInUser>>) =>
  (await user.call('GET', '/v1/account/balance')).data.uncovered;

/** Money that leaves through Stripe: taken back or given back, in any order of events, while both books agree. */

describe('money that Stripe takes back', () => {
  it('is deducted as an adjustment if the balance covers it', async () => {
    const user = await signedInUser(0);
    const intent = await topsUp(user, 20);
    const refund = first(await happens(`intents/${intent}/refund?amount=750`));
    expect((await tell(refund)).status).toBe(200);
    expect((await tell(refund)).status).toBe(200);
    expect(await entriesOf(user.id)).toEqual([
      { kind: 'top_up', amount_cents: 2000, note: 'Paid by Stripe' },
      { kind: 'adjustment', amount_cents: -750, note: 'Refunded by Stripe' },
    ]);
    expect(await uncovered(user)).toBe(0);
    expect((await orders(user, 41_000)).status).toBe(200);
  });

  it('counts once per stage, whatever amount or earlier stage comes later', async () => {
    const user = await signedInUser(0);
    await topsUp(user, 20);
    const [payment] = await rowsWhere<{ id: string; user_id: string }>(
      'SELECT id, user_id FROM payments WHERE user_id = ?',
      user.id,
    );
    const id = `re_${user.id}`;
    const told = async (amount: number, stage: Reversal['stage']) => {
      await applyReversal(db, payment as { id: string; user_id: string }, { id, kind: 'refund', amount, stage });
      return (await booksOfUser(user.id)).balance;
    };
    expect([await told(700, TAKEN), await told(900, TAKEN)]).toEqual([1300, 1300]);
    expect([await told(700, GIVEN_BACK), await told(700, TAKEN), await told(700, GIVEN_BACK)]).toEqual([
      2000, 2000, 2000,
    ]);
  });

  it('blocks orders if it exceeds the balance, and is collected from the next money first', async () => {
    const user = await signedInUser(0);
    const intent = await topsUp(user, 10);
    expect((await orders(user, 41_001, 1000)).status).toBe(200);
    expect((await booksOfUser(user.id)).balance).toBe(500);
    const [, withdrawn] = await happens(`intents/${intent}/dispute`);
    await tell(withdrawn as SignedEvent);
    expect(await booksOfUser(user.id)).toMatchObject({ balance: 0, sum: 0 });
    expect(await uncovered(user)).toBe(5);
    const refused = await orders(user, 41_002);
    expect(refused.status).toBe(402);
    expect(refused.msg).toContain('Orders are blocked: 5.00 USD');

    await topsUp(user, 5);
    expect(await booksOfUser(user.id)).toMatchObject({ balance: 0 });
    expect(await uncovered(user)).toBe(0);
    await topsUp(user, 5);
    expect((await orders(user, 41_003)).status).toBe(200);
    expect(await booksOfUser(user.id)).toMatchObject({ balance: 450, sum: 450, least: 0 });
  });

  it('comes back when the dispute is won, in any order of events', async () => {
    const [early, late] = [await signedInUser(0), await signedInUser(0)];
    for (const [user, backwards] of [[early, false] as const, [late, true] as const]) {
      const intent = await topsUp(user, 10);
      const [, withdrawn] = await happens(`intents/${intent}/dispute`);
      const won = first(await happens(`disputes/${objectOf(withdrawn as SignedEvent).id}/win`));
      for (const event of backwards ? [won, withdrawn] : [withdrawn, won]) await tell(event as SignedEvent);
      await tell(withdrawn as SignedEvent);
      expect(await booksOfUser(user.id)).toMatchObject({ balance: 1000, sum: 1000 });
      expect(await uncovered(user)).toBe(0);
    }
    expect((await entriesOf(early.id)).map(({ note }) => note)).toEqual([
      'Paid by Stripe',
      'Disputed at the bank',
      'Dispute won',
    ]);
    expect(await entriesOf(late.id)).toHaveLength(1);
  });

  it('is booked after its payment, even if it was reported first', async () => {
    const user = await signedInUser(0);
    const paid = first(await happens(`sessions/${await opens(user, 10)}/pay`));
    const refund = first(await happens(`intents/${objectOf(paid).payment_intent}/refund`));
    await tell(refund);
    await tell(paid);
    expect(await booksOfUser(user.id)).toMatchObject({ balance: 0, sum: 0 });
    expect(await entriesOf(user.id)).toHaveLength(2);
    await tell(first(await happens(`refunds/${objectOf(refund).id}/fail`)));
    expect(await booksOfUser(user.id)).toMatchObject({ balance: 1000, sum: 1000 });
  });

  it('is collected at once from the refund of a cancelled order', async () => {
    const user = await signedInUser(0);
    const intent = await topsUp(user, 5);
    const { data } = await orders(user, 41_010, 1000);
    await tell(first(await happens(`intents/${intent}/refund`)));
    expect(await uncovered(user)).toBe(5);
    expect((await user.call('POST', `/v1/order/${data.order_id}/cancel`)).status).toBe(200);
    expect(await booksOfUser(user.id)).toMatchObject({ balance: 0, sum: 0 });
    expect(await uncovered(user)).toBe(0);
  });

  it('is collected from later money in the order in which it was taken', async () => {
    const user = await signedInUser(0);
    const intent = await topsUp(user, 10);
    await orders(user, 41_012, 2000);
    const payment = await paymentOfIntent(db, intent);
    if (!payment) throw new Error('a payment expected');
    for (const [at, id] of [`re_z${user.id}`, `re_a${user.id}`].entries())
      await applyReversal(db, payment, { id, kind: 'refund', amount: 300, stage: TAKEN }, at + 1);
    await post(db, { userId: user.id, amount: 400, kind: 'adjustment', reference: `gift:${user.id}` });
    await collectFrom(db, user.id, Date.now());
    const taken = `SELECT covered_cents FROM reversals WHERE user_id = ? ORDER BY created_at`;
    expect(await rowsWhere(taken, user.id)).toEqual([{ covered_cents: 300 }, { covered_cents: 100 }]);
  });

  it('is collected by the cron from money of another source', async () => {
    const user = await signedInUser(0);
    const intent = await topsUp(user, 5);
    await orders(user, 41_011, 1000);
    await tell(first(await happens(`intents/${intent}/refund`)));
    await post(db, { userId: user.id, amount: 500, kind: 'adjustment', reference: `gift:${user.id}` });
    expect(await uncovered(user)).toBe(5);
    await fireCron('* * * * *');
    expect(await booksOfUser(user.id)).toMatchObject({ balance: 0, sum: 0 });
    expect(await uncovered(user)).toBe(0);
  });
});

describe('the daily comparison with Stripe', () => {
  it('finds what the ledger lacks, credits missed payments, and tells admins once', async () => {
    const admin = await signedInUser(0);
    await env.DB.prepare(`UPDATE users SET role = 'admin' WHERE id = ?`).bind(admin.id).run();
    const [quiet, untold, taken] = [await signedInUser(0), await signedInUser(0), await signedInUser(0)];
    await topsUp(quiet, 5);
    await happens(`sessions/${await opens(untold, 7)}/pay`);
    const refunded = objectOf(first(await happens(`intents/${await topsUp(taken, 9)}/refund`)));
    // Money that Stripe does not know of.
    await env.DB.prepare(
      `INSERT INTO payments (id, user_id, amount_cents, request_key, state, payment_intent, created_at, paid_at)
       VALUES ('made-up', ?1, 1300, 'k', 'paid', 'pi_made_up', ?2, ?2)`,
    )
      .bind(quiet.id, Date.now())
      .run();
    await env.DB.prepare(
      `INSERT INTO ledger_entries (user_id, amount_cents, kind, reference, created_at)
       VALUES (?, 1300, 'top_up', 'payment:made-up', ?)`,
    )
      .bind(quiet.id, Date.now())
      .run();

    const tomorrow = Date.now() + DAY_MS;
    await reconcilePayments(env, tomorrow);
    await reconcilePayments(env, tomorrow);
    expect(await booksOfUser(untold.id)).toMatchObject({ balance: 700 });
    const { days } = (await admin.call('GET', '/v1/admin/reconciliations')).data;
    expect(days).toHaveLength(1);
    expect(days[0].differences).toContainEqual(expect.stringMatching(/received 7\.00 USD .* by this comparison only/));
    expect(days[0].differences).toContainEqual(
      `Stripe took back 9.00 USD (${refunded.id}), which the ledger does not know of.`,
    );
    expect(days[0].differences).toContainEqual(
      'The ledger was credited with 13.00 USD (pi_made_up), but Stripe received 0.00 USD.',
    );
    const mails = await rowsWhere<{ text: string }>(
      `SELECT text FROM outbox WHERE reference LIKE 'reconciliation:%' AND recipient LIKE ?`,
      `${admin.username}%`,
    );
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text).toContain('which the ledger does not know of');
    expect((await quiet.call('GET', '/v1/admin/reconciliations')).status).toBe(404);
  });

  it('credits the others if one fails, and repeats the day until all are credited', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    await env.DB.exec(`DELETE FROM reconciliations`);
    const [bad, good] = [await signedInUser(0), await signedInUser(0)];
    for (const user of [bad, good]) await happens(`sessions/${await opens(user, 6)}/pay`);
    await env.DB.exec(
      `CREATE TRIGGER poison BEFORE INSERT ON ledger_entries WHEN NEW.user_id = '${bad.id}' BEGIN SELECT raise(ABORT, 'poisoned'); END`,
    );
    const tomorrow = Date.now() + DAY_MS;
    await reconcilePayments(env, tomorrow);
    await env.DB.exec('DROP TRIGGER poison');
    const balances = async () => [(await booksOfUser(bad.id)).balance, (await booksOfUser(good.id)).balance];
    const compared = () => rowsWhere('SELECT day FROM reconciliations');
    expect([await balances(), await compared()]).toEqual([[0, 600], []]);
    expect(await rowsWhere(`SELECT subject, error FROM setbacks WHERE job = 'payments'`)).toEqual([
      { subject: dayOf(tomorrow - DAY_MS), error: expect.stringMatching(/could not be credited: pi_.*poisoned/) },
    ]);
    await reconcilePayments(env, tomorrow + 60_000);
    expect([await balances(), (await compared()).length]).toEqual([[600, 600], 1]);
  });

  it('finds nothing on an explained day', async () => {
    const user = await signedInUser(0);
    const intent = await topsUp(user, 50);
    const refund = first(await happens(`intents/${intent}/refund?amount=1000`));
    await tell(refund);
    await env.DB.prepare('DELETE FROM reconciliations').run();
    await reconcilePayments(env, Date.now() + DAY_MS);
    const [row] = await rowsWhere<{ differences: string }>('SELECT differences FROM reconciliations');
    // Other tests leave their payments at the same stand-in.
    expect(row?.differences).not.toContain(intent);
    expect(row?.differences).not.toContain(objectOf(refund).id);
  });
});

describe('a low balance', () => {
  const mailsOf = (username: string) =>
    rowsWhere(`SELECT text FROM outbox WHERE reference LIKE 'low-balance:%' AND recipient LIKE ?`, `${username}%`);
  const minute = () => fireCron('* * * * *');

  it('is mailed once each time it falls below the threshold', async () => {
    const user = await signedInUser(600);
    expect((await user.call('POST', '/v1/account/low-balance', { threshold: 5 })).data).toEqual({ threshold: 5 });
    await minute();
    expect(await mailsOf(user.username)).toHaveLength(0);
    await orders(user, 42_000, 300);
    await Promise.all([minute(), minute()]);
    await orders(user, 42_001);
    await minute();
    const mails = await mailsOf(user.username);
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text).toContain('4.50 USD, which is below the 5.00 USD');

    await topsUp(user, 5);
    await minute();
    await orders(user, 42_002, 1000);
    await minute();
    expect(await mailsOf(user.username)).toHaveLength(2);
    // Another threshold is checked again.
    await user.call('POST', '/v1/account/low-balance', { threshold: 7 });
    await minute();
    expect((await mailsOf(user.username)).map(({ text }) => text).join()).toContain('below the 7.00 USD');
    await user.call('POST', '/v1/account/low-balance', { threshold: null });
    expect((await user.call('GET', '/v1/account/balance')).data.threshold).toBeNull();
  });

  it.each([[0], [-1], ['5'], [0.001], [10_001], [undefined]])('threshold %s is refused', async (threshold) => {
    const user = await signedInUser(0);
    expect((await user.call('POST', '/v1/account/low-balance', { threshold })).status).toBe(400);
  });
});

describe('the statement', () => {
  it('lists every entry with the running balance, by filter, and as csv', async () => {
    const user = await signedInUser(0);
    await topsUp(user, 10);
    const { data } = await orders(user, 43_000);
    await user.call('POST', `/v1/order/${data.order_id}/cancel`);
    const { lines, next } = (await user.call('GET', '/v1/account/statement')).data;
    expect(next).toBeNull();
    expect(
      lines.map(({ kind, amount, balance, order_id }: Record<string, unknown>) => [kind, amount, balance, order_id]),
    ).toEqual([
      ['return', 0.5, 10, data.order_id],
      ['charge', -0.5, 9.5, data.order_id],
      ['top_up', 10, 10, null],
    ]);
    const charges = (await user.call('GET', '/v1/account/statement?kind=charge')).data.lines;
    expect(charges.map(({ balance }: { balance: number }) => balance)).toEqual([9.5]);
    const today = new Date().toISOString().slice(0, 10);
    expect((await user.call('GET', `/v1/account/statement?from=${today}&to=${today}`)).data.lines).toHaveLength(3);
    expect((await user.call('GET', '/v1/account/statement?to=2020-01-01')).data.lines).toEqual([]);

    const csv = await (await user.fetch('/v1/account/statement/download')).text();
    const [head, ...rows] = csv.trimEnd().split('\r\n');
    expect(head).toBe('Time (UTC),Kind,Amount (USD),Balance (USD),Order,Note');
    expect(rows.map((row) => row.split(',').slice(1, 5))).toEqual([
      ['Returned', '0.50', '10.00', String(data.order_id)],
      ['Order', '-0.50', '9.50', String(data.order_id)],
      ['Top-up', '10.00', '10.00', ''],
    ]);
    for (const query of ['kind=gift', 'from=yesterday', 'before=x'])
      expect((await user.call('GET', `/v1/account/statement?${query}`)).status).toBe(400);
    const stranger = await signedInUser(0);
    expect((await stranger.call('GET', '/v1/account/statement')).data.lines).toEqual([]);
  });

  it('continues page by page', async () => {
    const user = await signedInUser(0);
    const values = Array.from(
      { length: 120 },
      (_, index) => `('${user.id}', 1, 'adjustment', 'p:${user.id}:${index}', 0)`,
    );
    await env.DB.prepare(
      `INSERT INTO ledger_entries (user_id, amount_cents, kind, reference, created_at) VALUES ${values.join(',')}`,
    ).run();
    const seen: number[] = [];
    for (let before = ''; ; ) {
      const { lines, next } = (await user.call('GET', `/v1/account/statement${before}`)).data;
      seen.push(...lines.map(({ balance }: { balance: number }) => Math.round(balance * 100)));
      if (next === null) break;
      before = `?before=${next}`;
    }
    expect(seen).toEqual(Array.from({ length: 120 }, (_, index) => 120 - index));
  });
});

describe('an adjustment', () => {
  it('needs an admin and a reason, happens once, and never goes below zero', async () => {
    const [admin, user] = [await signedInUser(0), await signedInUser(100)];
    await env.DB.prepare(`UPDATE users SET role = 'admin' WHERE id = ?`).bind(admin.id).run();
    const adjust = (amount: number, key: string, by = admin) =>
      by.call(
        'POST',
        '/v1/admin/adjustments',
        { username: user.username, amount, reason: '=goodwill, "really"' },
        { 'idempotency-key': key, 'cf-connecting-ip': '203.0.113.9' },
      );
    expect((await adjust(5, 'a', user)).status).toBe(404);
    expect((await adjust(2.5, 'a')).data).toEqual({ adjusted: true });
    expect((await adjust(2.5, 'a')).data).toEqual({ adjusted: false });
    expect((await adjust(-3.51, 'b')).status).toBe(409);
    expect((await adjust(-3.5, 'c')).status).toBe(200);
    expect((await adjust(-3.5, 'c')).data).toEqual({ adjusted: false });
    expect(await booksOfUser(user.id)).toEqual({ balance: 0, sum: 0, least: 0 });
    const csv = await (await user.fetch('/v1/account/statement/download')).text();
    expect(csv).toContain(`,"'=goodwill, ""really"""`);
    expect(await rowsWhere(`SELECT action, address FROM audit_entries WHERE user_id = ?`, user.id)).toContainEqual({
      action: 'balance.adjusted',
      address: '203.0.113.9',
    });
    const { data } = await admin.call('GET', '/v1/admin/reconciliations');
    expect(data.days).toBeDefined();
    await expect(db.$client.prepare('DELETE FROM ledger_entries').run()).rejects.toThrow(/never deleted/);
  });
});
