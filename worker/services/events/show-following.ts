import type * as z from 'zod';
import { HOUR_MS } from '../../../domain/days.ts';
import {
  type followChoice,
  type followedChanges,
  type followingAnswer,
  MAX_FOLLOWED,
  type ownKingdom,
} from '../../../domain/events/following.ts';
import { sentence } from '../../../domain/language/text.ts';
import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { Refusal } from '../../errors.ts';
import { forEachAtOnce } from '../../isolate/at-once.ts';
import { lastVisit } from '../../models/accounts/visits.ts';
import { eventHeads, shownHeads } from '../../models/events/event-snapshots.ts';
import {
  type Followed,
  follow,
  followedBy,
  ownKingdomsOf,
  setOwnKingdom,
  unfollow,
} from '../../models/events/follows.ts';
import type { EventChanges } from './answer-room.ts';
import { eventHeadOf } from './find-event.ts';
import { type EventMeta, metaOf } from './public-event.ts';
import { readAnswer } from './read-answer.ts';

type Following = z.infer<typeof followingAnswer>;
type FollowedEvent = Following['events'][number];

const followedEvent = ({ dashboard_id, game, name, state }: EventMeta, kingdom: string | null): FollowedEvent => ({
  dashboard_id,
  game,
  name,
  state,
  kingdom,
});

/** Returns the public view of the events that are followed, by id. */
async function metasOf(db: Db, followed: readonly Followed[], now: number): Promise<Map<number, EventMeta>> {
  if (followed.length === 0) return new Map();
  const heads = await eventHeads(db, [...new Set(followed.map(({ event_id }) => event_id))]);
  const shown = heads.filter(({ event }) => event.mark !== 'draft');
  return new Map(shown.map((head) => [head.event.id, metaOf(head, now)]));
}

/** Returns what a user follows, and their own kingdoms. */
export async function showFollowing(db: Db, userId: string, now = Date.now()): Promise<Following> {
  const [own, followed] = await Promise.all([ownKingdomsOf(db, userId), followedBy(db, userId)]);
  const metas = await metasOf(db, followed, now);
  const events = followed.flatMap(({ event_id, kingdom }) => {
    const meta = metas.get(event_id);
    return meta ? [followedEvent(meta, kingdom)] : [];
  });
  return { own, events };
}

/** Follows an event or a kingdom in it, or stops to. Both may be repeated. Returns what the user follows then. */
export async function chooseFollowed(
  env: Env,
  db: Db,
  userId: string,
  { dashboard_id: event_id, kingdom, on }: z.output<typeof followChoice>,
): Promise<Following> {
  if (on) {
    const now = Date.now();
    const meta = metaOf(await eventHeadOf(env, event_id, now), now);
    if (kingdom !== null && !meta.kingdoms.includes(kingdom))
      throw new Refusal(
        'invalid',
        sentence(
          '{id} is not in this event. It has {kingdoms}.',
          { id: kingdom, kingdoms: meta.kingdoms.join(', ') },
          'kingdom',
        ),
      );
    const newest = meta.snapshots.at(-1)?.ts ?? 0;
    if (!(await follow(db, userId, { event_id, kingdom, newest }, now)))
      throw new Refusal(
        'conflict',
        sentence('You follow {count} events and kingdoms, which is the most. Stop to follow one first.', {
          count: MAX_FOLLOWED,
        }),
      );
  } else await unfollow(db, userId, { event_id, kingdom });
  return showFollowing(db, userId);
}

/** Sets the user's own kingdom of a game, or removes it. Returns what the user follows and their own kingdoms then. */
export async function chooseOwnKingdom(
  db: Db,
  userId: string,
  { if_none: ifNone, ...wanted }: z.output<typeof ownKingdom>,
): Promise<Following> {
  await setOwnKingdom(db, userId, { ...wanted, ifNone });
  return showFollowing(db, userId);
}

/** Number of newest events searched for a user's own kingdom. */
const LOOKED_AT = 40;
/** Events whose changes the dashboard shows. */
const SHOWN = 4;

/** What changes are shown of. */
interface Watched {
  meta: EventMeta;
  kingdom: string | null;
}

/** Returns running events with the user's own kingdoms, then what they follow. */
async function watchedBy(db: Db, userId: string, now: number): Promise<Watched[]> {
  const [own, followed] = await Promise.all([ownKingdomsOf(db, userId), followedBy(db, userId)]);
  const hasOwn = Object.values(own).some((kingdom) => kingdom !== null);
  const [shown, metas] = await Promise.all([hasOwn ? shownHeads(db, null, LOOKED_AT) : [], metasOf(db, followed, now)]);
  const withOwn = shown
    .map((head) => metaOf(head, now))
    .flatMap((meta) => {
      const kingdom = own[meta.game];
      return meta.state === 'running' && kingdom !== null && meta.kingdoms.includes(kingdom) ? [{ meta, kingdom }] : [];
    });
  const isOwn = (id: number, kingdom: string | null) =>
    withOwn.some((one) => one.meta.dashboard_id === id && one.kingdom === kingdom);
  const others = followed.flatMap(({ event_id, kingdom }) => {
    const meta = metas.get(event_id);
    return meta && meta.state !== 'archived' && !isOwn(event_id, kingdom) ? [{ meta, kingdom }] : [];
  });
  return [...withOwn, ...others];
}

/**
 * Returns the newest published snapshot and the one that was the newest at the last visit, or at the first visit the
 * one before it. Null if nothing came since.
 */
function sinceVisit({ meta, kingdom }: Watched, visit: number | null): { since: number; end: number } | null {
  const end = meta.snapshots.at(-1)?.ts;
  if (end === undefined || (kingdom !== null && !meta.kingdoms.includes(kingdom))) return null;
  const seen = visit === null ? end - 1 : visit - meta.publication_delay * HOUR_MS;
  if (end <= seen) return null;
  const before = meta.snapshots.findLast(({ ts }) => ts <= seen) ?? meta.snapshots[0];
  return before && before.ts < end ? { since: before.ts, end } : null;
}

/** Returns what changed since the user's last visit in events with their own kingdom or that they follow. */
export async function showFollowedChanges(
  env: Env,
  db: Db,
  userId: string,
  now = Date.now(),
): Promise<z.infer<typeof followedChanges>> {
  const [watched, visit] = await Promise.all([watchedBy(db, userId, now), lastVisit(db, userId, now)]);
  const fresh = watched.flatMap((one) => {
    const range = sinceVisit(one, visit);
    return range ? [{ ...one, ...range }] : [];
  });
  const answers: (EventChanges | null)[] = [];
  await forEachAtOnce(fresh.slice(0, SHOWN), async ({ meta, kingdom, since, end }, index) => {
    const asked = { kind: 'changes' as const, end, since, ...(kingdom !== null && { kingdom }) };
    answers[index] = await readAnswer<EventChanges>(env, meta, asked);
  });
  return {
    last_visit: visit,
    events: fresh.slice(0, SHOWN).flatMap(({ meta, kingdom, since, end }, index) => {
      const answer = answers[index];
      if (!answer) return [];
      const { changes, counts } = answer;
      return [{ ...followedEvent(meta, kingdom), since, until: end, changes, counts }];
    }),
    more: Math.max(0, fresh.length - SHOWN),
  };
}
