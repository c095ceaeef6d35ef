import { randomBytes } from 'node:crypto';
import { desc, lt } from 'drizzle-orm';
import { CODES_PER_PAGE } from '../../../domain/service/admin-words.ts';
import type { Db } from '../../db/open.ts';
import { access_codes } from '../../db/schema.ts';
import { brokeConstraint } from '../../errors.ts';
import { auditIfChanged, auditStatement } from '../service/audit.ts';

type AccessCode = typeof access_codes.$inferSelect;

interface NewAccessCode {
  code?: string;
  max_uses: number;
  expires_at?: number | null;
  note: string;
}

/** Returns an unguessable code. Registration accepts it in lower case too. */
export const randomCode = (): string => `MUSTER-${randomBytes(5).toString('hex').toUpperCase()}`;

/** Creates an access code and returns it, or null if the code exists already. */
export async function createAccessCode(
  db: Db,
  { code = randomCode(), max_uses, expires_at, note }: NewAccessCode,
  admin: { id: string; address: string },
  now = Date.now(),
): Promise<string | null> {
  try {
    await db.$client.batch([
      db.$client
        .prepare(
          `INSERT INTO access_codes (code, note, max_uses, expires_at, created_by, created_at) VALUES (?, ?, ?, ?, ?, ?)`,
        )
        .bind(code, note, max_uses, expires_at ?? null, admin.id, now),
      auditStatement(
        db,
        {
          userId: admin.id,
          actor: `admin:${admin.id}`,
          action: 'access_code.created',
          subject: code,
          address: admin.address,
        },
        now,
      ),
    ]);
    return code;
  } catch (error) {
    if (brokeConstraint(error, 'access_codes.code')) return null;
    throw error;
  }
}

/** Revokes an access code. Returns false if it does not exist or is revoked already. */
export async function revokeAccessCode(
  db: Db,
  id: number,
  admin: { id: string; address: string },
  now = Date.now(),
): Promise<boolean> {
  const found = await db.$client
    .prepare('SELECT code FROM access_codes WHERE id = ?')
    .bind(id)
    .first<{ code: string }>();
  if (!found) return false;
  const [revoked] = await db.$client.batch([
    db.$client.prepare('UPDATE access_codes SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL').bind(now, id),
    auditIfChanged(
      db,
      {
        userId: admin.id,
        actor: `admin:${admin.id}`,
        action: 'access_code.revoked',
        subject: found.code,
        address: admin.address,
      },
      now,
    ),
  ]);
  return (revoked?.meta.changes ?? 0) > 0;
}

/** Returns a page of access codes, newest first: those below the one with the id `before`, if it is given. */
export const listAccessCodes = (db: Db, before: number | undefined): Promise<AccessCode[]> =>
  db
    .select()
    .from(access_codes)
    .where(before === undefined ? undefined : lt(access_codes.id, before))
    .orderBy(desc(access_codes.id))
    .limit(CODES_PER_PAGE);

const USERS_SHOWN = 200;

interface CodeUser {
  user_id: string;
  username: string;
  created_at: number;
  verified_at: number | null;
}

/** Returns the newest accounts that were registered with a code, without deleted ones; null if there is no such code. */
export async function usersOfCode(db: Db, id: number): Promise<CodeUser[] | null> {
  const [code, users] = await db.$client.batch([
    db.$client.prepare('SELECT id FROM access_codes WHERE id = ?').bind(id),
    db.$client
      .prepare(
        `SELECT id AS user_id, username, created_at, verified_at FROM users
         WHERE access_code_id = ? AND access_code_id IS NOT NULL AND deleted_at IS NULL
         ORDER BY created_at DESC, id LIMIT ${USERS_SHOWN}`,
      )
      .bind(id),
  ]);
  return code?.results.length ? ((users?.results ?? []) as CodeUser[]) : null;
}
