import { planWithoutRemoved } from '../../../domain/events/removed.ts';
import type { GameId } from '../../../domain/games/games.ts';
import { type Event, type EventRow, eventFrom } from './events.ts';

/** Events as the public sees them: without governors who asked not to be shown. */

export interface RemovedRow {
  game: GameId;
  governor_id: number;
}

/** Reads the governors who are not shown. Accepting a removal raises the revisions of its game's events. */
export const REMOVED = `SELECT game, governor_id FROM removals WHERE state = 'accepted' ORDER BY game, governor_id`;

/** Returns an event as the public sees it, and the governors of its game who are not shown. */
export function shownEvent(row: EventRow, all: readonly RemovedRow[]): { event: Event; removed: number[] } {
  const event = eventFrom(row);
  const removed = all.filter(({ game }) => game === event.plan.game).map(({ governor_id }) => governor_id);
  return { event: { ...event, plan: planWithoutRemoved(event.plan, removed) }, removed };
}
