import type * as z from 'zod';
import type { accountDeletion } from '../../../domain/accounts/account.ts';
import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { brokeConstraint, logError, Refusal } from '../../errors.ts';
import { dropOwnFiles } from '../../gateways/own-files.ts';
import { closeEndedSockets } from '../../gateways/user-sockets.ts';
import { deleteAccount } from '../../models/accounts/deletion.ts';
import { dropExpired, dropUnverified, UNVERIFIED, unverifiedUsers } from '../../models/accounts/registration.ts';
import { LEFT_FILES } from '../../models/service/job-failures.ts';
import { deletedMail } from '../messages/mail-texts.ts';
import { oneByOne } from '../service/one-by-one.ts';
import { speakerFor } from '../service/speak.ts';
import { type Caller, proveFactor, provePassword } from './prove-person.ts';

/** Deletes the account and all files of a user who proves password and second factor. */
export async function deleteOwnAccount(
  db: Db,
  env: Env,
  caller: Caller,
  { current_password, code, username }: z.output<typeof accountDeletion>,
): Promise<void> {
  const { user, address } = caller;
  await provePassword(db, caller, current_password);
  if (username.toLowerCase() !== user.username_key)
    throw new Refusal('invalid', 'username: type your own, to show that you mean it.');
  if (user.role === 'admin')
    throw new Refusal('conflict', 'Admins cannot delete their own account. Ask another admin.');
  await proveFactor(db, env, user, code);
  const mail = await speakerFor(env)(user, () => deletedMail(user, user.id));
  try {
    await deleteAccount(db, user, mail, address);
  } catch (error) {
    if (!brokeConstraint(error, 'owner of a team')) throw error;
    throw new Refusal('conflict', 'You own a team: close it or hand it over first, so that its balance has an owner.');
  }
  await closeEndedSockets(env, user.id);
  // The account is gone either way. The cron deletes files that remain.
  await dropOwnFiles(env.STORE, user.id).catch((error: unknown) => {
    logError({ job: LEFT_FILES, subject: user.id }, error);
  });
}

/** Deletes accounts that were never verified, independently of each other, and expired tokens and sessions. */
export async function tidyAccounts(db: Db, now = Date.now()): Promise<void> {
  await dropExpired(db, now);
  const rows = await unverifiedUsers(db, now);
  await oneByOne(db, { job: UNVERIFIED, rows, subjectOf: (id) => id }, (id) => dropUnverified(db, id, now), now);
}
