import { Hono } from 'hono';
import {
  accountAct,
  accountActParam,
  accountAdjustment,
  accountList,
  accountParam,
  accountsQuery,
  acted,
  roleChange,
  wholeAccount,
} from '../../domain/accounts/admin-contract.ts';
import { idempotent } from '../../domain/idempotency-key.ts';
import { answer } from '../http/answer.ts';
import { admin } from '../middleware/admin.ts';
import { answers } from '../middleware/answers.ts';
import { callerOf, type UserEnv } from '../middleware/session.ts';
import { validate } from '../middleware/validate.ts';
import { showAccount, showAccounts } from '../services/accounts/show-account.ts';
import { adjustBalanceOf, assignRole, supportAccount } from '../services/accounts/support-account.ts';

/** Accounts of all users, and what admins do to them. */
export const adminAccounts = new Hono<UserEnv>()
  .use(admin)
  .get('/accounts', validate('query', accountsQuery), answers('Accounts, newest first', accountList), async (context) =>
    answer(context, await showAccounts(context.get('db'), context.req.valid('query'))),
  )
  .get(
    '/accounts/:user_id',
    validate('param', accountParam),
    answers('One account with what belongs to it', wholeAccount),
    async (context) => answer(context, await showAccount(context.get('db'), context.req.valid('param').user_id)),
  )
  .post(
    '/accounts/:user_id/role',
    validate('param', accountParam),
    validate('json', roleChange),
    answers('Change the role of an account', acted),
    async (context) => {
      const asked = { userId: context.req.valid('param').user_id, ...context.req.valid('json') };
      return answer(context, {
        msg: await assignRole(context.get('db'), context.env, await callerOf(context), asked),
      });
    },
  )
  .post(
    '/accounts/:user_id/adjust',
    validate('param', accountParam),
    validate('header', idempotent),
    validate('json', accountAdjustment),
    answers('Adjust the balance of an account', acted),
    async (context) => {
      const asked = {
        userId: context.req.valid('param').user_id,
        ...context.req.valid('json'),
        key: context.req.valid('header')['idempotency-key'] ?? crypto.randomUUID(),
      };
      return answer(context, {
        msg: await adjustBalanceOf(context.get('db'), context.env, await callerOf(context), asked),
      });
    },
  )
  .post(
    '/accounts/:user_id/:act{lock|unlock|end-sessions|reset-two-factor}',
    validate('param', accountActParam),
    validate('json', accountAct),
    answers('Lock or unlock an account, end its sessions or remove its second factor', acted),
    async (context) => {
      const { user_id: userId, act } = context.req.valid('param');
      const asked = { userId, act, ...context.req.valid('json') };
      return answer(context, {
        msg: await supportAccount(context.get('db'), context.env, await callerOf(context), asked),
      });
    },
  );
