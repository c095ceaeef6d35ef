import { Hono } from 'hono';
import { adjustment } from '../../domain/accounts/admin-contract.ts';
import { idempotent } from '../../domain/idempotency-key.ts';
import { dollars } from '../../domain/money/money.ts';
import { GIVEN_BACK } from '../../domain/money/payment.ts';
import {
  adjusted,
  adminPaymentList,
  adminPaymentsQuery,
  balanceAnswer,
  lowBalance,
  reconciliationList,
  statementPage,
  statementQuery,
  warningSet,
} from '../../domain/money/payment-contract.ts';
import { statementCsv } from '../files/statement.ts';
import { answer } from '../http/answer.ts';
import { attachment } from '../http/attachment.ts';
import { admin } from '../middleware/admin.ts';
import { answers, sends } from '../middleware/answers.ts';
import { callerOf, signedIn, type UserEnv, viewerOf } from '../middleware/session.ts';
import { validate } from '../middleware/validate.ts';
import { setThreshold } from '../models/money/alerts.ts';
import { type ListedPayment, listPayments } from '../models/money/all-payments.ts';
import { type StatementLine, statementOf } from '../models/money/ledger.ts';
import { listComparisons } from '../models/money/reconciliation.ts';
import { adjustByName } from '../services/payments/adjust-balance.ts';
import { showBalance } from '../services/payments/show-balance.ts';

const LINES_PER_PAGE = 50;
const MAX_LINES = 50_000;

const line = ({ amount_cents, balance_cents, ...rest }: StatementLine) => ({
  ...rest,
  amount: dollars(amount_cents),
  balance: dollars(balance_cents),
});

const shownPayment = ({ amount_cents, reversals, ...payment }: ListedPayment) => ({
  ...payment,
  amount: dollars(amount_cents),
  reversals: reversals.map(({ amount_cents: taken, covered_cents, stage, ...reversal }) => ({
    ...reversal,
    amount: dollars(taken),
    uncovered: dollars(taken - covered_cents),
    given_back: stage === GIVEN_BACK,
  })),
});

export const balance = new Hono<UserEnv>()
  .get(
    '/account/balance',
    signedIn,
    answers('The balance and the warning threshold', balanceAnswer),
    async (context) => {
      return answer(context, await showBalance(context.get('db'), context.env, viewerOf(context)));
    },
  )
  .post(
    '/account/low-balance',
    signedIn,
    validate('json', lowBalance),
    answers('Set the threshold of the low-balance mail', warningSet),
    async (context) => {
      const { threshold } = context.req.valid('json');
      await setThreshold(context.get('db'), context.get('userId'), threshold);
      return answer(context, { threshold: threshold === null ? null : dollars(threshold) });
    },
  )
  .get(
    '/account/statement',
    signedIn,
    validate('query', statementQuery),
    answers('Entries of the ledger with running balance', statementPage),
    async (context) => {
      const query = context.req.valid('query');
      const lines = await statementOf(context.get('db'), context.get('userId'), query, LINES_PER_PAGE);
      return answer(context, {
        lines: lines.map(line),
        next: lines.length === LINES_PER_PAGE ? (lines.at(-1)?.entry_id ?? null) : null,
      });
    },
  )
  .get(
    '/account/statement/download',
    signedIn,
    validate('query', statementQuery),
    sends('The statement as CSV', 'text/csv'),
    async (context) => {
      const query = context.req.valid('query');
      const lines = await statementOf(context.get('db'), context.get('userId'), query, MAX_LINES);
      return new Response(statementCsv(lines), {
        headers: {
          'content-type': 'text/csv; charset=utf-8',
          'content-disposition': attachment('statement', 'csv'),
          'cache-control': 'private, no-store',
        },
      });
    },
  )
  .post(
    '/admin/adjustments',
    signedIn,
    admin,
    validate('header', idempotent),
    validate('json', adjustment),
    answers('Adjust a balance, with a reason', adjusted),
    async (context) => {
      const key = context.req.valid('header')['idempotency-key'] ?? crypto.randomUUID();
      const asked = { ...context.req.valid('json'), key };
      const caller = await callerOf(context);
      return answer(context, { adjusted: await adjustByName(context.get('db'), context.env, caller, asked) });
    },
  )
  .get(
    '/admin/payments',
    signedIn,
    admin,
    validate('query', adminPaymentsQuery),
    answers('Top-ups of all users, with what Stripe took back', adminPaymentList),
    async (context) => {
      const { payments, next } = await listPayments(context.get('db'), context.req.valid('query'));
      return answer(context, { payments: payments.map(shownPayment), next });
    },
  )
  .get(
    '/admin/reconciliations',
    signedIn,
    admin,
    answers('Daily comparison of ledger and payments', reconciliationList),
    async (context) =>
      answer(context, {
        days: (await listComparisons(context.get('db'))).map(
          ({ stripe_cents, ledger_cents, differences, ...rest }) => ({
            ...rest,
            stripe: dollars(stripe_cents),
            ledger: dollars(ledger_cents),
            differences: JSON.parse(differences) as string[],
          }),
        ),
      }),
  );
