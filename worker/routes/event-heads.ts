import { feedPath } from '../../domain/events/feed.ts';
import { capital, counted } from '../../domain/figures.ts';
import { GAMES } from '../../domain/games/games.ts';
import { eventTag } from '../gateways/workers-cache.ts';
import type { EventMeta } from '../services/events/public-event.ts';
import { eventCardPath, roomCardPath } from './cards.ts';
import { type Head, SITE, titled } from './page-head.ts';

/** How long caches keep the pages of an event, in s. It changes while people watch. */
const EVENT_SECONDS = 10;

/** Returns the head of an event's page, or of a kingdom's war room in it; null if the event has no such kingdom. */
export function headOfEvent(meta: EventMeta, kingdom?: string): Head | null {
  const { name, kingdom: noun } = GAMES[meta.game];
  const event = titled(meta.name, meta.kvk_id);
  const common = {
    picture: eventCardPath(meta),
    rendered: { version: `${meta.revision} ${meta.state}` },
    seconds: EVENT_SECONDS,
    tags: [eventTag(meta.dashboard_id)],
  };
  if (kingdom === undefined)
    return {
      ...common,
      feed: feedPath(meta.dashboard_id),
      title: `${event} · ${SITE}`,
      description: `${meta.camps.join(', ')}: who leads this war of ${counted(meta.kingdoms.length, noun.one, noun.many)} of ${name}, by how much and how sure.`,
    };
  const camp = meta.kingdoms_to_camps[kingdom];
  if (camp === undefined) return null;
  const which = `${capital(noun.one)} ${kingdom}`;
  return {
    ...common,
    picture: roomCardPath(meta, kingdom),
    feed: feedPath(meta.dashboard_id, kingdom),
    title: `${which} · ${event} · ${SITE}`,
    description: `${which} (${camp}) in this war of ${name}: its rank, who fights, who is below goal and what changed.`,
  };
}
