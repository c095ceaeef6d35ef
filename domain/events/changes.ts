import { compact, counted, numbered } from '../figures.ts';
import { GAME_NAMES, type GameId } from '../games/game-names.ts';
import { t, words } from '../language/text.ts';

/** Describes the changes of an event between two scans as sentences with figures. */

export const CHANGE_KINDS = [
  'lead',
  'rank',
  'gain',
  'mover',
  'alliance',
  'began',
  'stopped',
  'zeroed',
  'moved',
  'renamed',
  'joined',
  'gone',
] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** Sentences of a kind that an answer lists. Its counts say how many there are. */
export const MOST_OF_A_KIND = 10;

/** A governor counts as zeroed if their power fell by more than this share. */
export const ZEROED_SHARE = 0.4;

/** A change without its sentence. `value` and `before` are what `kind` is about; null if unknown. */
export interface ChangeFacts {
  kind: ChangeKind;
  governor_id: number | null;
  /** Name of the governor, the alliance's tag, the camp or the kingdom that changed. */
  name: string;
  kingdom: string | null;
  value: number | string | null;
  before: number | string | null;
}

const shown = (value: ChangeFacts['value']): string =>
  value === null ? '?' : typeof value === 'number' ? compact(value) : value;

const place = (rank: ChangeFacts['value']): string => numbered(typeof rank === 'number' ? rank : '?');

/**
 * Returns the sentence of a change in the current language. In the war room of a kingdom (`room`) it does not name the
 * kingdom again.
 */
export function changeText(
  game: GameId,
  { kind, name, kingdom, value, before }: ChangeFacts,
  room: string | null = null,
): string {
  const { governor } = GAME_NAMES[game];
  const who = kingdom === null || kingdom === room ? name : t('{name} of {kingdom}', { name, kingdom });
  const values = { game, name, who, value: shown(value), before: shown(before) };
  const places = { ...values, value: place(value), before: place(before) };
  switch (kind) {
    case 'lead': {
      const camps = { ...values, name: words(name), before: typeof before === 'string' ? words(before) : '' };
      return before === null
        ? t('{name} took the lead, {value} DKP ahead.', camps)
        : t('{name} took the lead from {before}, {value} DKP ahead.', camps);
    }
    case 'rank':
      return Number(value) < Number(before)
        ? t('{game, select, cod {Server} other {Kingdom}} {name} rose from {before} to {value}.', places)
        : t('{game, select, cod {Server} other {Kingdom}} {name} fell from {before} to {value}.', places);
    case 'gain':
      return Number(value) < 0
        ? t('{game, select, cod {Server} other {Kingdom}} {name} lost {value} DKP.', {
            ...values,
            value: compact(-Number(value)),
          })
        : t('{game, select, cod {Server} other {Kingdom}} {name} gained {value} DKP.', values);
    case 'mover':
      return t('{who} gained {value} DKP.', values);
    case 'alliance':
      return t('{who} rose from {before} to {value} among alliances.', places);
    case 'began':
      return t('{who} began to fight: {value} DKP.', values);
    case 'stopped':
      return t('{who} stopped fighting, after {before} DKP.', values);
    case 'zeroed':
      return t('{who} was zeroed: power fell from {before} to {value}.', values);
    case 'moved':
      return t('{name} moved from {before} to {value}.', { name, before: String(before), value: String(value) });
    case 'renamed':
      return t('{before} is now {name}.', { name, before: String(before) });
    case 'joined':
      return t('{who} joined.', { who: counted(Number(value), governor.one, governor.many) });
    case 'gone':
      return t('{who} left.', { who: counted(Number(value), governor.one, governor.many) });
  }
}
