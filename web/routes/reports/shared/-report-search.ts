import { flag, text, whole } from '../../../components/difference/difference-search.ts';

/** Search parameters of a shared report; without `sort`, the report's own order applies. */
export interface ReportSearch {
  q?: string | undefined;
  sort?: string | undefined;
  ascending?: true | undefined;
  /** From 1. */
  page?: number | undefined;
}

/** Parses search parameters and ignores invalid ones. */
export const reportSearch = (search: Record<string, unknown>): ReportSearch => ({
  q: text(search.q),
  sort: text(search.sort),
  ascending: flag(search.ascending),
  page: whole(search.page, 2),
});
