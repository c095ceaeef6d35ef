import { expect } from 'vitest';
import { GAME_IDS } from '../../domain/games/games.ts';
import { app } from '../../worker/app.ts';
import { describeApi } from '../../worker/openapi/describe.ts';
import { grownCall, operationsOf, randomFrom } from '../support/grown-calls.ts';
import { bot, type Caller, caller, makeKey, PASSWORD, scanOf, signedInAdmin, signedInUser } from './client.ts';
import { accessCode } from './people.ts';

/** Callers of the fuzz test, checks of every answer, and calls of growing size. */

export const SEED = 20_261_121;

export const callers: Record<string, Caller> = {};
export const NAMES = ['stranger', 'user', 'admin', 'key', 'bot'] as const;
type Name = (typeof NAMES)[number];

/** Makes the callers, and an order and a code that they may find. */
export async function openDoors(): Promise<void> {
  const user = await signedInUser();
  await user.call('POST', '/v1/order/create', { orders: [scanOf([1])] });
  await accessCode(5);
  const { key } = (await makeKey(user)).data;
  Object.assign(callers, {
    stranger: caller(),
    user,
    admin: await signedInAdmin(),
    key: caller({ authorization: `Bearer ${key}` }),
    bot: await bot(),
  });
  // Without known bots, /v1/health/fleet answers 503 as documented.
  for (const account_game of GAME_IDS)
    await callers.bot?.call('POST', '/v1/fleet/heartbeat', { bot_id: `fuzz-${account_game}`, account_game });
}

/** Counts answers by status: a fuzz test that is always refused finds nothing. */
export const met = new Map<number, number>();

/** Reads the answer and checks its form. Returns whether it was a refusal. */
export async function checked(response: Response): Promise<boolean> {
  response.webSocket?.accept();
  response.webSocket?.close();
  const text = await response.text();
  met.set(response.status, (met.get(response.status) ?? 0) + 1);
  if (response.status < 400) {
    if (response.headers.get('content-type')?.includes('application/json') && !text.startsWith('{"openapi"'))
      expect(JSON.parse(text)).toMatchObject({ success: 1 });
    return false;
  }
  expect(response.status, text).toBeLessThan(500);
  const envelope = JSON.parse(text) as { success: number; msg: string };
  expect(envelope).toMatchObject({ success: 0, msg: expect.stringMatching(/\S/) });
  expect(envelope.msg).not.toMatch(/\bat .*\.(ts|js):\d+|SQLITE|D1_ERROR|\[object/);
  return true;
}

/**
 * Bytes of a body's largest part: more than a form sends, more than an order may carry, more than any call may carry.
 */
const SIZES = [1000, 30_000, 250_000, 1_100_000];

export const grownOperations = operationsOf(describeApi(app.routes, 'http://muster.test') as Record<string, unknown>);

/** Calls an operation with bodies of each size, as the callers that `turns` names for it, while others are served. */
export async function growing(
  operation: (typeof grownOperations)[number],
  turns: (size: number) => readonly Name[],
): Promise<void> {
  const others = caller();
  for (const [index, size] of SIZES.entries())
    for (const who of turns(index)) {
      const turn = NAMES.indexOf(who);
      const random = randomFrom(SEED + index * NAMES.length + turn);
      const call = grownCall(random, operation, size, { password: PASSWORD, orders: [scanOf([1])] });
      const [response, health] = await Promise.all([
        (callers[who] as Caller).fetch(call.path, {
          method: operation.method,
          headers: { 'content-type': 'application/json', ...call.headers },
          ...(call.body === undefined ? {} : { body: call.body }),
        }),
        others.fetch('/v1/health'),
      ]);
      await checked(response);
      expect(health.status).toBe(200);
      await health.arrayBuffer();
    }
}
