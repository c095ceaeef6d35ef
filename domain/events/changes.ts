import { capital, compact, counted, exact } from '../figures.ts';
import { GAME_NAMES, type GameId } from '../games/game-names.ts';

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

const signed = (value: number): string => `${value < 0 ? 'lost' : 'gained'} ${compact(Math.abs(value))} DKP`;

const shown = (value: ChangeFacts['value']): string =>
  value === null ? '?' : typeof value === 'number' ? compact(value) : value;

const place = (rank: ChangeFacts['value']): string => `#${typeof rank === 'number' ? exact(rank) : '?'}`;

/** Returns the sentence of a change. In the war room of a kingdom (`room`) it does not name the kingdom again. */
export function changeText(
  game: GameId,
  { kind, name, kingdom, value, before }: ChangeFacts,
  room: string | null = null,
): string {
  const { kingdom: home, governor } = GAME_NAMES[game];
  const from = kingdom === null || kingdom === room ? '' : ` of ${kingdom}`;
  switch (kind) {
    case 'lead':
      return before === null
        ? `${name} took the lead, ${shown(value)} DKP ahead.`
        : `${name} took the lead from ${before}, ${shown(value)} DKP ahead.`;
    case 'rank':
      return `${capital(home.one)} ${name} ${Number(value) < Number(before) ? 'rose' : 'fell'} from ${place(before)} to ${place(value)}.`;
    case 'gain':
      return `${capital(home.one)} ${name} ${signed(Number(value))}.`;
    case 'mover':
      return `${name}${from} gained ${shown(value)} DKP.`;
    case 'alliance':
      return `${name}${from} rose from ${place(before)} to ${place(value)} among alliances.`;
    case 'began':
      return `${name}${from} began to fight: ${shown(value)} DKP.`;
    case 'stopped':
      return `${name}${from} stopped fighting, after ${shown(before)} DKP.`;
    case 'zeroed':
      return `${name}${from} was zeroed: power fell from ${shown(before)} to ${shown(value)}.`;
    case 'moved':
      return `${name} moved from ${before} to ${value}.`;
    case 'renamed':
      return `${before} is now ${name}.`;
    case 'joined':
      return `${counted(Number(value), governor.one, governor.many)} joined.`;
    case 'gone':
      return `${counted(Number(value), governor.one, governor.many)} left.`;
  }
}
