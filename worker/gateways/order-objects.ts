import type { Env } from '../env.ts';

/** Returns an order's object, which alone stages its rows, finishes its items and notifies its browsers. */
export const orderObject = ({ ORDER_PROGRESS }: Pick<Env, 'ORDER_PROGRESS'>, orderId: number) =>
  ORDER_PROGRESS.getByName(String(orderId));
