import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { notFound } from '../../errors.ts';
import { closeEndedSockets } from '../../gateways/user-sockets.ts';
import { userByName } from '../../models/accounts/accounts.ts';
import {
  closeOtherSessions,
  closeOwnSession,
  closeSession,
  endSessionsAsAdmin,
} from '../../models/accounts/sessions.ts';
import type { Caller } from './prove-person.ts';

/** Ends a user's session and its sockets. Returns false if the id is unknown. */
export async function endSession(db: Db, env: Env, userId: string, sessionId: string): Promise<boolean> {
  const isEnded = await closeOwnSession(db, userId, sessionId);
  if (isEnded) await closeEndedSockets(env, userId);
  return isEnded;
}

/** Ends the session that a browser had before a sign-in, with its sockets. It may be another user's. */
export async function endReplacedSession(db: Db, env: Env, sessionId: string): Promise<void> {
  const userId = await closeSession(db, sessionId);
  if (userId) await closeEndedSockets(env, userId);
}

/** Ends all sessions of a user except the caller's own, with their sockets. Returns how many. */
export async function endOtherSessions(db: Db, env: Env, { user, sessionId, address }: Caller): Promise<number> {
  const ended = await closeOtherSessions(db, { userId: user.id, keptId: sessionId, address });
  await closeEndedSockets(env, user.id);
  return ended;
}

/**
 * Ends all sessions of a user, or of everybody if `username` is null, for an admin. Returns how many. A single user's
 * sockets close at once, everybody's within a minute.
 * @throws Refusal not_found.
 */
export async function endSessions(
  db: Db,
  env: Env,
  username: string | null,
  admin: { id: string; address: string },
): Promise<number> {
  const user = username === null ? null : await userByName(db, username);
  if (username !== null && !user) throw notFound('user');
  const ended = await endSessionsAsAdmin(db, user?.id ?? null, admin);
  if (user) await closeEndedSockets(env, user.id);
  return ended;
}
