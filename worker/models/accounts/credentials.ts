import type { Db } from '../../db/open.ts';
import { brokeConstraint, Refusal } from '../../errors.ts';
import type { User } from './accounts.ts';

/**
 * An account's password, address and second factor have one version together. What rests on them carries the version
 * that its user was read with: a mailed link, a key or a session that was under way while one of them changed is worth
 * nothing afterwards.
 */
export type Credentials = Pick<User, 'id' | 'credentials_version'>;

/** Breaks the batch (the column takes no NULL) where the credentials changed since the user was read. */
const versionStatement = (db: Db, user: Credentials, step: 0 | 1): D1PreparedStatement =>
  db.$client
    .prepare(
      `UPDATE users SET credentials_version =
         CASE WHEN credentials_version = ?2 AND deleted_at IS NULL THEN credentials_version + ?3 END WHERE id = ?1`,
    )
    .bind(user.id, user.credentials_version, step);

async function batchWith(db: Db, user: Credentials, step: 0 | 1, statements: D1PreparedStatement[]): Promise<void> {
  try {
    await db.$client.batch([versionStatement(db, user, step), ...statements]);
  } catch (error) {
    if (brokeConstraint(error, 'users.credentials_version'))
      throw new Refusal('conflict', 'Your account was changed just now. Please try again.');
    throw error;
  }
}

/** Writes what rests on the credentials that the user was read with; a refusal, and nothing of it, where they changed. */
export const withSameCredentials = (db: Db, user: Credentials, statements: D1PreparedStatement[]): Promise<void> =>
  batchWith(db, user, 0, statements);

/** The same for what changes them: of two changes at once one is refused, and every link mailed before is dead. */
export const withNewCredentials = (db: Db, user: Credentials, statements: D1PreparedStatement[]): Promise<void> =>
  batchWith(db, user, 1, statements);
