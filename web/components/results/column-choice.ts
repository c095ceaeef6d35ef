import { useEffect } from 'react';
import { store, stored } from '../../stored.ts';
import { DEFAULT_COLUMNS, type ResultColumn } from './results.ts';
import type { ViewSearch } from './search.ts';

/**
 * The URL contains the shown columns, so a link reproduces the sender's view. The browser also stores the last choice
 * and adds it to result pages whose URL has none.
 */

/** The name column is always shown. */
export const ALWAYS = 'name';

/** Returns the columns that the URL selects, in the game's order; the specification's columns by default. */
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

/** Writes a column choice for the URL; undefined for the default. */
export function choiceOf(
  ids: readonly string[],
  columns: readonly ResultColumn[],
  combined: boolean,
): string | undefined {
  const usual = usualColumns(columns, combined);
  return ids.length === usual.length && usual.every((id) => ids.includes(id)) ? undefined : ids.join(',');
}

const keyOf = (game: string, combined: boolean): string => `columns:${game}${combined ? ':combined' : ''}`;

/** Stores a choice for the game's next results; undefined removes it. */
export const rememberColumns = (game: string, combined: boolean, choice: string | undefined): void =>
  store(keyOf(game, combined), choice ?? null);

/** Adds the stored choice to a URL that has none. */
export function useRememberedColumns(
  game: string,
  combined: boolean,
  search: ViewSearch,
  change: (part: Partial<ViewSearch>) => void,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs only on opening; a reset must not restore the choice.
  useEffect(() => {
    const columns = search.columns === undefined ? stored(keyOf(game, combined)) : null;
    if (columns !== null) change({ columns });
  }, [game, combined]);
}
