import type { Db } from '../../db/open.ts';
import { notFound } from '../../errors.ts';
import { userByName } from '../../models/accounts/accounts.ts';
import { endSessionsAsAdmin } from '../../models/accounts/sessions.ts';

/** An admin ends every session of a user, or (null) of everybody; answers how many. @throws Refusal not_found. */
export async function endSessions(
  db: Db,
  username: string | null,
  admin: { id: string; address: string },
): Promise<number> {
  const user = username === null ? null : await userByName(db, username);
  if (username !== null && !user) throw notFound('user');
  return endSessionsAsAdmin(db, user?.id ?? null, admin);
}
