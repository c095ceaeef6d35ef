import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { adjustBalance } from '../../../worker/models/money/adjustments.ts';
import { dueAlerts, lookAtBalance, setThreshold, thresholdOf } from '../../../worker/models/money/alerts.ts';
import { post } from '../../../worker/models/money/ledger.ts';
import {
  type CheckoutState,
  noteSession,
  openPayment,
  paymentOfId,
  paymentOfIntent,
  paymentOfSession,
  settlePayment,
} from '../../../worker/models/money/payments.ts';
import {
  booksOf,
  comparedDays,
  creditedBetween,
  listComparisons,
  recordComparison,
} from '../../../worker/models/money/reconciliation.ts';
import { applyReversal, collectFrom, uncoveredOf, usersToCollectFrom } from '../../../worker/models/money/reversals.ts';
import { db, insertUser } from '../client.ts';
import { expectAsWritten, insertion } from './changes.ts';

/** Two users with a payment in every state and reversals: what a call changes, and that it changes nothing else. */

const NOW = 5_000_000_000_000;
const [HOUR, DAY] = [3_600_000, 86_400_000];
const TABLES = [
  ['payments', 'id'],
  ['ledger_entries', 'reference'],
  ['reversals', 'id'],
  ['balance_alerts', 'user_id'],
  ['reconciliations', 'day'],
  ['outbox', 'reference'],
  ['users', 'id'],
  ['audit_entries', 'id'],
] as const;
const WHO = ['me', 'him'] as const;

beforeAll(async () => {
  for (const id of WHO) await insertUser({ id, username: id, email: `${id}@example.com` });
  for (const id of ['chief', 'deputy'])
    await insertUser({ id, username: id, email: `${id}@example.com`, role: 'admin' });
});

let round = 0;
/** The ledger is append-only, so each test's payments have a prefix, which snapshots leave out. */
const own = (id: string): string => `${round} ${id}`;

beforeEach(async () => {
  round++;
  const emptied = ['reversals', 'payments', 'balance_alerts', 'reconciliations', 'outbox', 'setbacks'];
  await env.DB.batch([
    ...emptied.map((table) => env.DB.prepare(`DELETE FROM ${table}`)),
    env.DB.prepare(`UPDATE users SET stripe_customer_id = NULL`),
  ]);
  for (const user_id of WHO) {
    const { balance_cents } = (await env.DB.prepare('SELECT balance_cents FROM users WHERE id = ?')
      .bind(user_id)
      .first<{ balance_cents: number }>()) ?? { balance_cents: 0 };
    // Each user begins every test with ten dollars.
    if (balance_cents !== 1000)
      await post(
        db,
        { userId: user_id, amount: 1000 - balance_cents, kind: 'adjustment', reference: own(`start ${user_id}`) },
        NOW - DAY,
      );
    const payments = [
      ['open', 500, { session_id: own(`session ${user_id} open`) }],
      ['paid', 700, { state: 'paid', paid_at: NOW - HOUR, payment_intent: own(`intent ${user_id} paid`) }],
      ['failed', 800, { state: 'failed' }],
      ['expired', 900, { state: 'expired' }],
      ['later', 600, { state: 'paid', paid_at: NOW, payment_intent: own(`intent ${user_id} later`) }],
    ] as const;
    const reversals = [
      ['first', 'refund', 700, 700, 1, NOW - 5],
      ['won', 'dispute', 0, 0, 2, NOW - 4],
      ['second', 'dispute', 900, 100, 1, NOW - 3],
      ['third', 'refund', 400, 0, 1, NOW - 3],
    ] as const;
    await env.DB.batch([
      ...payments.map(([name, amount_cents, more]) =>
        insertion('payments', {
          ...{ id: own(`${user_id} ${name}`), user_id, amount_cents, request_key: name, created_at: NOW - 2 * HOUR },
          ...more,
        }),
      ),
      ...(['paid', 'later'] as const).map((name, index) =>
        insertion('ledger_entries', {
          ...{ user_id, amount_cents: [700, 600][index] as number, kind: 'top_up', created_at: NOW - HOUR },
          reference: `payment:${own(`${user_id} ${name}`)}`,
        }),
      ),
      // The money of the payments is spent.
      insertion('ledger_entries', {
        ...{
          user_id,
          amount_cents: -1300,
          kind: 'adjustment',
          reference: own(`spent ${user_id}`),
          created_at: NOW - HOUR,
        },
      }),
      ...reversals.flatMap(([name, kind, amount_cents, covered_cents, stage, created_at]) => {
        const id = own(`${user_id} ${name}`);
        const taken = { user_id, kind: 'adjustment', created_at };
        return [
          insertion('reversals', {
            ...{
              id,
              payment_id: own(`${user_id} paid`),
              user_id,
              kind,
              amount_cents,
              covered_cents,
              stage,
              created_at,
            },
          }),
          ...(covered_cents > 0
            ? [
                insertion('ledger_entries', { ...taken, amount_cents: -covered_cents, reference: `reversal:${id}:0` }),
                insertion('ledger_entries', { ...taken, amount_cents: covered_cents, reference: own(`again ${id}`) }),
              ]
            : []),
        ];
      }),
      insertion('balance_alerts', { user_id, threshold_cents: 1000, last_entry: 9, checked_entry: 8 }),
    ]);
  }
});

const mine = async (name: string) => {
  const found = await paymentOfId(db, own(`me ${name}`));
  if (!found) throw new Error(name);
  return found;
};
const told = (state: CheckoutState['state'], amount: number, currency = 'usd'): CheckoutState => ({
  ...{ session_id: own('session new'), payment_id: null, state, amount, currency },
  ...{ payment_intent: own('intent new'), customer: 'cus_1' },
});
const reversal = (id: string, amount: number, stage: 1 | 2, kind: 'refund' | 'dispute' = 'refund') =>
  applyReversal(db, { id: own('me paid'), user_id: 'me' }, { id: own(id), kind, amount, stage }, NOW);
const adjust = (amount: number, key: string) =>
  adjustBalance(db, { userId: 'me', amount, reason: 'why', by: 'chief', address: '192.0.2.1', key: own(key) }, NOW);
const looked = async (now = NOW) => {
  const due = await dueAlerts(db, now);
  for (const each of due) if (each.user_id === 'me') await lookAtBalance(db, each, 'https://m.test', now);
  return due.map(({ user_id }) => user_id);
};
const movement = (payment_intent: string | null, reversed: string | null) =>
  ({ payment_intent, reversal: reversed }) as Parameters<typeof booksOf>[1][number];

const CASES: Readonly<Record<string, () => Promise<unknown>>> = {
  'crediting a user who owes for reversals': () => adjust(850, 'gift'),
  'crediting less than is owed for reversals': () => adjust(1, 'gift'),
  'deducting more than the balance': () => adjust(-1001, 'fine'),
  'deducting the whole balance': () => adjust(-1000, 'fine'),
  'crediting twice under one key': async () => [await adjust(5, 'twice'), await adjust(7, 'twice')],
  collecting: async () => {
    const from = await usersToCollectFrom(db, NOW);
    await collectFrom(db, 'me', NOW);
    return [from, await usersToCollectFrom(db, NOW), await uncoveredOf(db, 'me'), await uncoveredOf(db, 'him')];
  },
  'a payment that is paid': async () => settlePayment(db, await mine('open'), told('paid', 500), NOW),
  'a payment that is paid after it expired': async () =>
    settlePayment(db, await mine('expired'), told('paid', 900), NOW),
  'a payment that was paid already': async () => settlePayment(db, await mine('paid'), told('paid', 700), NOW),
  'a payment that expires': async () =>
    settlePayment(db, await mine('open'), { ...told('expired', 500), session_id: own('session me open') }, NOW),
  'a payment that expires before its session was stored': async () => {
    await env.DB.prepare('UPDATE payments SET session_id = NULL WHERE id = ?').bind(own('me open')).run();
    return settlePayment(db, await mine('open'), told('expired', 500), NOW);
  },
  'a payment of which another session expires': async () =>
    settlePayment(db, await mine('open'), told('expired', 500), NOW),
  'a payment that expires after it was paid': async () =>
    settlePayment(db, await mine('paid'), told('expired', 700), NOW),
  'a payment that fails after it expired': async () =>
    settlePayment(db, await mine('expired'), told('failed', 900), NOW),
  'a payment that is still open': async () => settlePayment(db, await mine('open'), told('open', 500), NOW),
  'a payment of another amount': async () =>
    settlePayment(db, await mine('open'), told('paid', 501), NOW).catch((error: Error) => error.message.slice(-60)),
  'a payment of another currency': async () =>
    settlePayment(db, await mine('open'), told('paid', 500, 'eur'), NOW).catch((error: Error) =>
      error.message.slice(-60),
    ),
  'opening a session': async () => noteSession(db, own('me failed'), { session: own('session new'), instead: null }),
  'a new reversal': () => reversal('new', 300, 1),
  'a reversal that grows': () => reversal('me second', 950, 1),
  'a reversal that is undone': () => reversal('me first', 700, 2),
  'a dispute that is won before its deduction': () => reversal('new', 300, 2, 'dispute'),
  'a dispute that is deducted after it was won': () => reversal('me won', 300, 1, 'dispute'),
  'a balance below its threshold': async () => {
    await adjust(-1, 'below');
    return looked();
  },
  'a balance at its threshold': () => looked(),
  'a balance below its threshold, warned of before': async () => {
    await env.DB.prepare(`UPDATE balance_alerts SET warned = 1`).run();
    await adjust(-1, 'below');
    return looked();
  },
  'a balance whose warning waits for a retry': async () => {
    await env.DB.prepare(
      `INSERT INTO setbacks (job, subject, tries, begun_at, next_at) VALUES ('balance warnings', 'me', 1, 1, ?)`,
    )
      .bind(NOW + 1)
      .run();
    await adjust(-1, 'below');
    return looked();
  },
  'a balance that did not change': async () => {
    await env.DB.prepare(`UPDATE balance_alerts SET checked_entry = last_entry WHERE user_id = 'me'`).run();
    return looked();
  },
  'changing the threshold': async () => [
    ...[await thresholdOf(db, 'me'), await setThreshold(db, 'me', 2000)],
    ...[await thresholdOf(db, 'me'), await thresholdOf(db, 'him'), await looked(NOW)],
  ],
  'removing the threshold': async () => [await setThreshold(db, 'me', null), await thresholdOf(db, 'me')],
  'a day on which the books agree': () =>
    recordComparison(db, { day: '2026-03-01', stripe_cents: 5, ledger_cents: 5, differences: [] }, NOW),
  'a day on which the books differ': () =>
    recordComparison(db, { day: '2026-03-01', stripe_cents: 5, ledger_cents: 6, differences: ['one', 'two'] }, NOW),
  'a day that was compared before': async () => {
    await recordComparison(db, { day: '2026-03-01', stripe_cents: 5, ledger_cents: 5, differences: [] }, NOW);
    await recordComparison(db, { day: '2026-03-01', stripe_cents: 9, ledger_cents: 5, differences: [] }, NOW + 1);
  },
};

it.each(Object.entries(CASES))('%s', async (_, act) => {
  // Snapshots leave out the test's prefix and the ids that the ledger gives.
  await expectAsWritten(
    TABLES,
    NOW,
    act,
    new RegExp(`\\b${round} |(?<=(last|checked)_entry [\\d> ]*|low-balance:me:)\\d+`, 'g'),
  );
});

it('finds payments by id, session or intent, and keys per user', async () => {
  expect((await paymentOfSession(db, own('session him open')))?.id).toBe(own('him open'));
  expect((await paymentOfIntent(db, own('intent him later')))?.id).toBe(own('him later'));
  expect(await paymentOfIntent(db, own('session him open'))).toBeNull();
  expect(await paymentOfSession(db, 'none')).toBeNull();
  const opened = async (userId: string, amount: number, requestKey: string) => {
    const found = await openPayment(db, { userId, amount, requestKey }, NOW);
    return found.outcome === 'open' ? found.payment.id : found.outcome;
  };
  expect(await opened('me', 500, 'open')).toBe(own('me open'));
  expect(await opened('him', 500, 'open')).toBe(own('him open'));
  expect(await opened('me', 501, 'open')).toBe('key_reused');
  const [one, other] = [await opened('me', 500, 'new'), await opened('him', 500, 'new')];
  expect(one).not.toBe(other);
  expect(await opened('me', 500, 'new')).toBe(one);
});

it('sums credits of a time span and of given movements', async () => {
  const intents = async (from: number, to: number) =>
    [...(await creditedBetween(db, from, to))]
      .map(([intent, amount]) => [intent.replace(`${round} intent `, ''), amount])
      .sort();
  expect(await intents(NOW - HOUR, NOW)).toEqual([
    ['him paid', 700],
    ['me paid', 700],
  ]);
  expect(await intents(NOW - HOUR + 1, NOW + 1)).toEqual([
    ['him later', 600],
    ['me later', 600],
  ]);
  const books = await booksOf(db, [movement(own('intent me paid'), null), movement(null, own('him second'))]);
  expect([...books.credited]).toEqual([[own('intent me paid'), 700]]);
  expect([...books.reversed]).toEqual([[own('him second'), { amount: 900, stage: 1 }]]);
});

it('lists compared days newest first', async () => {
  const dayOf = (index: number) => `2026-0${1 + Math.floor(index / 28)}-${String(1 + (index % 28)).padStart(2, '0')}`;
  for (let index = 0; index < 62; index++)
    await recordComparison(
      db,
      { day: dayOf((index * 7) % 62), stripe_cents: 0, ledger_cents: 0, differences: [] },
      NOW - index,
    );
  const newest = Array.from({ length: 62 }, (_, index) => dayOf(61 - index));
  expect(await comparedDays(db)).toEqual(newest.slice(0, 30));
  expect((await listComparisons(db)).map(({ day }) => day)).toEqual(newest.slice(0, 60));
});
