import type { users } from '../../db/schema.ts';

export type User = typeof users.$inferSelect;

/** A user whose id is known and whose row is being read. */
export interface Viewer {
  userId: string;
  user: () => Promise<User>;
}
