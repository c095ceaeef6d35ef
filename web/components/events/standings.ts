import { isOver } from '../../../domain/events/event.ts';
import { listed, t, words } from '../../../domain/language/text.ts';
import { ranksOf } from '../../../domain/scans/order.ts';
import type { EventBoard, EventMeta } from '../../api/events.ts';

/** Sentences about an event's standings for its own page. Other pages load event-words.ts alone, which is smaller. */

/** Returns whether the board shows all of an event that is over. Only then may a page name a winner. */
export const isDecided = ({ state, snapshots }: EventMeta, { range }: Pick<EventBoard, 'range'>): boolean =>
  isOver(state) && range.start === snapshots[0]?.ts && range.end === snapshots.at(-1)?.ts;

/** Says why no camp leads. */
export function noLeadText(camps: EventBoard['camps']): string {
  const unknown = camps.filter(({ dkp }) => dkp === null).map(({ name }) => words(name));
  return unknown.length > 0
    ? t('The leader is unknown, because no score is known of {camps}.', { camps: listed(unknown) })
    : t('No camp leads yet.');
}

/** Returns the ranks of a board's kingdoms, in their order; null if the score is unknown. */
export const ranksIn = ({ kingdoms }: Pick<EventBoard, 'kingdoms'>): (number | null)[] =>
  Array.from(ranksOf(Float64Array.from(kingdoms, ({ dkp }) => dkp ?? Number.NaN)), (rank) => rank || null);
