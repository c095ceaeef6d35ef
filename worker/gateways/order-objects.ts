import { besideDatabase, type Env } from '../env.ts';

/** Returns an order's object, which alone stages its rows, finishes its items and notifies its browsers. */
export const orderObject = (env: Pick<Env, 'ORDER_PROGRESS' | 'LOCATION'>, orderId: number) =>
  env.ORDER_PROGRESS.getByName(String(orderId), besideDatabase(env));
