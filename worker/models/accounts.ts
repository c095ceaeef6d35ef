import { and, eq, gt } from 'drizzle-orm';
import type { Db } from '../db/open.ts';
import { sessions, users } from '../db/schema.ts';
import { hashPassword, passwordMatches } from './passwords.ts';

export const CURRENT_EULA = 1;
export const SESSION_DAYS = 30;

export type User = typeof users.$inferSelect;

export interface NewUser {
  username: string;
  email: string;
  password: string;
  full_name?: string;
  role?: 'user' | 'admin';
  eula_version?: number;
  verified_at?: number | null;
}

/** Creates an account and returns its id. A taken username or e-mail breaks the table's constraint. */
export async function createUser(db: Db, user: NewUser, now = Date.now()): Promise<string> {
  const id = crypto.randomUUID();
  await db.insert(users).values({
    id,
    username: user.username,
    username_key: user.username.toLowerCase(),
    email: user.email,
    email_key: user.email.toLowerCase(),
    full_name: user.full_name ?? '',
    password_hash: await hashPassword(user.password),
    role: user.role ?? 'user',
    eula_version: user.eula_version ?? 0,
    verified_at: user.verified_at ?? null,
    created_at: now,
  });
  return id;
}

/** The user of that name, or null; case does not matter. */
export async function userByName(db: Db, username: string): Promise<User | null> {
  const [user] = await db.select().from(users).where(eq(users.username_key, username.toLowerCase())).limit(1);
  return user ?? null;
}

/** The user whose password that is, or null. Takes the same time whether or not the name is known. */
export async function authenticate(db: Db, username: string, password: string): Promise<User | null> {
  const user = await userByName(db, username);
  return (await passwordMatches(password, user?.password_hash ?? null)) ? user : null;
}

/** Opens a session and returns its id. */
export async function openSession(db: Db, userId: string, userAgent: string, now = Date.now()): Promise<string> {
  const id = crypto.randomUUID();
  await db.insert(sessions).values({
    id,
    user_id: userId,
    created_at: now,
    expires_at: now + SESSION_DAYS * 86_400_000,
    user_agent: userAgent.slice(0, 200),
  });
  return id;
}

export interface SessionUser {
  user: User;
  /** Whether the second factor was shown at this session's sign-in. */
  two_factor: boolean;
}

/** The user of a session that has neither ended nor run out, or null. */
export async function userOfSession(db: Db, sessionId: string, now = Date.now()): Promise<SessionUser | null> {
  const [found] = await db
    .select({ user: users, two_factor: sessions.two_factor })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.user_id))
    .where(and(eq(sessions.id, sessionId), gt(sessions.expires_at, now)))
    .limit(1);
  return found ?? null;
}

/** Ends a session; ending it twice is harmless. */
export async function closeSession(db: Db, sessionId: string): Promise<void> {
  await db.delete(sessions).where(eq(sessions.id, sessionId));
}
