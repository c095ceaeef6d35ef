import { randomBytes } from 'node:crypto';
import { and, asc, desc, eq, isNull } from 'drizzle-orm';
import { MAX_KEYS } from '../../../domain/accounts/account.ts';
import type { Scope } from '../../../domain/accounts/scopes.ts';
import { HOUR_MS } from '../../../domain/days.ts';
import { hashOf } from '../../configuration/signing.ts';
import type { Db } from '../../db/open.ts';
import { api_keys, users } from '../../db/schema.ts';
import { brokeConstraint } from '../../errors.ts';
import { LruCache } from '../../isolate/lru-cache.ts';
import { mailStatement, type NewMail } from '../messages/outbox.ts';
import { auditStatement } from '../service/audit.ts';
import { withSameCredentials } from './credentials.ts';
import type { User } from './user.ts';

type ApiKey = typeof api_keys.$inferSelect;

/** Prefix of API keys, so that leaked ones are recognisable. */
export const KEY_PREFIX = 'mk_';
const SHOWN = 9;
/** Minimum time between recorded uses of a key, in ms. */
const NOTED_MS = 60_000;
const AUDITED_MS = HOUR_MS;
/** Room for the owners of several hundred keys. */
const OWNERS_BYTES = 512 * 1024;

interface NewApiKey {
  user: User;
  name: string;
  scopes: readonly Scope[];
  /** Notifies the user. */
  mail: NewMail;
  address: string;
}

/**
 * Creates an API key and notifies the user by mail. The key's text exists only in the return value. Returns null if the
 * user has the maximum number of keys.
 */
export async function createKey(
  db: Db,
  { user, name, scopes, mail, address }: NewApiKey,
  now = Date.now(),
): Promise<{ id: string; key: string } | null> {
  const id = crypto.randomUUID();
  const key = KEY_PREFIX + randomBytes(32).toString('base64url');
  try {
    await withSameCredentials(db, user, [
      // Above the limit, user_id is NULL, which fails the whole batch: no log entry or mail for a key that does not
      // exist.
      db.$client
        .prepare(
          `INSERT INTO api_keys (id, user_id, name, prefix, key_hash, scopes, created_at)
           VALUES (?1, CASE WHEN (SELECT count(*) FROM api_keys WHERE user_id = ?2 AND revoked_at IS NULL) < ?8 THEN ?2 END,
             ?3, ?4, ?5, ?6, ?7)`,
        )
        .bind(id, user.id, name, key.slice(0, SHOWN), await hashOf(key), scopes.join(','), now, MAX_KEYS),
      mailStatement(db, mail, now),
      auditStatement(
        db,
        { userId: user.id, actor: 'user', action: 'key.created', subject: id, detail: { scopes }, address },
        now,
      ),
    ]);
    return { id, key };
  } catch (error) {
    if (brokeConstraint(error, 'api_keys.user_id')) return null;
    throw error;
  }
}

/** Returns the statement that revokes all keys of a user. */
export const endKeysStatement = (db: Db, userId: string, now: number): D1PreparedStatement =>
  db.$client.prepare(`UPDATE api_keys SET revoked_at = ? WHERE user_id = ? AND revoked_at IS NULL`).bind(now, userId);

/** Returns a user's active keys, newest first. */
export const listKeys = (db: Db, userId: string): Promise<ApiKey[]> =>
  db
    .select()
    .from(api_keys)
    .where(and(eq(api_keys.user_id, userId), isNull(api_keys.revoked_at)))
    .orderBy(desc(api_keys.created_at), asc(api_keys.id));

/** Revokes a user's key. Returns false if the user has no active key with this id. */
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

/** Hash of an active key → its user's id. A key may have been revoked since. */
const owners = new LruCache<string>(OWNERS_BYTES);

/** Returns the id of the user whose key this was when this isolate last looked it up. */
export const lastOwnerOf = async (key: string): Promise<string | undefined> => owners.get(await hashOf(key));

/** Returns the user of an active key, or null. */
export async function userOfKey(db: Db, key: string): Promise<KeyUser | null> {
  const hash = await hashOf(key);
  const [found] = await db
    .select({ user: users, key: api_keys })
    .from(api_keys)
    .innerJoin(users, eq(users.id, api_keys.user_id))
    .where(
      and(eq(api_keys.key_hash, hash), isNull(api_keys.revoked_at), isNull(users.deleted_at), isNull(users.locked_at)),
    )
    .limit(1);
  if (!found) {
    owners.drop(hash);
    return null;
  }
  owners.put(hash, found.user.id, 2 * found.user.id.length);
  return { ...found, scopes: found.key.scopes.split(',') as Scope[] };
}

/** Records a use of a key: at most once a minute in its row, once an hour in the audit log. */
export async function noteKeyUse(db: Db, key: ApiKey, address: string, now = Date.now()): Promise<void> {
  const last = key.last_used_at ?? 0;
  if (now - last < NOTED_MS) return;
  const used = db.$client.prepare(`UPDATE api_keys SET last_used_at = ? WHERE id = ?`).bind(now, key.id);
  const entry = { userId: key.user_id, actor: `key:${key.id}`, action: 'key.used', subject: key.id, address };
  await db.$client.batch(now - last < AUDITED_MS ? [used] : [used, auditStatement(db, entry, now)]);
}
