import { type DifferenceSearch, differenceSearch, flag, text, whole } from '../difference/difference-search.ts';

/** What the address says of a dashboard; defaults are left out. */
export interface EventSearch extends DifferenceSearch {
  /** 1 Individual, 2 Summarized, 3 Download (specification, section 2). */
  tab?: 2 | 3 | undefined;
  /** Snapshots, epoch milliseconds. */
  start?: number | undefined;
  end?: number | undefined;
  /** What camps and kingdoms are compared by. */
  metric?: string | undefined;
  /** Without any chrome, for other sites. */
  embed?: true | undefined;
}

/** Reads an address that anyone may have written: what makes no sense is left out. */
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

/** Returns whether a part of an address can be the id of an event. */
export const isEventId = (id: string): boolean => /^\d{1,15}$/.test(id);
