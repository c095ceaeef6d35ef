import type { Env } from '../env.ts';

/** The object of an order: it alone stages its rows, finishes its items and tells its browsers. */
export const orderObject = ({ ORDER_PROGRESS }: Pick<Env, 'ORDER_PROGRESS'>, orderId: number) =>
  ORDER_PROGRESS.getByName(String(orderId));
