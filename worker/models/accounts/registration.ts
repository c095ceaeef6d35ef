import { DAY_MS } from '../../../domain/days.ts';
import type { Locale } from '../../../domain/language/locales.ts';
import type { Db } from '../../db/open.ts';
import { brokeConstraint } from '../../errors.ts';
import { mailStatement, type NewMail } from '../messages/outbox.ts';
import { auditStatement } from '../service/audit.ts';
import { notInBackoffSql } from '../service/job-failures.ts';
import { TOKEN_LIFE_MS, tokenStatement } from './mail-tokens.ts';
import { hashPassword } from './passwords.ts';

interface Registration {
  username: string;
  email: string;
  full_name: string;
  password: string;
  access_code: string;
  address: string;
  language: Locale;
}

/** Mails of a registration: `verify` for a new address, `taken` if the address has an account already. */
interface RegistrationMails {
  verify(tokenId: string, expiresAt: number): Promise<NewMail>;
  taken(reference: string): Promise<NewMail>;
}

/** `created` even if the e-mail address has an account, because strangers must not learn that. */
type RegistrationOutcome = 'created' | 'username_taken' | 'code_refused';

interface Row extends Registration {
  id: string;
  hash: string;
  email_key: string;
}

/**
 * Returns statements that create the user if the access code is valid, then count the code's use if the user exists.
 */
function accountStatements(db: Db, row: Row, now: number): D1PreparedStatement[] {
  return [
    db.$client
      .prepare(
        `INSERT INTO users (id, username, username_key, email, email_key, full_name, password_hash, created_at, language, access_code_id)
         SELECT ?1, ?2, lower(?2), ?3, ?4, ?5, ?6, ?7, ?9, id FROM access_codes
         WHERE code = ?8 AND uses < max_uses AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?7)`,
      )
      .bind(
        row.id,
        row.username,
        row.email,
        row.email_key,
        row.full_name,
        row.hash,
        now,
        row.access_code.toUpperCase(),
        row.language,
      ),
    db.$client
      .prepare(`UPDATE access_codes SET uses = uses + 1 WHERE code = ?2 AND EXISTS (SELECT 1 FROM users WHERE id = ?1)`)
      .bind(row.id, row.access_code.toUpperCase()),
  ];
}

const entryOf = ({ id, access_code, address }: Row) => ({
  userId: id,
  actor: 'user',
  action: 'account.created',
  detail: { access_code: access_code.toUpperCase() },
  address,
});

/** The credentials of an account being created. */
const fresh = ({ id }: Row) => ({ id, credentials_version: 0 });

async function create(db: Db, row: Row, mails: RegistrationMails, now: number): Promise<void> {
  const tokenId = crypto.randomUUID();
  await db.$client.batch([
    ...accountStatements(db, row, now),
    // If the code was refused there is no user, and this foreign key fails the batch.
    tokenStatement(db, { id: tokenId, user: fresh(row), kind: 'verify' }, now),
    mailStatement(db, await mails.verify(tokenId, now + TOKEN_LIFE_MS.verify), now),
    auditStatement(db, entryOf(row), now),
  ]);
}

/**
 * Handles an address that already has an account. Creates an account without an address that takes the name and is
 * deleted as unverified later. Name, code use and sign-in attempts then look the same as after any registration.
 */
async function reserveName(db: Db, row: Row, mails: RegistrationMails, now: number): Promise<void> {
  const held: Row = { ...row, email: '', email_key: `held:${row.id}` };
  await db.$client.batch([
    ...accountStatements(db, held, now),
    tokenStatement(db, { id: crypto.randomUUID(), user: fresh(row), kind: 'verify' }, now),
    mailStatement(db, await mails.taken(row.id), now),
    auditStatement(db, entryOf(row), now),
  ]);
}

/** Creates an account with an access code and sends the verification mail, in one batch. */
export async function register(
  db: Db,
  registration: Registration,
  mails: RegistrationMails,
  now = Date.now(),
): Promise<RegistrationOutcome> {
  const row: Row = {
    ...registration,
    id: crypto.randomUUID(),
    hash: await hashPassword(registration.password),
    email_key: registration.email.toLowerCase(),
  };
  try {
    try {
      await create(db, row, mails, now);
    } catch (error) {
      if (!brokeConstraint(error, 'users.email_key')) throw error;
      await reserveName(db, row, mails, now);
    }
    return 'created';
  } catch (error) {
    if (brokeConstraint(error, 'users.username_key')) return 'username_taken';
    if (brokeConstraint(error, 'FOREIGN KEY') || brokeConstraint(error, 'access_code_used_up')) return 'code_refused';
    throw error;
  }
}

const UNVERIFIED_DAYS = 7;

const UNVERIFIED_MS = UNVERIFIED_DAYS * DAY_MS;
const DROPPED_AT_ONCE = 500;
/** Name of the job that deletes them. */
export const UNVERIFIED = 'unverified accounts';

const STALE = `verified_at IS NULL AND deleted_at IS NULL AND created_at < ?1
  AND NOT EXISTS (SELECT 1 FROM ledger_entries WHERE user_id = users.id)`;

/** Returns accounts that are still unverified a week after registration, except those whose deletion is in backoff. */
export async function unverifiedUsers(db: Db, now: number): Promise<string[]> {
  const { results } = await db.$client
    .prepare(`SELECT id FROM users WHERE ${STALE} AND ${notInBackoffSql(UNVERIFIED, 'users.id', 2)} LIMIT ?3`)
    .bind(now - UNVERIFIED_MS, now, DROPPED_AT_ONCE)
    .all<{ id: string }>();
  return results.map(({ id }) => id);
}

/** Deletes an unverified account. Such accounts have no money and no orders. */
export async function dropUnverified(db: Db, id: string, now: number): Promise<void> {
  const stale = `SELECT id FROM users WHERE id = ?2 AND ${STALE}`;
  await db.$client.batch(
    [`DELETE FROM mail_tokens WHERE user_id IN (${stale})`, `DELETE FROM users WHERE id IN (${stale})`].map((sql) =>
      db.$client.prepare(sql).bind(now - UNVERIFIED_MS, id),
    ),
  );
}

/** Deletes expired mail tokens (after a week) and sessions. */
export async function dropExpired(db: Db, now: number): Promise<void> {
  await db.$client.batch([
    db.$client.prepare(`DELETE FROM mail_tokens WHERE expires_at < ?`).bind(now - UNVERIFIED_MS),
    db.$client.prepare(`DELETE FROM sessions WHERE expires_at < ?`).bind(now),
  ]);
}
