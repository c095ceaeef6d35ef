import { useEffect } from 'react';
import { store, stored } from '../../stored.ts';
import { DEFAULT_COLUMNS, type ResultColumn } from './results.ts';
import type { ViewSearch } from './search.ts';

/**
 * Which columns show is said by the address, so that a link shows what its sender saw. The browser remembers the last
 * choice as well and puts it into the address of the next results, which have one of their own.
 */

/** The name is what the other columns belong to: it always shows. */
export const ALWAYS = 'name';

/** The columns that an address asks for, in the order of the game; the specification's where it asks for none. */
export function chosenColumns(
  columns: readonly ResultColumn[],
  chosen: string | undefined,
  combined: boolean,
): ResultColumn[] {
  const wanted = new Set(chosen?.split(',') ?? usualColumns(columns, combined));
  const found = columns.filter(({ id }) => id === ALWAYS || wanted.has(id));
  return found.length > 1 ? found : chosenColumns(columns, usualColumns(columns, combined).join(','), combined);
}

const usualColumns = (columns: readonly ResultColumn[], combined: boolean): string[] =>
  columns.map(({ id }) => id).filter((id) => DEFAULT_COLUMNS.includes(id) && (combined || id !== 'kingdom'));

/** The choice as an address says it; nothing for the specification's columns. */
export function choiceOf(
  ids: readonly string[],
  columns: readonly ResultColumn[],
  combined: boolean,
): string | undefined {
  const usual = usualColumns(columns, combined);
  return ids.length === usual.length && usual.every((id) => ids.includes(id)) ? undefined : ids.join(',');
}

const keyOf = (game: string, combined: boolean): string => `columns:${game}${combined ? ':combined' : ''}`;

/** Keeps a choice for the next results of the game, or forgets it. */
export const rememberColumns = (game: string, combined: boolean, choice: string | undefined): void =>
  store(keyOf(game, combined), choice ?? null);

/** Puts the remembered choice into an address that makes none. */
export function useRememberedColumns(
  game: string,
  combined: boolean,
  search: ViewSearch,
  change: (part: Partial<ViewSearch>) => void,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: only where a page is opened; a reset is no reason to recall.
  useEffect(() => {
    const columns = search.columns === undefined ? stored(keyOf(game, combined)) : null;
    if (columns !== null) change({ columns });
  }, [game, combined]);
}
