import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { Refusal } from '../../errors.ts';
import { closeEndedSockets } from '../../gateways/user-sockets.ts';
import { confirmTwoFactor, endTwoFactor, startTwoFactor } from '../../models/accounts/two-factor.ts';
import { twoFactorMail } from '../messages/mail-texts.ts';
import { type Caller, countTry, proveFactor, provePassword } from './prove-person.ts';

/** Makes the secret of an authenticator for a user who shows his password; it counts once confirmed. */
export async function beginTwoFactor(
  db: Db,
  env: Env,
  caller: Caller,
  password: string,
): Promise<{ secret: string; uri: string }> {
  await provePassword(env, caller, password);
  const started = await startTwoFactor(db, env, caller.user);
  if (!started) throw new Refusal('conflict', 'Two-factor sign-in is on already. Switch it off first.');
  return started;
}

/** Switches the second factor on by its first code; answers the recovery codes. */
export async function switchOnTwoFactor(db: Db, env: Env, caller: Caller, code: string): Promise<string[]> {
  await countTry(env, caller);
  const mail = twoFactorMail(caller.user, true, crypto.randomUUID());
  const codes = await confirmTwoFactor(db, env, code, { ...caller, mail });
  if (!codes) throw new Refusal('invalid', 'code: is not what the authenticator app shows now.');
  await closeEndedSockets(env, caller.user.id);
  return codes;
}

/** Switches the second factor off for a user who shows it and his password. */
export async function switchOffTwoFactor(
  db: Db,
  env: Env,
  caller: Caller,
  { current_password, code }: { current_password: string; code: string },
): Promise<void> {
  const { user, address } = caller;
  await provePassword(env, caller, current_password);
  await proveFactor(db, env, user, code);
  await endTwoFactor(db, { user, mail: twoFactorMail(user, false, crypto.randomUUID()), address });
}
