import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { Refusal } from '../../errors.ts';
import { closeEndedSockets } from '../../gateways/user-sockets.ts';
import { confirmTwoFactor, endTwoFactor, startTwoFactor } from '../../models/accounts/two-factor.ts';
import { twoFactorMail } from '../messages/mail-texts.ts';
import { speakerFor } from '../service/speak.ts';
import { type Caller, countProof, proveFactor, provePassword } from './prove-person.ts';

/** Creates an authenticator secret for a user who proves the password. It becomes active when confirmed. */
export async function beginTwoFactor(
  db: Db,
  env: Env,
  caller: Caller,
  password: string,
): Promise<{ secret: string; uri: string }> {
  await provePassword(db, caller, password);
  const started = await startTwoFactor(db, env, caller.user);
  if (!started) throw new Refusal('conflict', 'Two-factor sign-in is on already. Switch it off first.');
  return started;
}

/** Activates the second factor with its first code. Returns the recovery codes. */
export async function switchOnTwoFactor(db: Db, env: Env, caller: Caller, code: string): Promise<string[]> {
  await countProof(db, caller);
  const mail = await speakerFor(env)(caller.user, () => twoFactorMail(caller.user, true, crypto.randomUUID()));
  const codes = await confirmTwoFactor(db, env, code, { ...caller, mail });
  if (!codes) throw new Refusal('invalid', 'code: is not what the authenticator app shows now.');
  await closeEndedSockets(env, caller.user.id);
  return codes;
}

/** Removes the second factor of a user who proves it and the password. */
export async function switchOffTwoFactor(
  db: Db,
  env: Env,
  caller: Caller,
  { current_password, code }: { current_password: string; code: string },
): Promise<void> {
  const { user, address } = caller;
  await provePassword(db, caller, current_password);
  await proveFactor(db, env, user, code);
  const mail = await speakerFor(env)(user, () => twoFactorMail(user, false, crypto.randomUUID()));
  await endTwoFactor(db, { user, mail, address });
}
