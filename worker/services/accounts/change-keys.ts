import type * as z from 'zod';
import { MAX_KEYS, type newKey } from '../../../domain/accounts/account.ts';
import { sentence } from '../../../domain/language/text.ts';
import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { Refusal } from '../../errors.ts';
import { closeEndedSockets } from '../../gateways/user-sockets.ts';
import { createKey, revokeKey } from '../../models/accounts/api-keys.ts';
import { keyMadeMail } from '../messages/mail-texts.ts';
import { speakerFor } from '../service/speak.ts';
import { type Caller, proveFactor, provePassword } from './prove-person.ts';

/** Creates an API key for a user who proves password and second factor. Its text exists only in the return value. */
export async function makeKey(
  db: Db,
  env: Env,
  caller: Caller,
  { name, scopes, current_password, code }: z.output<typeof newKey>,
): Promise<{ id: string; key: string }> {
  const { user, address } = caller;
  await provePassword(db, caller, current_password);
  await proveFactor(db, env, user, code);
  const mail = await speakerFor(env)(user, () =>
    keyMadeMail(env.SITE_ORIGIN, user, { name, scopes }, crypto.randomUUID()),
  );
  const made = await createKey(db, { user, name, scopes, mail, address });
  if (!made)
    throw new Refusal('conflict', sentence('You have {count} keys already. Revoke one first.', { count: MAX_KEYS }));
  return made;
}

/** Revokes the caller's API key and closes its sockets. Returns false if the id is unknown. */
export async function revokeOwnKey(db: Db, env: Env, { user, address }: Caller, id: string): Promise<boolean> {
  const isRevoked = await revokeKey(db, user.id, id, address);
  if (isRevoked) await closeEndedSockets(env, user.id);
  return isRevoked;
}
