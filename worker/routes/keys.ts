import { Hono } from 'hono';
import * as z from 'zod';
import { newKey } from '../../domain/accounts/account.ts';
import { keyList, keyMade } from '../../domain/accounts/answers.ts';
import type { Scope } from '../../domain/accounts/scopes.ts';
import { done } from '../../domain/answers.ts';
import { notFound } from '../errors.ts';
import { answer } from '../http/answer.ts';
import { answers } from '../middleware/answers.ts';
import { callerOf, signedIn, type UserEnv } from '../middleware/session.ts';
import { validate } from '../middleware/validate.ts';
import { listKeys } from '../models/accounts/api-keys.ts';
import { makeKey, revokeOwnKey } from '../services/accounts/change-keys.ts';

export const keys = new Hono<UserEnv>()
  .get('/account/keys', signedIn, answers('The user’s API keys', keyList), async (context) => {
    const own = await listKeys(context.get('db'), context.get('userId'));
    return answer(
      context,
      own.map(({ id, name, prefix, scopes, created_at, last_used_at }) => ({
        id,
        name,
        prefix,
        scopes: scopes.split(',') as Scope[],
        created_at,
        last_used_at,
      })),
    );
  })
  .post(
    '/account/keys',
    signedIn,
    validate('json', newKey),
    answers('Create an API key with the password (and code); its text is shown once', keyMade),
    async (context) => {
      return answer(
        context,
        await makeKey(context.get('db'), context.env, await callerOf(context), context.req.valid('json')),
      );
    },
  )
  .delete(
    '/account/keys/:key_id',
    signedIn,
    validate('param', z.object({ key_id: z.string().describe('A key: `id` of GET /v1/account/keys.') })),
    answers('Revoke an API key', done),
    async (context) => {
      const id = context.req.valid('param').key_id;
      if (!(await revokeOwnKey(context.get('db'), context.env, await callerOf(context), id))) throw notFound('key');
      return answer(context, {});
    },
  );
