import { searchReader, TABLE } from '../../../search-params.ts';

/** Parses the search parameters of a shared report; without `sort`, the report's own order applies. */
export const reportSearch = searchReader(TABLE);

export type ReportSearch = ReturnType<typeof reportSearch>;
