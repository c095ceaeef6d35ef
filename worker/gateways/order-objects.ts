import type { OrderProgress } from '../../durable-objects/order-progress.ts';
import { besideDatabase, type Env } from '../env.ts';
import { despiteReset } from './despite-reset.ts';

/**
 * Calls an order's object, which alone stages its rows, finishes its items and notifies its browsers. Each of its calls
 * may be repeated, so one that a reset cut off is made once more.
 */
export const callOrder = <Answer>(
  env: Pick<Env, 'ORDER_PROGRESS' | 'LOCATION'>,
  orderId: number,
  call: (object: DurableObjectStub<OrderProgress>) => Promise<Answer>,
): Promise<Answer> => despiteReset(() => call(env.ORDER_PROGRESS.getByName(String(orderId), besideDatabase(env))));
