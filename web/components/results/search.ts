/** What the address of a page of results says: how the table is looked at. Loads nothing: every route knows it. */
export interface ViewSearch {
  sort?: string;
  ascending?: true;
  q?: string;
  /** Every digit in place of 12.4M. */
  digits?: true;
}

/** Ids of the columns that a table of results sorts by. */
const SORTABLE: readonly string[] = [
  ...['id', 'tag', 'kingdom', 'name', 'power', 'score', 'hall', 'deads'],
  ...['t1', 't2', 't3', 't4', 't5'],
];

/** True for the ways in which people write a flag into an address. */
export const on = (value: unknown): boolean => value === true || value === 'true' || value === 1;

/** The view that an address asks for; what it asks for in vain is left out. */
export const viewSearch = (search: Record<string, unknown>): ViewSearch => ({
  sort: SORTABLE.find((id) => id === search.sort),
  ascending: on(search.ascending) || undefined,
  q: search.q === undefined ? undefined : String(search.q),
  digits: on(search.digits) || undefined,
});
