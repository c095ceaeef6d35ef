import type * as z from 'zod';
import type { AccountAct, accountAdjustment, roleChange } from '../../../domain/accounts/admin-contract.ts';
import { counted } from '../../../domain/figures.ts';
import { message, sentence } from '../../../domain/language/text.ts';
import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { notFound, Refusal } from '../../errors.ts';
import { closeEndedSockets } from '../../gateways/user-sockets.ts';
import { userById } from '../../models/accounts/accounts.ts';
import { changeRole, lockAccount, removeFactor, unlockAccount } from '../../models/accounts/admin-acts.ts';
import { endSessionsAsAdmin } from '../../models/accounts/sessions.ts';
import type { User } from '../../models/accounts/user.ts';
import type { AuditEntry } from '../../models/service/audit.ts';
import { adjustAccount } from '../payments/adjust-balance.ts';
import { speakerFor } from '../service/speak.ts';
import { type Caller, proveFactor } from './prove-person.ts';

/** What admins do to an account. Each act is logged with its reason. */

interface Acting {
  db: Db;
  env: Env;
  admin: Caller;
  user: User;
  reason: string;
  entry: AuditEntry;
}

const LAST_ADMIN = message('This is the last admin who can act. Make another one first.');

async function lock({ db, env, admin, user, reason, entry }: Acting): Promise<string> {
  if (user.id === admin.user.id) throw new Refusal('conflict', 'You cannot lock your own account.');
  if (user.locked_at !== null) throw new Refusal('conflict', 'This account is locked already.');
  if (!(await lockAccount(db, user.id, reason, entry))) throw new Refusal('conflict', LAST_ADMIN);
  await closeEndedSockets(env, user.id);
  return 'Locked. Its sessions ended, its keys stopped and its schedules are paused.';
}

async function unlock({ db, user, entry }: Acting): Promise<string> {
  if (!(await unlockAccount(db, user.id, entry))) throw new Refusal('conflict', 'This account is not locked.');
  return 'Unlocked. Its schedules stay paused until its user resumes them.';
}

async function endSessions({ db, env, user, admin, reason }: Acting): Promise<string> {
  const by = { id: admin.user.id, address: admin.address, reason };
  const ended = await endSessionsAsAdmin(db, user.id, by);
  await closeEndedSockets(env, user.id);
  return `${counted(ended, 'session')} ended.`;
}

async function resetFactor({ db, env, user, entry }: Acting): Promise<string> {
  const removed = await speakerFor(env)(user, () => removeFactor(db, { userId: user.id, email: user.email }, entry));
  if (!removed) throw new Refusal('conflict', 'This account has no second factor.');
  await closeEndedSockets(env, user.id);
  return 'The second factor is off and all sessions ended. The user has a mail about it.';
}

const ACTS: Record<AccountAct, { act: (acting: Acting) => Promise<string>; action: string; proof: boolean }> = {
  lock: { act: lock, action: 'account.locked', proof: false },
  unlock: { act: unlock, action: 'account.unlocked', proof: false },
  'end-sessions': { act: endSessions, action: 'session.ended_by_admin', proof: false },
  'reset-two-factor': { act: resetFactor, action: 'two_factor.reset', proof: true },
};

async function account(db: Db, userId: string): Promise<User> {
  const user = await userById(db, userId);
  if (!user || user.deleted_at !== null) throw notFound('account');
  return user;
}

const entryOf = ({ user, address }: Caller, userId: string, action: string, detail: Record<string, unknown>) => ({
  ...{ userId, action, detail, address },
  actor: `admin:${user.id}`,
});

/**
 * Locks or unlocks an account, ends its sessions or removes its second factor. Returns what was done.
 * @throws Refusal not_found, forbidden for a wrong code, or conflict with the reason.
 */
export async function supportAccount(
  db: Db,
  env: Env,
  admin: Caller,
  { userId, act, reason, code }: { userId: string; act: AccountAct; reason: string; code?: string | undefined },
): Promise<string> {
  const user = await account(db, userId);
  const { act: run, action, proof } = ACTS[act];
  if (proof) await proveFactor(db, env, admin.user, code);
  return run({ db, env, admin, user, reason, entry: entryOf(admin, userId, action, { reason }) });
}

/** Changes a role. @throws Refusal as above. */
export async function assignRole(
  db: Db,
  env: Env,
  admin: Caller,
  { userId, role, before, reason, code }: z.output<typeof roleChange> & { userId: string },
): Promise<string> {
  const user = await account(db, userId);
  if (userId === admin.user.id) throw new Refusal('conflict', 'role: nobody changes their own role.');
  await proveFactor(db, env, admin.user, code);
  const entry = entryOf(admin, userId, 'role.changed', { reason, before: { role: before }, after: { role } });
  if (!(await changeRole(db, { userId, before, role }, entry))) {
    const now = (await account(db, userId)).role;
    if (now === role) throw new Refusal('conflict', sentence('is {role} already.', { role }, 'role'));
    if (now === before) throw new Refusal('conflict', LAST_ADMIN);
    throw new Refusal('conflict', sentence('was changed meanwhile: it is {now} now.', { now }, 'role'));
  }
  await closeEndedSockets(env, user.id);
  return `${user.username} is ${role === 'user' ? 'a user' : role} now.`;
}

/** Changes a balance. Returns what was done. @throws Refusal as above. */
export async function adjustBalanceOf(
  db: Db,
  env: Env,
  admin: Caller,
  { userId, amount, reason, code, key }: z.output<typeof accountAdjustment> & { userId: string; key: string },
): Promise<string> {
  const user = await account(db, userId);
  await proveFactor(db, env, admin.user, code);
  const by = { id: admin.user.id, address: admin.address };
  const adjusted = await adjustAccount(db, user, { amount, reason }, by, key);
  return adjusted ? 'The balance was adjusted.' : 'This adjustment was made before.';
}
