import { type GameId, isGameId } from '../domain/games/game-names.ts';

/** Readers of URL parameters, which anyone may have written. An invalid value counts as missing. */
type Read<Value> = (value: unknown) => Value | undefined;

/** The parameters that a set of readers yields. */
export type SearchOf<Readers extends Record<string, Read<unknown>>> = {
  [Key in keyof Readers]?: ReturnType<Readers[Key]>;
};

/** Makes a route's parser from a reader for each of its parameters. */
export const searchReader =
  <Readers extends Record<string, Read<unknown>>>(readers: Readers) =>
  (search: Record<string, unknown>): SearchOf<Readers> =>
    Object.fromEntries(Object.entries(readers).map(([key, read]) => [key, read(search[key])])) as SearchOf<Readers>;

/** A text; the router parses one of digits as a number. */
export const text: Read<string> = (value) =>
  (typeof value === 'string' && value !== '') || typeof value === 'number' ? String(value) : undefined;

export const textUpTo =
  (most: number): Read<string> =>
  (value) =>
    text(value)?.slice(0, most);

export const matching =
  (pattern: RegExp): Read<string> =>
  (value) =>
    typeof value === 'string' && pattern.test(value) ? value : undefined;

/** A whole number of at least `least`. */
export const wholeFrom =
  (least: number): Read<number> =>
  (value) => {
    const number = figure(value);
    return Number.isSafeInteger(number) && Number(number) >= least ? number : undefined;
  };

/** A figure from 0. */
export const figure: Read<number> = (value) => {
  const given = typeof value === 'number' || (typeof value === 'string' && value.trim() !== '');
  const number = Number(value);
  return given && Number.isFinite(number) && number >= 0 ? number : undefined;
};

export const figureUpTo =
  (most: number): Read<number> =>
  (value) => {
    const number = figure(value);
    return number !== undefined && number <= most ? number : undefined;
  };

export const flag: Read<true> = (value) => value === true || value === 'true' || value === 1 || undefined;

/** One of the given values. */
export const oneOf =
  <const Value extends string | number>(values: readonly Value[]): Read<Value> =>
  (value) =>
    values.find((each) => String(each) === String(value));

export const game: Read<GameId> = (value) => (isGameId(String(value)) ? (value as GameId) : undefined);

/** A game other than the default one, which URLs omit. */
export const otherGame: Read<GameId> = (value) => (value === 'rok' ? undefined : game(value));

/** Which rows of a table are shown: the search, the order and the page, from 1. */
export const TABLE = { q: text, sort: text, ascending: flag, page: wholeFrom(2) };
