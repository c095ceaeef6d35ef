import { Hono } from 'hono';
import { idempotent } from '../../domain/idempotency-key.ts';
import { dollars } from '../../domain/money/money.ts';
import {
  adjustment,
  balanceAnswer,
  lowBalance,
  statementPage,
  statementQuery,
  warningSet,
} from '../../domain/money/payment-contract.ts';
import { answer } from '../answer.ts';
import { notFound, Refusal } from '../errors.ts';
import { statementCsv } from '../files/statement.ts';
import { takesPayments } from '../gateways/stripe.ts';
import { admin } from '../middleware/admin.ts';
import { answers, sends } from '../middleware/answers.ts';
import { addressOf } from '../middleware/limits.ts';
import { signedIn, type UserEnv } from '../middleware/session.ts';
import { validate } from '../middleware/validate.ts';
import { userByName } from '../models/accounts/accounts.ts';
import { adjustBalance } from '../models/money/adjustments.ts';
import { setThreshold, thresholdOf } from '../models/money/alerts.ts';
import { type StatementLine, statementOf } from '../models/money/ledger.ts';
import { listComparisons } from '../models/money/reconciliation.ts';
import { uncoveredOf } from '../models/money/reversals.ts';

const LINES_PER_PAGE = 50;
const MAX_LINES = 50_000;

const line = ({ amount_cents, balance_cents, ...rest }: StatementLine) => ({
  ...rest,
  amount: dollars(amount_cents),
  balance: dollars(balance_cents),
});

export const balance = new Hono<UserEnv>({ strict: false })
  .get('/account/balance', signedIn, answers(balanceAnswer), async (context) => {
    const [db, user] = [context.get('db'), context.get('user')];
    const [uncovered, threshold] = [await uncoveredOf(db, user.id), await thresholdOf(db, user.id)];
    return answer(context, {
      balance: dollars(user.balance_cents),
      /** What Stripe took back beyond the balance: while it is above zero, nothing can be ordered. */
      uncovered: dollars(uncovered),
      threshold: threshold === null ? null : dollars(threshold),
      takes_payments: takesPayments(context.env),
    });
  })
  .post('/account/low-balance', signedIn, validate('json', lowBalance), answers(warningSet), async (context) => {
    const { threshold } = context.req.valid('json');
    await setThreshold(context.get('db'), context.get('user').id, threshold);
    return answer(context, { threshold: threshold === null ? null : dollars(threshold) });
  })
  .get('/account/statement', signedIn, validate('query', statementQuery), answers(statementPage), async (context) => {
    const query = context.req.valid('query');
    const lines = await statementOf(context.get('db'), context.get('user').id, query, LINES_PER_PAGE);
    return answer(context, {
      lines: lines.map(line),
      next: lines.length === LINES_PER_PAGE ? (lines.at(-1)?.entry_id ?? null) : null,
    });
  })
  .get(
    '/account/statement/download',
    signedIn,
    validate('query', statementQuery),
    sends('text/csv'),
    async (context) => {
      const query = context.req.valid('query');
      const lines = await statementOf(context.get('db'), context.get('user').id, query, MAX_LINES);
      return new Response(statementCsv(lines), {
        headers: {
          'content-type': 'text/csv; charset=utf-8',
          'content-disposition': 'attachment; filename="statement.csv"',
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
    async (context) => {
      const db = context.get('db');
      const { username, amount, reason } = context.req.valid('json');
      const user = await userByName(db, username);
      if (!user) throw notFound('user');
      const key = context.req.valid('header')['idempotency-key'] ?? crypto.randomUUID();
      const by = context.get('user').id;
      const outcome = await adjustBalance(db, {
        userId: user.id,
        amount,
        reason,
        by,
        address: addressOf(context),
        key,
      });
      if (outcome === 'uncovered') throw new Refusal('conflict', 'amount: the balance does not cover that.');
      return answer(context, { adjusted: outcome === 'adjusted' });
    },
  )
  .get('/admin/reconciliations', signedIn, admin, async (context) =>
    answer(context, {
      days: (await listComparisons(context.get('db'))).map(({ stripe_cents, ledger_cents, differences, ...rest }) => ({
        ...rest,
        stripe: dollars(stripe_cents),
        ledger: dollars(ledger_cents),
        differences: JSON.parse(differences) as string[],
      })),
    }),
  );
