import { Hono } from 'hono';
import { adjustment } from '../../domain/accounts/admin-contract.ts';
import { idempotent } from '../../domain/idempotency-key.ts';
import {
  adjusted,
  adminPayment,
  adminPaymentList,
  adminPaymentParam,
  adminPaymentsQuery,
  paymentAct,
  paymentSettled,
  reconciliationList,
} from '../../domain/money/admin-contract.ts';
import { dollars } from '../../domain/money/money.ts';
import { answer } from '../http/answer.ts';
import { admin, adminOf } from '../middleware/admin.ts';
import { answers } from '../middleware/answers.ts';
import { callerOf, type UserEnv } from '../middleware/session.ts';
import { validate } from '../middleware/validate.ts';
import { listComparisons } from '../models/money/reconciliation.ts';
import { adjustByName } from '../services/payments/adjust-balance.ts';
import { settleByAdmin, showPayment, showPayments } from '../services/payments/show-payments.ts';

/** Money of all users: top-ups, the comparison with Stripe, adjustments. */
export const adminPayments = new Hono<UserEnv>()
  .use(admin)
  .get(
    '/payments',
    validate('query', adminPaymentsQuery),
    answers('Top-ups of all users, with what Stripe took back', adminPaymentList),
    async (context) => answer(context, await showPayments(context.get('db'), context.req.valid('query'))),
  )
  .get(
    '/payments/:payment_id',
    validate('param', adminPaymentParam),
    answers('One top-up, with what Stripe says about it now', adminPayment),
    async (context) =>
      answer(context, await showPayment(context.get('db'), context.env, context.req.valid('param').payment_id)),
  )
  .post(
    '/payments/:payment_id/settle',
    validate('param', adminPaymentParam),
    validate('json', paymentAct),
    answers('Take the state of a top-up from Stripe, and credit it if it is paid there', paymentSettled),
    async (context) => {
      const asked = { ...context.req.valid('param'), ...context.req.valid('json') };
      return answer(context, await settleByAdmin(context.get('db'), context.env, adminOf(context), asked));
    },
  )
  .get('/reconciliations', answers('Daily comparison of ledger and payments', reconciliationList), async (context) =>
    answer(context, {
      days: (await listComparisons(context.get('db'))).map(({ stripe_cents, ledger_cents, differences, ...rest }) => ({
        ...rest,
        stripe: dollars(stripe_cents),
        ledger: dollars(ledger_cents),
        differences: JSON.parse(differences) as string[],
      })),
    }),
  )
  .post(
    '/adjustments',
    validate('header', idempotent),
    validate('json', adjustment),
    answers('Adjust a balance, with a reason', adjusted),
    async (context) => {
      const key = context.req.valid('header')['idempotency-key'] ?? crypto.randomUUID();
      const asked = { ...context.req.valid('json'), key };
      const caller = await callerOf(context);
      return answer(context, { adjusted: await adjustByName(context.get('db'), context.env, caller, asked) });
    },
  );
