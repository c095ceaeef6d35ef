import type { PaymentState } from './payment.ts';

/** Filters of the admins' list of payments: a state, or those of which Stripe took something back. */
export const PAYMENT_FILTERS = ['open', 'paid', 'failed', 'expired', 'taken_back'] as const satisfies readonly (
  | PaymentState
  | 'taken_back'
)[];
export type PaymentFilter = (typeof PAYMENT_FILTERS)[number];
