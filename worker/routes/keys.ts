import { Hono } from 'hono';
import { MAX_KEYS, newKey } from '../../domain/accounts/account.ts';
import { keyList, keyMade } from '../../domain/accounts/answers.ts';
import type { Scope } from '../../domain/accounts/scopes.ts';
import { done } from '../../domain/answers.ts';
import { answer } from '../answer.ts';
import { notFound, Refusal } from '../errors.ts';
import { answers } from '../middleware/answers.ts';
import { addressOf } from '../middleware/limits.ts';
import { signedIn, type UserEnv } from '../middleware/session.ts';
import { validate } from '../middleware/validate.ts';
import { createKey, listKeys, revokeKey } from '../models/accounts/api-keys.ts';
import { keyMadeMail } from '../services/messages/mail-texts.ts';
import { sameFactor, samePerson } from './account.ts';

export const keys = new Hono<UserEnv>({ strict: false })
  .get('/account/keys', signedIn, answers(keyList), async (context) => {
    const own = await listKeys(context.get('db'), context.get('user').id);
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
  .post('/account/keys', signedIn, validate('json', newKey), answers(keyMade), async (context) => {
    const { name, scopes, current_password, code } = context.req.valid('json');
    const user = await samePerson(context, current_password);
    await sameFactor(context, code);
    const mail = keyMadeMail(context.env.SITE_ORIGIN, user, { name, scopes }, crypto.randomUUID());
    const made = await createKey(context.get('db'), { user, name, scopes, mail, address: addressOf(context) });
    if (!made) throw new Refusal('conflict', `You have ${MAX_KEYS} keys already. Revoke one first.`);
    return answer(context, made);
  })
  .delete('/account/keys/:key_id', signedIn, answers(done), async (context) => {
    const id = context.req.param('key_id');
    if (!(await revokeKey(context.get('db'), context.get('user').id, id, addressOf(context)))) throw notFound('key');
    return answer(context, {});
  });
