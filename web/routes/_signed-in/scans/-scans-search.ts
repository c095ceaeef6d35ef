import { type GameId, isGameId } from '../../../../domain/games/game-names.ts';
import type { LibraryFilter } from '../../../api/scans.ts';

/** What the address says of the library: how it is narrowed down, and which scans are put side by side. */
export interface ScansSearch {
  game?: GameId | undefined;
  of?: number | undefined;
  tag?: string | undefined;
  q?: string | undefined;
  origin?: 'bought' | 'imported' | undefined;
  /** Ids of scans, separated by commas. */
  from?: string | undefined;
  to?: string | undefined;
  /** Ids of fights that are added up. */
  fights?: string | undefined;
}

const text = (value: unknown): string | undefined =>
  (typeof value === 'string' && value !== '') || typeof value === 'number' ? String(value) : undefined;

/** Reads an address that anyone may have written: what makes no sense is left out. */
export function scansSearch(search: Record<string, unknown>): ScansSearch {
  const kingdom = Number(search.of);
  return {
    game: isGameId(String(search.game)) ? (search.game as GameId) : undefined,
    of: Number.isInteger(kingdom) && kingdom > 0 ? kingdom : undefined,
    tag: text(search.tag),
    q: text(search.q),
    origin: search.origin === 'bought' || search.origin === 'imported' ? search.origin : undefined,
    from: text(search.from),
    to: text(search.to),
    fights: text(search.fights),
  };
}

export const filterOf = ({ game, of, tag, q, origin }: ScansSearch): LibraryFilter => ({
  game,
  kingdom: of,
  tag,
  search: q,
  origin,
});

/** Ids in an address. */
export const idsIn = (written: string | undefined): string[] => (written ?? '').split(',').filter(Boolean);

/** An id put into a list of an address, or taken out of it. */
export function toggled(written: string | undefined, id: string): string | undefined {
  const ids = idsIn(written);
  const next = ids.includes(id) ? ids.filter((each) => each !== id) : [...ids, id];
  return next.length > 0 ? next.join() : undefined;
}
