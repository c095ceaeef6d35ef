import { PERIODS } from '../../../../domain/orders/periods.ts';
import { isRecord, keep, kept } from '../../../kept.ts';
import type { Draft, OrderedEntry, Values } from './-draft.ts';
import type { Timing } from './-timing.ts';

/** The user's draft order as stored in the tab. Prices are recomputed when it is restored. */
interface KeptDraft {
  /** Owner of the draft, so that another user in the same tab does not get it. */
  user: string;
  items: { id: string; entry: OrderedEntry }[];
  timing: Timing;
  key: string;
  /** Form values by product id. */
  typed: Record<string, Values>;
}

const NAME = 'order-draft';

const isTiming = (value: unknown): value is Timing =>
  isRecord(value) &&
  typeof value.later === 'boolean' &&
  [value.start, value.end, value.interval].every((text) => typeof text === 'string') &&
  PERIODS.some((period) => period === value.period);

const isEntry = (value: unknown): boolean =>
  isRecord(value) && typeof value.type === 'string' && isRecord(value.params);

const isValues = (value: unknown): boolean =>
  isRecord(value) && Object.values(value).every((each) => typeof each === 'string' || typeof each === 'boolean');

const isKept = (value: unknown): value is KeptDraft =>
  isRecord(value) &&
  typeof value.user === 'string' &&
  typeof value.key === 'string' &&
  isTiming(value.timing) &&
  Array.isArray(value.items) &&
  value.items.every((item) => isRecord(item) && typeof item.id === 'string' && isEntry(item.entry)) &&
  isRecord(value.typed) &&
  Object.values(value.typed).every(isValues);

/** Returns the user's draft stored in this tab, or null. */
export function keptDraft(user: string): KeptDraft | null {
  const draft = kept(NAME, isKept);
  return draft?.user === user ? draft : null;
}

/** Stores the draft. */
export const keepDraft = (user: string, { items, timing, key }: Draft, typed: Record<string, Values>): void =>
  keep(NAME, {
    user,
    items: items.map(({ id, entry: { type, params, product_name } }) => ({
      id,
      entry: { type, params, product_name },
    })),
    timing,
    key,
    typed,
  } satisfies KeptDraft);

/** Removes the stored draft. */
export const forgetDraft = (): void => keep(NAME, null);
