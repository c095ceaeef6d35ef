import type { LibraryFilter } from '../../../api/scans.ts';
import { game, oneOf, searchReader, text, wholeFrom } from '../../../search-params.ts';

/** Parses the search parameters of the library: filters and the chosen scans. */
export const scansSearch = searchReader({
  game,
  /** Kingdom. */
  of: wholeFrom(1),
  tag: text,
  q: text,
  origin: oneOf(['bought', 'imported']),
  /** Comma-separated scan ids. */
  from: text,
  to: text,
  /** Comma-separated ids of fights to add up. */
  fights: text,
});

export type ScansSearch = ReturnType<typeof scansSearch>;

export const filterOf = ({ game: id, of, tag, q, origin }: ScansSearch): LibraryFilter => ({
  game: id,
  kingdom: of,
  tag,
  search: q,
  origin,
});

/** Parses comma-separated ids. */
export const idsIn = (written: string | undefined): string[] => (written ?? '').split(',').filter(Boolean);

/** Adds an id to a comma-separated list, or removes it. */
export function toggled(written: string | undefined, id: string): string | undefined {
  const ids = idsIn(written);
  const next = ids.includes(id) ? ids.filter((each) => each !== id) : [...ids, id];
  return next.length > 0 ? next.join() : undefined;
}
