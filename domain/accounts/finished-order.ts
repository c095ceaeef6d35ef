import { labelled, t } from '../language/text.ts';

/** A finished order, as notifications describe it in the current language. */
export interface FinishedOrder {
  order_id: number;
  item_count: number;
  done_count: number;
  /** The first items in order. `name` is like 'Kingdom 1001'; `flaw` is why it has no results, or null. */
  items: { name: string; flaw: string | null }[];
  /** Address of its results page. */
  address: string;
}

/** Sums up the outcome in one sentence. */
export const outcomeOf = ({ item_count, done_count }: FinishedOrder): string =>
  item_count === 1
    ? done_count === 1
      ? t('The scan has results.')
      : t('The scan has no results.')
    : t('{done} of {count, plural, one {# scan has} other {# scans have}} results.', {
        done: String(done_count),
        count: item_count,
      });

/** Returns a line for each of the first items. `write` escapes names and reasons for the channel. */
export const itemLines = (order: FinishedOrder, write: (text: string) => string): string[] => {
  const more = order.item_count - order.items.length;
  return [
    ...order.items.map(({ name, flaw }) => labelled(write(name), flaw === null ? t('done') : write(flaw))),
    ...(more > 0 ? [t('{count, plural, one {and # more} other {and # more}}', { count: more })] : []),
  ];
};

/** Returns the mail's text. */
export const finishedText = (order: FinishedOrder): string =>
  `${outcomeOf(order)}\n\n${itemLines(order, (text) => text).join('\n')}\n\n${order.address}`;
