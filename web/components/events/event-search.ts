import { flag, oneOf, searchReader, text, wholeFrom } from '../../search-params.ts';
import { DIFFERENCE } from '../difference/difference-search.ts';

/** Parses the search parameters of a dashboard. */
export const eventSearch = searchReader({
  ...DIFFERENCE,
  /** 1 Individual, 2 Summarized, 3 Download (specification, section 2), 4 Changes. */
  tab: oneOf([2, 3, 4]),
  /** Snapshot times, in epoch milliseconds. */
  start: wholeFrom(1),
  end: wholeFrom(1),
  /** The scan that changes count from. */
  since: wholeFrom(1),
  /** The figure by which camps and kingdoms are compared. */
  metric: text,
  /** Hides navigation, for embedding in other sites. */
  embed: flag,
});

export type EventSearch = ReturnType<typeof eventSearch>;

/** Returns whether a path segment can be an event id. */
export const isEventId = (id: string): boolean => /^\d{1,15}$/.test(id);

export type ChangeSearch = (part: EventSearch) => void;
