import { eq } from 'drizzle-orm';
import type { Locale } from '../../../domain/language/locales.ts';
import type { Db } from '../../db/open.ts';
import { users } from '../../db/schema.ts';
import { mailStatement, type NewMail } from '../messages/outbox.ts';
import { auditStatement } from '../service/audit.ts';
import { endKeysStatement } from './api-keys.ts';
import { withNewCredentials } from './credentials.ts';
import { hashPassword, passwordMatches } from './passwords.ts';
import { endSessionsStatement } from './sessions.ts';
import type { User } from './user.ts';

export interface NewUser {
  username: string;
  email: string;
  password: string;
  full_name?: string;
  role?: 'user' | 'admin';
  eula_version?: number;
  /** When the e-mail address was verified. Undefined: verified now. */
  verified_at?: number | null;
}

/**
 * Creates an account without access code or mails and returns its id. For the seed and tests; strangers go through
 * `register`. A taken username or e-mail address breaks the table's constraint.
 */
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
    verified_at: user.verified_at === undefined ? now : user.verified_at,
    created_at: now,
  });
  return id;
}

/** Returns the user with this name, ignoring case, or null. */
export async function userByName(db: Db, username: string): Promise<User | null> {
  const [user] = await db.select().from(users).where(eq(users.username_key, username.toLowerCase())).limit(1);
  return user ?? null;
}

/** Returns the user with this e-mail address, ignoring case, or null. */
export async function userByEmail(db: Db, email: string): Promise<User | null> {
  const [user] = await db.select().from(users).where(eq(users.email_key, email.toLowerCase())).limit(1);
  return user ?? null;
}

export async function userById(db: Db, id: string): Promise<User | null> {
  const [user] = await db.select().from(users).where(eq(users.id, id)).limit(1);
  return user ?? null;
}

/** Returns the user with this name and whether the password is right. Takes the same time for unknown names. */
export async function authenticate<Known extends Pick<User, 'password_hash'>>(
  user: Known | null,
  password: string,
): Promise<{ user: Known; right: true } | { user: Known | null; right: false }> {
  const right = await passwordMatches(password, user?.password_hash ?? null);
  return user && right ? { user, right } : { user, right: false };
}

/** Records that a user accepted a version of the licence. */
export async function acceptEula(
  db: Db,
  { userId, version, address }: { userId: string; version: number; address: string },
  now = Date.now(),
): Promise<void> {
  await db.$client.batch([
    db.$client.prepare(`UPDATE users SET eula_version = ? WHERE id = ?`).bind(version, userId),
    auditStatement(db, { userId, actor: 'user', action: 'eula.accepted', detail: { version }, address }, now),
  ]);
}

/** Returns the language of the account with this id or e-mail address. */
export async function languageOf(db: Db, who: { id: string } | { email: string }): Promise<Pick<User, 'language'>> {
  const isUser = 'id' in who ? eq(users.id, who.id) : eq(users.email_key, who.email.toLowerCase());
  const [user] = await db.select({ language: users.language }).from(users).where(isUser).limit(1);
  return user ?? { language: null };
}

export async function chooseLanguage(db: Db, userId: string, language: Locale): Promise<void> {
  await db.update(users).set({ language }).where(eq(users.id, userId));
}

interface PasswordChange {
  user: User;
  password: string;
  /** The session to keep; all others end. */
  sessionId: string;
  /** Whether to revoke API keys too. */
  endKeys: boolean;
  mail: NewMail;
  address: string;
}

/** Sets a new password, ends the user's other sessions (and API keys if asked) and notifies the user by mail. */
export async function changePassword(db: Db, change: PasswordChange, now = Date.now()): Promise<void> {
  const { user, password, sessionId, endKeys, mail, address } = change;
  await withNewCredentials(db, user, [
    db.$client.prepare(`UPDATE users SET password_hash = ? WHERE id = ?`).bind(await hashPassword(password), user.id),
    endSessionsStatement(db, user.id, sessionId),
    ...(endKeys ? [endKeysStatement(db, user.id, now)] : []),
    mailStatement(db, mail, now),
    auditStatement(db, { userId: user.id, actor: 'user', action: 'password.changed', address }, now),
  ]);
}
