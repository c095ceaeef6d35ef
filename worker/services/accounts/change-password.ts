import type * as z from 'zod';
import type { passwordChange } from '../../../domain/accounts/account.ts';
import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { closeEndedSockets } from '../../gateways/user-sockets.ts';
import { changePassword } from '../../models/accounts/accounts.ts';
import { refuseWeak } from '../../models/accounts/password-strength.ts';
import { passwordChangedMail } from '../messages/mail-texts.ts';
import { speakerFor } from '../service/speak.ts';
import { type Caller, provePassword } from './prove-person.ts';

/**
 * Changes the password of a user who proves the current one. Ends the user's other sessions and notifies them by mail.
 */
export async function changeOwnPassword(
  db: Db,
  env: Env,
  caller: Caller,
  { current_password, password, end_keys }: z.output<typeof passwordChange>,
): Promise<void> {
  await provePassword(db, caller, current_password);
  await refuseWeak(password, caller.user);
  const mail = await speakerFor(env)(caller.user, () =>
    passwordChangedMail(env.SITE_ORIGIN, caller.user, crypto.randomUUID()),
  );
  await changePassword(db, { ...caller, password, endKeys: end_keys, mail });
  await closeEndedSockets(env, caller.user.id);
}
