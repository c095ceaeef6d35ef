import { randomBytes } from 'node:crypto';
import { and, asc, desc, eq, gt, ne, sql } from 'drizzle-orm';
import { DAY_MS, HOUR_MS } from '../../../domain/days.ts';
import type { Db } from '../../db/open.ts';
import { sessions, users } from '../../db/schema.ts';
import { auditStatement, record } from '../service/audit.ts';
import { withSameCredentials } from './credentials.ts';
import { knownAddressStatements } from './known-addresses.ts';
import type { User } from './user.ts';

/** Days without use after which a session expires, and its maximum age in days. */
export const SESSION_DAYS = 30;
const MOST_DAYS = 90;
/** Sessions of a user. All of them are listed, so that none can hide. */
const MOST_SESSIONS = 100;
/** A session is extended at most this often, to save a write per call. */
const TOUCH_MS = HOUR_MS;

export type Session = typeof sessions.$inferSelect;

interface NewSession {
  user: User;
  userAgent: string;
  /** The caller's IP address as reported by Cloudflare. */
  address: string;
  /** Whether the user signed in with the second factor. */
  twoFactor: boolean;
}

/**
 * Opens a session, ends the user's least recently used ones above the limit, and returns its id. Refused if the user's
 * password, address or second factor changed since the user was read, because the sign-in used the old ones.
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
    db.$client
      .prepare(
        `DELETE FROM sessions WHERE id IN (
           SELECT id FROM sessions WHERE user_id = ?1 ORDER BY id = ?2 DESC, last_seen_at DESC
           LIMIT -1 OFFSET ${MOST_SESSIONS})`,
      )
      .bind(user.id, id),
    ...knownAddressStatements(db, user.id, address, now),
    auditStatement(db, { userId: user.id, actor: 'user', action: 'session.opened', subject: id, address }, now),
  ]);
  return id;
}

interface SessionUser {
  user: User;
  session: Session;
}

/** SQL condition for a session that has not expired; `now` is SQL. */
const openSessionSql = (now: string): string =>
  `expires_at > ${now} AND sessions.created_at > ${now} - ${MOST_DAYS * DAY_MS}`;

/** Returns the user of an active session, or null. */
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

/** True if the session is due for extension. */
export const isStale = (session: Session, now = Date.now()): boolean => now - session.last_seen_at > TOUCH_MS;

/** Extends a session by `SESSION_DAYS` from now, but not past its maximum age. */
export async function touchSession(db: Db, sessionId: string, now = Date.now()): Promise<void> {
  await db
    .update(sessions)
    .set({
      last_seen_at: now,
      expires_at: sql`min(${now + SESSION_DAYS * DAY_MS}, ${sessions.created_at} + ${MOST_DAYS * DAY_MS})`,
    })
    .where(eq(sessions.id, sessionId));
}

/** Ends a session and returns its user's id, or null if it had ended before. */
export async function closeSession(db: Db, sessionId: string): Promise<string | null> {
  const [ended] = await db.delete(sessions).where(eq(sessions.id, sessionId)).returning({ user_id: sessions.user_id });
  return ended?.user_id ?? null;
}

/** Ends one of a user's own sessions. Returns false if the user has none with this id. */
export async function closeOwnSession(db: Db, userId: string, sessionId: string): Promise<boolean> {
  const ended = await db
    .delete(sessions)
    .where(and(eq(sessions.id, sessionId), eq(sessions.user_id, userId)))
    .returning({ id: sessions.id });
  return ended.length > 0;
}

/** Ends a user's sessions except `keptId`. Returns how many. */
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

/** Returns the statement that ends a user's sessions, except `keptId` if given. */
export const endSessionsStatement = (db: Db, userId: string, keptId = ''): D1PreparedStatement =>
  db.$client.prepare(`DELETE FROM sessions WHERE user_id = ? AND id <> ?`).bind(userId, keptId);

/** Ends every session of a user, or of everybody if `userId` is null, for an admin. Returns how many. */
export async function endSessionsAsAdmin(
  db: Db,
  userId: string | null,
  admin: { id: string; address: string; reason?: string },
  now = Date.now(),
): Promise<number> {
  const which = userId === null ? '' : 'WHERE user_id = ?';
  const [ended] = await db.$client.batch([
    db.$client.prepare(`DELETE FROM sessions ${which}`).bind(...(userId === null ? [] : [userId])),
    auditStatement(
      db,
      {
        ...{ userId, actor: `admin:${admin.id}`, action: 'session.ended_by_admin', address: admin.address },
        detail: admin.reason ? { reason: admin.reason } : {},
      },
      now,
    ),
  ]);
  return ended?.meta.changes ?? 0;
}

/** Returns a user's sessions that have not expired, most recently used first. */
export const listSessions = (db: Db, userId: string, now = Date.now()): Promise<Session[]> =>
  db
    .select()
    .from(sessions)
    .where(and(eq(sessions.user_id, userId), gt(sessions.expires_at, now)))
    .orderBy(desc(sessions.last_seen_at), asc(sessions.id))
    .limit(MOST_SESSIONS);

/** Filters a user's sessions and API keys (ids) to those still active; no key is while the account is locked. */
export async function openHolders(
  db: Db,
  userId: string,
  ids: readonly string[],
  now = Date.now(),
): Promise<Set<string>> {
  const { results } = await db.$client
    .prepare(
      `SELECT id FROM sessions WHERE user_id = ?1 AND id IN (SELECT value FROM json_each(?2)) AND ${openSessionSql('?3')}
       UNION ALL
       SELECT api_keys.id FROM api_keys JOIN users ON users.id = user_id
       WHERE user_id = ?1 AND api_keys.id IN (SELECT value FROM json_each(?2)) AND revoked_at IS NULL
         AND locked_at IS NULL`,
    )
    .bind(userId, JSON.stringify(ids), now)
    .all<{ id: string }>();
  return new Set(results.map(({ id }) => id));
}
