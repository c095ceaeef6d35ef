import type { Standing } from './order.ts';

/** What a list of orders is narrowed to: those with an item that stands so. */
export const ORDER_STATES = {
  moving: ['open', 'finishing', 'repairing'],
  results: ['done', 'stored', 'repairing'],
  failed: ['failed'],
  cancelled: ['cancelled'],
} as const satisfies Record<string, readonly Standing[]>;
export type OrderState = keyof typeof ORDER_STATES;
