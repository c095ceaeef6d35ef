import { isOver } from '../../domain/events/event.ts';
import { feedPath } from '../../domain/events/feed.ts';
import { compact, counted, exact } from '../../domain/figures.ts';
import { GAMES } from '../../domain/games/games.ts';
import { kingdomTitle } from '../../domain/games/titles.ts';
import { listed, t, words } from '../../domain/language/text.ts';
import type { Env } from '../env.ts';
import { Refusal } from '../errors.ts';
import { eventTag } from '../gateways/workers-cache.ts';
import type { EventBoard } from '../services/events/make-board.ts';
import type { EventMeta } from '../services/events/public-event.ts';
import { readAnswer, readRoom } from '../services/events/read-answer.ts';
import { eventCardPath, roomCardPath } from './cards.ts';
import { type Head, onSite, titled } from './page-head.ts';

/** How long caches keep the pages of an event, in s. It changes while people watch. */
const EVENT_SECONDS = 10;

/** Returns the first line of link previews: the leader, or the kingdom's rank and its governors below goal. */
async function figuresOf(env: Env, meta: EventMeta, before: () => Promise<void>, kingdom?: string): Promise<string> {
  if (kingdom === undefined) {
    const board = await readAnswer<EventBoard>(env, meta, { kind: 'board' }, before);
    if (!board?.lead) return '';
    const scores = board.camps.flatMap(({ name, dkp }) => (dkp === null ? [] : [`${words(name)} ${compact(dkp)}`]));
    return t(
      '{state, select, over {{camp} won by {lead} DKP: {scores}.} other {{camp} leads by {lead} DKP: {scores}.}}',
      {
        state: isOver(meta.state) ? 'over' : 'going',
        camp: words(board.lead.camp),
        lead: compact(board.lead.by),
        scores: listed(scores),
      },
    );
  }
  const room = await readRoom(env, meta, kingdom, before);
  if (!room || room.rank === null || room.dkp === null) return '';
  const { fighting, idle, with_goal, below_goal } = room.counts;
  const values = {
    rank: String(room.rank),
    kingdoms: String(room.kingdoms),
    dkp: compact(room.dkp),
    fighting: exact(fighting),
    idle: exact(idle),
  };
  return with_goal > 0
    ? t('#{rank} of {kingdoms} with {dkp} DKP: {fighting} fight, {idle} do not, {below} of {all} below goal.', {
        ...values,
        below: exact(below_goal),
        all: exact(with_goal),
      })
    : t('#{rank} of {kingdoms} with {dkp} DKP: {fighting} fight, {idle} do not.', values);
}

/**
 * Returns the head of an event's page, or of a kingdom's war room in it; null if the event has no such kingdom. `before`
 * is called before an answer is computed, and may refuse it: the preview then has no figures.
 */
export async function headOfEvent(
  env: Env,
  meta: EventMeta,
  before: () => Promise<void>,
  kingdom?: string,
): Promise<Head | null> {
  const isKnown = kingdom === undefined || meta.kingdoms.includes(kingdom);
  if (!isKnown) return null;
  const figures = await figuresOf(env, meta, before, kingdom).catch((error: unknown) => {
    if (error instanceof Refusal) return '';
    throw error;
  });
  return headWith(meta, figures, kingdom);
}

/** Returns sentences as one text. */
const together = (...sentences: string[]): string => sentences.filter((sentence) => sentence !== '').join(' ');

function headWith(meta: EventMeta, figures: string, kingdom?: string): Head {
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
      title: onSite(event),
      description: together(
        figures,
        t('{camps}: who leads this war of {kingdoms} of {name}, by how much and how sure.', {
          camps: listed(meta.camps.map(words)),
          kingdoms: counted(meta.kingdoms.length, noun.one, noun.many),
          name,
        }),
      ),
    };
  const camp = meta.kingdoms_to_camps[kingdom];
  const which = kingdomTitle(meta.game, kingdom);
  return {
    ...common,
    picture: roomCardPath(meta, kingdom),
    feed: feedPath(meta.dashboard_id, kingdom),
    title: t('{kingdom} · {event} · Muster', { kingdom: which, event }),
    description: together(
      figures,
      t('{which} ({camp}) in this war of {name}: its rank, who fights, who is below goal and what changed.', {
        which,
        camp: words(String(camp)),
        name,
      }),
    ),
  };
}
