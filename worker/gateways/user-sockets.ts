import type { Watch } from '../../durable-objects/messages.ts';
import { besideDatabase, type Env } from '../env.ts';
import { Refusal } from '../errors.ts';

type Objects = Pick<Env, 'USER_SOCKETS' | 'LOCATION'>;

/** Returns the object that holds a user's sockets. */
export const socketsOf = (env: Objects, userId: string) => env.USER_SOCKETS.getByName(userId, besideDatabase(env));

/** Opens a user's socket, which watches a page of orders. @throws Refusal invalid, too_many. */
export async function openSocket(request: Request, env: Objects, userId: string, watch: Watch): Promise<Response> {
  if (request.headers.get('upgrade')?.toLowerCase() !== 'websocket')
    throw new Refusal('invalid', 'This address speaks WebSocket only.');
  const headers = { upgrade: 'websocket', 'x-watch': JSON.stringify(watch) };
  const answer = await socketsOf(env, userId).fetch('https://object/', { headers });
  if (answer.status === 429)
    throw new Refusal('too_many', 'You have reached the limit of windows that watch orders. Close one first.');
  return answer;
}

/** Closes a user's sockets whose session or key has just ended. If this fails, the object does so within a minute. */
export async function closeEndedSockets(env: Objects, userId: string): Promise<void> {
  try {
    await socketsOf(env, userId).closeEnded();
  } catch (error) {
    console.error(JSON.stringify({ sockets: userId, error: String(error) }));
  }
}
