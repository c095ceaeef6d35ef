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
  type Values,
} from './-draft.ts';
import { forgetDraft, keepDraft, keptDraft } from './-kept-draft.ts';
import { AT_ONCE, type Timing } from './-timing.ts';

/** What a link to the order form fills it with. */
export interface Wish {
  /** All that this order held. */
  from?: number | undefined;
  /** A product's form, and the kingdoms in it. */
  product?: string | undefined;
  kingdoms?: string | undefined;
}

const newId = () => crypto.randomUUID();

/** An action of the draft, which gets its key here. */
type Change = DraftAction extends infer Action ? (Action extends { key: string } ? Omit<Action, 'key'> : never) : never;

/**
 * The order being filled in, kept in the tab until it is submitted. It begins as it was left, or as a link wishes it;
 * `taken` is called once the wish is part of it.
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
  // Set with what was left, in one go: a draft that is kept without it would be all that a reload finds.
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
    // The same items under the same key: a submission that a reload cut short is not charged twice.
    else if (before && !begun)
      fill(
        before.items.map(({ entry }) => entry),
        { ids: before.items.map(({ id }) => id), timing: before.timing, key: before.key },
      );
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: these are what a beginning waits for.
  useEffect(() => begin(), [groups, wish.from, wish.product, wish.kingdoms, reordered.data, reordered.isPending]);
  useEffect(() => {
    if (begun && !done) keepDraft(user, draft, typed);
  }, [user, draft, typed, begun, done]);
  return {
    draft,
    change: (action: Change) => act({ ...action, key: newId() }),
    typed,
    type: (offer: string, values: Values) => setTyped((all) => ({ ...all, [offer]: values })),
    /** What of an earlier order, or of what was left, cannot be ordered any more. */
    problems,
    error: reordered.error,
    retry: () => void reordered.refetch(),
    /** The order is placed: the next one begins empty. */
    finish: () => {
      setDone(true);
      forgetDraft();
    },
  };
}
