/** Kinds of ledger entries, by where the money comes from or goes to. */
export const ENTRY_KINDS = ['top_up', 'charge', 'return', 'adjustment', 'transfer'] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];
