import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { closeEndedSockets } from '../../gateways/user-sockets.ts';
import { revokeKey } from '../../models/accounts/api-keys.ts';
import type { Caller } from './prove-person.ts';

/** Revokes the caller's API key and closes its sockets. Returns false if the id is unknown. */
export async function revokeOwnKey(db: Db, env: Env, { user, address }: Caller, id: string): Promise<boolean> {
  const isRevoked = await revokeKey(db, user.id, id, address);
  if (isRevoked) await closeEndedSockets(env, user.id);
  return isRevoked;
}
