import type { Watch } from '../../../durable-objects/messages.ts';
import type { Env } from '../../env.ts';
import { Refusal } from '../../errors.ts';
import { openSocket } from '../../gateways/user-sockets.ts';

/** Opens a socket that watches a page of orders. @throws Refusal invalid, too_many. */
export async function watchOrders(request: Request, env: Env, userId: string, watch: Watch): Promise<Response> {
  if (request.headers.get('upgrade')?.toLowerCase() !== 'websocket')
    throw new Refusal('invalid', 'This address speaks WebSocket only.');
  return openSocket(env, userId, watch);
}
