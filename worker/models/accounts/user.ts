import type { users } from '../../db/schema.ts';

export type User = typeof users.$inferSelect;

/** SQL: the row of `users` is an admin who can act, and whom the service tells of troubles. */
export const isActiveAdminSql = (users: string): string =>
  `(${users}.role = 'admin' AND ${users}.locked_at IS NULL AND ${users}.deleted_at IS NULL)`;

/** A user whose id is known and whose row is being read. */
export interface Viewer {
  userId: string;
  user: () => Promise<User>;
}
