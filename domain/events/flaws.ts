import { GAMES, type GameId } from '../games/games.ts';
import { message, type Sentence, sentence } from '../language/text.ts';

/** Rules of an event's plan that concern several fields. Pages check them while an admin types. */

export const MAX_EVENT_KEYS = 64;

/** A kingdom or a kingdom's domain: '1206', '1206-2'. */
export const KINGDOM_KEY = /^[1-9]\d{0,4}(-[1-9]\d{0,3})?$/;

interface Checked {
  game: GameId;
  camps: readonly { name: string; kingdoms: readonly string[] }[];
  start: number;
  end: number;
  weights?: Readonly<Record<string, number>> | undefined;
}

/** Returns the first rule broken by fields in combination; null if none. */
export function planFlaw({
  game,
  camps,
  start,
  end,
  weights = {},
}: Checked): { path: PropertyKey[]; sentence: Sentence } | null {
  const { camps: known, columns } = GAMES[game];
  if (end <= start) return { path: ['end'], sentence: { message: message('must be after the start.') } };
  for (const [index, { name }] of camps.entries()) {
    if (!known.some((one) => one.name === name))
      return {
        path: ['camps', index, 'name'],
        sentence: sentence('must be one of {names}.', { names: known.map((one) => one.name).join(', ') }),
      };
    if (camps.findIndex((one) => one.name === name) !== index)
      return { path: ['camps', index, 'name'], sentence: sentence('{name} appears twice.', { name }) };
  }
  const keys = camps.flatMap(({ kingdoms }) => kingdoms);
  if (keys.length > MAX_EVENT_KEYS)
    return {
      path: ['camps'],
      sentence: sentence('have {count} {game, select, cod {servers} other {kingdoms}}; at most {most} are allowed.', {
        count: keys.length,
        game,
        most: MAX_EVENT_KEYS,
      }),
    };
  const twice = keys.find((key, index) => keys.indexOf(key) !== index);
  if (twice !== undefined)
    return {
      path: ['camps'],
      sentence: sentence('{game, select, cod {server} other {kingdom}} {kingdom} appears twice.', {
        game,
        kingdom: twice,
      }),
    };
  const both = keys.find((key) => key.includes('-') && keys.includes(key.split('-', 1)[0] as string));
  if (both !== undefined)
    return {
      path: ['camps'],
      sentence: sentence(
        '{part} is part of a {game, select, cod {server} other {kingdom}} that is there as a whole already.',
        {
          part: both,
          game,
        },
      ),
    };
  const odd = Object.keys(weights).find(
    (key) => !columns.some((column) => column.key === key && !column.ident && column.type !== 'text'),
  );
  if (odd !== undefined)
    return { path: ['weights', odd], sentence: sentence('is not a figure of {game}.', { game: GAMES[game].name }) };
  return null;
}
