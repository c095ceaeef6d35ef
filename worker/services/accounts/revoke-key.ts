import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { closeEndedSockets } from '../../gateways/user-sockets.ts';
import { revokeKey } from '../../models/accounts/api-keys.ts';
import type { Caller } from './prove-person.ts';

/** Revokes a key of the caller's and closes its sockets; false if there is none of that id. */
export async function revokeOwnKey(db: Db, env: Env, { user, address }: Caller, id: string): Promise<boolean> {
  const isRevoked = await revokeKey(db, user.id, id, address);
  if (isRevoked) await closeEndedSockets(env, user.id);
  return isRevoked;
}
