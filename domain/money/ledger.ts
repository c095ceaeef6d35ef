import { message } from '../language/text.ts';

/** Kinds of ledger entries, by where the money comes from or goes to. */
export const ENTRY_KINDS = ['top_up', 'charge', 'return', 'adjustment', 'transfer'] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

export const ENTRY_TITLES: Record<EntryKind, string> = {
  top_up: message('Top-up'),
  charge: message('Order'),
  return: message('Returned'),
  adjustment: message('Adjustment'),
  transfer: message('Transfer'),
};
