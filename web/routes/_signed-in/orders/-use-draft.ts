import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useReducer, useState } from 'react';
import { entriesQuery } from '../../../api/order-actions.ts';
import type { OfferGroup } from '../../../api/products.ts';
import {
  type Draft,
  type DraftAction,
  draftReducer,
  initialValues,
  type OrderedEntry,
  reorderedItem,
  repriced,
  type Values,
} from './-draft.ts';
import { forgetDraft, keepDraft, keptDraft } from './-kept-draft.ts';
import { AT_ONCE, type Timing } from './-timing.ts';

/** Initial content of the order form, from its URL. */
export interface Wish {
  /** Copies the items of this order. */
  from?: number | undefined;
  /** Opens a product's form with these kingdoms. */
  product?: string | undefined;
  kingdoms?: string | undefined;
}

const newId = () => crypto.randomUUID();

/** An action without its key, which is added here. */
type Change = DraftAction extends infer Action ? (Action extends { key: string } ? Omit<Action, 'key'> : never) : never;

/**
 * The draft order, stored in the tab until it is submitted. It starts from the stored draft or from `wish`; `taken` is
 * called once the wish has been applied.
 */
export function useDraft(user: string, wish: Wish, groups: OfferGroup[] | undefined, taken: () => void) {
  const [before] = useState(() => keptDraft(user));
  const [draft, act] = useReducer(
    draftReducer,
    null,
    (): Draft => ({ items: [], timing: before?.timing ?? AT_ONCE, key: before?.key ?? newId() }),
  );
  const [typed, setTyped] = useState<Record<string, Values>>(before?.typed ?? {});
  const [problems, setProblems] = useState<string[]>([]);
  const [done, setDone] = useState(false);
  // Set together with the restored draft; otherwise an empty draft would overwrite the stored one.
  const [begun, setBegun] = useState(false);
  const reordered = useQuery({ ...entriesQuery(wish.from ?? 0), enabled: wish.from !== undefined });
  const begin = useEffectEvent(() => {
    if (!groups || (wish.from !== undefined && reordered.isPending)) return;
    const offers = groups.flatMap(({ items }) => items);
    const fill = (
      entries: readonly OrderedEntry[],
      { ids = [], timing, key }: { ids?: string[]; timing: Timing; key: string },
    ) => {
      const made = entries.map((entry, index) => reorderedItem(offers, entry, ids[index] ?? newId()));
      act({ type: 'fill', items: made.filter((item) => typeof item !== 'string'), timing, key });
      setProblems(made.filter((item) => typeof item === 'string'));
    };
    if (reordered.data) fill(reordered.data, { timing: AT_ONCE, key: newId() });
    // Keep the items' key, so that a submission interrupted by a reload is not charged twice.
    else if (before && !begun)
      fill(
        before.items.map(({ entry }) => entry),
        { ids: before.items.map(({ id }) => id), timing: before.timing, key: before.key },
      );
    else if (begun) {
      const items = repriced(offers, draft.items);
      if (items.some(({ price }, index) => price !== draft.items[index]?.price))
        act({ type: 'fill', items, timing: draft.timing, key: newId() });
    }
    setBegun(true);
    const offer = offers.find(({ id }) => id === wish.product);
    if (offer) {
      const { kingdoms } = wish;
      setTyped((all) => ({
        ...all,
        [offer.id]: {
          ...initialValues(offer),
          ...all[offer.id],
          ...(kingdoms === undefined ? {} : { [offer.kingdoms]: kingdoms }),
        },
      }));
    }
    if (reordered.data || wish.product !== undefined) taken();
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: only these values start the draft.
  useEffect(() => begin(), [groups, wish.from, wish.product, wish.kingdoms, reordered.data, reordered.isPending]);
  useEffect(() => {
    if (begun && !done) keepDraft(user, draft, typed);
  }, [user, draft, typed, begun, done]);
  return {
    draft,
    change: (action: Change) => act({ ...action, key: newId() }),
    typed,
    type: (offer: string, values: Values) => setTyped((all) => ({ ...all, [offer]: values })),
    /** Why some items of the earlier order or stored draft can no longer be ordered. */
    problems,
    error: reordered.error,
    retry: () => void reordered.refetch(),
    /** Call when the order is placed; the next draft starts empty. */
    finish: () => {
      setDone(true);
      forgetDraft();
    },
  };
}
