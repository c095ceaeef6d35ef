/** What is told of a finished order. */
export interface FinishedOrder {
  order_id: number;
  item_count: number;
  /** How many items have results. */
  done_count: number;
  /** The first items, in their order: 'Kingdom 1001' and why it has no results, or null. */
  items: { name: string; flaw: string | null }[];
  /** Where its results are shown. */
  address: string;
}

/** How it went, in a sentence. */
export const outcomeOf = ({ item_count, done_count }: FinishedOrder): string =>
  item_count === 1
    ? done_count === 1
      ? 'The scan has results.'
      : 'The scan has no results.'
    : `${done_count} of ${item_count} scans have results.`;

/** A line for each of the first items, in which `write` makes of names and reasons what the channel shows literally. */
export const linesOf = (order: FinishedOrder, write: (text: string) => string): string[] => {
  const more = order.item_count - order.items.length;
  return [
    ...order.items.map(({ name, flaw }) => `${write(name)}: ${flaw === null ? 'done' : write(flaw)}`),
    ...(more > 0 ? [`and ${more} more`] : []),
  ];
};

/** The text of the mail. */
export const finishedText = (order: FinishedOrder): string =>
  `${outcomeOf(order)}\n\n${linesOf(order, (text) => text).join('\n')}\n\n${order.address}`;
