import { randomBytes } from 'node:crypto';
import { and, desc, eq, isNull } from 'drizzle-orm';
import { MAX_KEYS, type Scope } from '../../../domain/accounts/account.ts';
import type { Db } from '../../db/open.ts';
import { api_keys, users } from '../../db/schema.ts';
import { hashOf } from '../../signing.ts';
import { auditStatement } from '../service/audit.ts';
import type { User } from './accounts.ts';

export type ApiKey = typeof api_keys.$inferSelect;

/** What a key begins with, so that a leaked one is known for what it is. */
export const KEY_PREFIX = 'mk_';
const SHOWN = 9;
/** Use of a key is noted at most this often. */
const NOTED_MS = 60_000;
const AUDITED_MS = 3_600_000;

/** Makes a key; its text exists only in this answer. Null where the user has the most he may have. */
export async function createKey(
  db: Db,
  { userId, name, scopes, address }: { userId: string; name: string; scopes: readonly Scope[]; address: string },
  now = Date.now(),
): Promise<{ id: string; key: string } | null> {
  const id = crypto.randomUUID();
  const key = KEY_PREFIX + randomBytes(32).toString('base64url');
  const [made] = await db.$client.batch<{ id: string }>([
    db.$client
      .prepare(
        `INSERT INTO api_keys (id, user_id, name, prefix, key_hash, scopes, created_at)
         SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7
         WHERE (SELECT count(*) FROM api_keys WHERE user_id = ?2 AND revoked_at IS NULL) < ?8 RETURNING id`,
      )
      .bind(id, userId, name, key.slice(0, SHOWN), await hashOf(key), scopes.join(','), now, MAX_KEYS),
    auditStatement(db, { userId, actor: 'user', action: 'key.created', subject: id, detail: { scopes }, address }, now),
  ]);
  return made?.results.length ? { id, key } : null;
}

/** A user's keys that are not revoked, newest first. */
export const listKeys = (db: Db, userId: string): Promise<ApiKey[]> =>
  db
    .select()
    .from(api_keys)
    .where(and(eq(api_keys.user_id, userId), isNull(api_keys.revoked_at)))
    .orderBy(desc(api_keys.created_at));

/** Revokes a user's key; false where he has none of that id. */
export async function revokeKey(
  db: Db,
  userId: string,
  id: string,
  address: string,
  now = Date.now(),
): Promise<boolean> {
  const { meta } = await db.$client
    .prepare(`UPDATE api_keys SET revoked_at = ? WHERE id = ? AND user_id = ? AND revoked_at IS NULL`)
    .bind(now, id, userId)
    .run();
  if (meta.changes === 0) return false;
  await auditStatement(db, { userId, actor: 'user', action: 'key.revoked', subject: id, address }, now).run();
  return true;
}

export interface KeyUser {
  user: User;
  key: ApiKey;
  scopes: readonly Scope[];
}

/** The user of a key that is not revoked, or null. */
export async function userOfKey(db: Db, key: string): Promise<KeyUser | null> {
  const [found] = await db
    .select({ user: users, key: api_keys })
    .from(api_keys)
    .innerJoin(users, eq(users.id, api_keys.user_id))
    .where(and(eq(api_keys.key_hash, await hashOf(key)), isNull(api_keys.revoked_at), isNull(users.deleted_at)))
    .limit(1);
  return found ? { ...found, scopes: found.key.scopes.split(',') as Scope[] } : null;
}

/** Notes that a key was used: at most once a minute in its row, once an hour in the audit log. */
export async function noteKeyUse(db: Db, key: ApiKey, address: string, now = Date.now()): Promise<void> {
  const last = key.last_used_at ?? 0;
  if (now - last < NOTED_MS) return;
  const used = db.$client.prepare(`UPDATE api_keys SET last_used_at = ? WHERE id = ?`).bind(now, key.id);
  const entry = { userId: key.user_id, actor: `key:${key.id}`, action: 'key.used', subject: key.id, address };
  await db.$client.batch(now - last < AUDITED_MS ? [used] : [used, auditStatement(db, entry, now)]);
}
