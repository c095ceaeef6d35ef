import { message } from '../language/text.ts';
import type { EntryKind } from './ledger.ts';

/** Separate from the kinds, which every page loads with the routes. */
export const ENTRY_TITLES: Record<EntryKind, string> = {
  top_up: message('Top-up'),
  charge: message('Order'),
  return: message('Returned'),
  adjustment: message('Adjustment'),
  transfer: message('Transfer'),
};
