import type { users } from '../../db/schema.ts';

export type User = typeof users.$inferSelect;
