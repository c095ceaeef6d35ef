import { type DifferenceSearch, differenceSearch, flag, text, whole } from '../difference/difference-search.ts';

/** Search parameters of a dashboard; defaults are omitted. */
export interface EventSearch extends DifferenceSearch {
  /** 1 Individual, 2 Summarized, 3 Download (specification, section 2). */
  tab?: 2 | 3 | undefined;
  /** Snapshot times, in epoch milliseconds. */
  start?: number | undefined;
  end?: number | undefined;
  /** The figure by which camps and kingdoms are compared. */
  metric?: string | undefined;
  /** Hides navigation, for embedding in other sites. */
  embed?: true | undefined;
}

/** Parses search parameters and ignores invalid ones. */
export function eventSearch(search: Record<string, unknown>): EventSearch {
  const tab = Number(search.tab);
  return {
    ...differenceSearch(search),
    tab: tab === 2 || tab === 3 ? tab : undefined,
    start: whole(search.start, 1),
    end: whole(search.end, 1),
    metric: text(search.metric),
    embed: flag(search.embed),
  };
}

/** Returns whether a path segment can be an event id. */
export const isEventId = (id: string): boolean => /^\d{1,15}$/.test(id);

export type ChangeSearch = (part: Partial<EventSearch>) => void;
