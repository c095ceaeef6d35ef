import { flag, text, whole } from '../../../components/difference/difference-search.ts';

/** What the address says of a shared report's table; without a column the order of the report itself. */
export interface ReportSearch {
  q?: string | undefined;
  sort?: string | undefined;
  ascending?: true | undefined;
  /** From 1. */
  page?: number | undefined;
}

/** Reads an address that anyone may have written: what makes no sense is left out. */
export const reportSearch = (search: Record<string, unknown>): ReportSearch => ({
  q: text(search.q),
  sort: text(search.sort),
  ascending: flag(search.ascending),
  page: whole(search.page, 2),
});
