import type { Db } from '../../db/open.ts';
import { brokeConstraint, Refusal } from '../../errors.ts';
import type { User } from './user.ts';

/**
 * An account's password, address and second factor share one version number. Mailed links, sessions and keys are
 * created only if the version is still the one that was read, so anything in progress during a change of credentials
 * fails.
 */
export type Credentials = Pick<User, 'id' | 'credentials_version'>;

/** Fails the batch if the credentials changed since the user was read: the column does not allow NULL. */
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

/**
 * Runs statements that depend on the user's credentials. Writes nothing and refuses if the credentials have changed.
 */
export const withSameCredentials = (db: Db, user: Credentials, statements: D1PreparedStatement[]): Promise<void> =>
  batchWith(db, user, 0, statements);

/**
 * Runs statements that change the credentials. Of two concurrent changes, one is refused. Earlier mailed links stop
 * working.
 */
export const withNewCredentials = (db: Db, user: Credentials, statements: D1PreparedStatement[]): Promise<void> =>
  batchWith(db, user, 1, statements);
