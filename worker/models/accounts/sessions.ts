import { randomBytes } from 'node:crypto';
import { and, asc, desc, eq, gt, ne } from 'drizzle-orm';
import { DAY_MS, HOUR_MS } from '../../../domain/days.ts';
import type { Db } from '../../db/open.ts';
import { sessions, users } from '../../db/schema.ts';
import { auditStatement, record } from '../service/audit.ts';
import type { User } from './accounts.ts';
import { withSameCredentials } from './credentials.ts';
import { knownAddressStatements } from './known-addresses.ts';

/** A session ends when it was not used for so long, and at the latest so long after its sign-in. */
export const SESSION_DAYS = 30;
const MOST_DAYS = 90;
/** A session is moved on at most this often: one write an hour, not one a call. */
const TOUCH_MS = HOUR_MS;

export type Session = typeof sessions.$inferSelect;

export interface NewSession {
  user: User;
  userAgent: string;
  /** Where the caller sits, as the platform tells. */
  address: string;
  /** Whether the second factor was shown. */
  twoFactor: boolean;
}

/**
 * Opens a session and answers its id. Refused where the user's password, address or second factor changed after he was
 * read: what he showed then does not count now.
 */
export async function openSession(db: Db, session: NewSession, now = Date.now()): Promise<string> {
  const id = randomBytes(32).toString('base64url');
  const { user, userAgent, address, twoFactor } = session;
  await withSameCredentials(db, user, [
    db.$client
      .prepare(
        `INSERT INTO sessions (id, user_id, created_at, last_seen_at, expires_at, user_agent, address, two_factor)
         VALUES (?1, ?2, ?3, ?3, ?4, ?5, ?6, ?7)`,
      )
      .bind(id, user.id, now, now + SESSION_DAYS * DAY_MS, userAgent.slice(0, 200), address, twoFactor ? 1 : 0),
    ...knownAddressStatements(db, user.id, address, now),
    auditStatement(db, { userId: user.id, actor: 'user', action: 'session.opened', subject: id, address }, now),
  ]);
  return id;
}

export interface SessionUser {
  user: User;
  session: Session;
}

/** The condition that a session has not run out; `now` is SQL. */
export const openSessionSql = (now: string): string =>
  `expires_at > ${now} AND sessions.created_at > ${now} - ${MOST_DAYS * DAY_MS}`;

/** The user of a session that has neither ended nor run out, or null. */
export async function userOfSession(db: Db, sessionId: string, now = Date.now()): Promise<SessionUser | null> {
  const [found] = await db
    .select({ user: users, session: sessions })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.user_id))
    .where(
      and(eq(sessions.id, sessionId), gt(sessions.expires_at, now), gt(sessions.created_at, now - MOST_DAYS * DAY_MS)),
    )
    .limit(1);
  return found ?? null;
}

/** True where a session was last moved on so long ago that this use should be noted. */
export const isStale = (session: Session, now = Date.now()): boolean => now - session.last_seen_at > TOUCH_MS;

/** Moves a session on: thirty more days from now. */
export async function touchSession(db: Db, sessionId: string, now = Date.now()): Promise<void> {
  await db
    .update(sessions)
    .set({ last_seen_at: now, expires_at: now + SESSION_DAYS * DAY_MS })
    .where(eq(sessions.id, sessionId));
}

/** Ends a session; ending it twice is harmless. */
export async function closeSession(db: Db, sessionId: string): Promise<void> {
  await db.delete(sessions).where(eq(sessions.id, sessionId));
}

/** Ends one of a user's own sessions; false where he has none of that id. */
export async function closeOwnSession(db: Db, userId: string, sessionId: string): Promise<boolean> {
  const ended = await db
    .delete(sessions)
    .where(and(eq(sessions.id, sessionId), eq(sessions.user_id, userId)))
    .returning({ id: sessions.id });
  return ended.length > 0;
}

/** A user ends every session of his but one; answers how many. */
export async function closeOtherSessions(
  db: Db,
  { userId, keptId, address }: { userId: string; keptId: string; address: string },
): Promise<number> {
  const rows = await db
    .delete(sessions)
    .where(and(eq(sessions.user_id, userId), ne(sessions.id, keptId)))
    .returning({ id: sessions.id });
  const ended = rows.length;
  await record(db, { userId, actor: 'user', action: 'session.others_ended', detail: { ended }, address });
  return ended;
}

/** The statement that ends every session of a user, or all but one. */
export const endSessionsStatement = (db: Db, userId: string, keptId = ''): D1PreparedStatement =>
  db.$client.prepare(`DELETE FROM sessions WHERE user_id = ? AND id <> ?`).bind(userId, keptId);

/** An admin ends every session of a user, or of everybody; answers how many. */
export async function endSessionsAsAdmin(
  db: Db,
  userId: string | null,
  admin: { id: string; address: string },
  now = Date.now(),
): Promise<number> {
  const which = userId === null ? '' : 'WHERE user_id = ?';
  const [ended] = await db.$client.batch([
    db.$client.prepare(`DELETE FROM sessions ${which}`).bind(...(userId === null ? [] : [userId])),
    auditStatement(
      db,
      { userId, actor: `admin:${admin.id}`, action: 'session.ended_by_admin', address: admin.address },
      now,
    ),
  ]);
  return ended?.meta.changes ?? 0;
}

/** A user's sessions that have not run out, the last used first. */
export const listSessions = (db: Db, userId: string, now = Date.now()): Promise<Session[]> =>
  db
    .select()
    .from(sessions)
    .where(and(eq(sessions.user_id, userId), gt(sessions.expires_at, now)))
    .orderBy(desc(sessions.last_seen_at), asc(sessions.id))
    .limit(100);
