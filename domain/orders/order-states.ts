import type { Standing } from './order.ts';

/** Filters of the order list: each keeps orders with at least one item in these standings. */
export const ORDER_STATES = {
  moving: ['open', 'finishing', 'repairing'],
  results: ['done', 'stored', 'repairing'],
  failed: ['failed'],
  cancelled: ['cancelled'],
} as const satisfies Record<string, readonly Standing[]>;
export type OrderState = keyof typeof ORDER_STATES;

/** States of issue reports for admins. */
export const REPORT_STATES = ['open', 'answered', 'closed'] as const;
