import { byWebhook, WEBHOOK_CHANNELS, type WebhookChannel } from '../../../domain/accounts/webhooks.ts';
import { MAX_FOLLOWED } from '../../../domain/events/following.ts';
import type { GameId } from '../../../domain/games/games.ts';
import { type Locale, SOURCE_LOCALE } from '../../../domain/language/locales.ts';
import type { Db } from '../../db/open.ts';
import { EVENT_NEWS } from '../messages/outbox.ts';

/** Events, and kingdoms in them, that users follow, and the kingdoms that are their own. */

type OwnKingdoms = Record<GameId, string | null>;

/** Returns a user's own kingdom of each game. */
export async function ownKingdomsOf(db: Db, userId: string): Promise<OwnKingdoms> {
  const { results } = await db.$client
    .prepare('SELECT game, kingdom FROM own_kingdoms WHERE user_id = ?')
    .bind(userId)
    .all<{ game: GameId; kingdom: string }>();
  const of = (game: GameId) => results.find((row) => row.game === game)?.kingdom ?? null;
  return { rok: of('rok'), cod: of('cod') };
}

/** Sets a user's own kingdom of a game; null removes it. With `ifNone`, one that is set already stays. */
export async function setOwnKingdom(
  db: Db,
  userId: string,
  { game, kingdom, ifNone }: { game: GameId; kingdom: string | null; ifNone: boolean },
): Promise<void> {
  const { $client } = db;
  if (kingdom === null) {
    if (!ifNone)
      await $client.prepare('DELETE FROM own_kingdoms WHERE user_id = ? AND game = ?').bind(userId, game).run();
    return;
  }
  await $client
    .prepare(
      `INSERT INTO own_kingdoms (user_id, game, kingdom) VALUES (?1, ?2, ?3)
       ON CONFLICT (user_id, game) DO ${ifNone ? 'NOTHING' : 'UPDATE SET kingdom = excluded.kingdom'}`,
    )
    .bind(userId, game, kingdom)
    .run();
}

export interface Followed {
  event_id: number;
  /** Null if all of the event is followed. */
  kingdom: string | null;
  created_at: number;
}

/** Returns what a user follows, the newest first. */
export async function followedBy(db: Db, userId: string): Promise<Followed[]> {
  const { results } = await db.$client
    .prepare(
      `SELECT event_id, nullif(kingdom, '') AS kingdom, created_at FROM event_follows
       WHERE user_id = ? ORDER BY created_at DESC, event_id DESC, kingdom`,
    )
    .bind(userId)
    .all<Followed>();
  return results;
}

interface Choice {
  event_id: number;
  kingdom: string | null;
  /** Time of the newest public snapshot; 0 without one. */
  newest: number;
}

/** Lets a user follow an event or a kingdom in it. Returns false if they follow as many as they can. */
export async function follow(
  db: Db,
  userId: string,
  { event_id, kingdom, newest }: Choice,
  now = Date.now(),
): Promise<boolean> {
  const [, , found] = await db.$client.batch([
    // A refused address is recorded there, also for those who never chose anything.
    db.$client.prepare('INSERT INTO notifications (user_id) VALUES (?) ON CONFLICT DO NOTHING').bind(userId),
    db.$client
      .prepare(
        `INSERT INTO event_follows (user_id, event_id, kingdom, told_ts, created_at) SELECT ?1, ?2, ?3, ?4, ?5
         WHERE (SELECT count(*) FROM event_follows WHERE user_id = ?1) < ${MAX_FOLLOWED} ON CONFLICT DO NOTHING`,
      )
      .bind(userId, event_id, kingdom ?? '', newest, now),
    db.$client
      .prepare('SELECT 1 FROM event_follows WHERE user_id = ? AND event_id = ? AND kingdom = ?')
      .bind(userId, event_id, kingdom ?? ''),
  ]);
  return found?.results.length === 1;
}

/** Lets a user follow an event or a kingdom in it no longer. */
export async function unfollow(db: Db, userId: string, { event_id, kingdom }: Omit<Choice, 'newest'>): Promise<void> {
  await db.$client
    .prepare('DELETE FROM event_follows WHERE user_id = ? AND event_id = ? AND kingdom = ?')
    .bind(userId, event_id, kingdom ?? '')
    .run();
}

/** Returns ids of shown events with a snapshot that a follower was not told of. It may not be published yet. */
export async function eventsWithNews(db: Db): Promise<number[]> {
  const { results } = await db.$client
    .prepare(
      `SELECT id FROM events WHERE mark IN ('open', 'closed') AND EXISTS (
         SELECT 1 FROM event_follows WHERE event_id = events.id
           AND told_ts < (SELECT max(ts) FROM event_snapshots WHERE event_id = events.id))
       ORDER BY id`,
    )
    .all<{ id: number }>();
  return results.map(({ id }) => id);
}

/** Followers of the same thing, with one language, who were last told of the same snapshot. */
export interface Followers {
  event_id: number;
  kingdom: string | null;
  told_ts: number;
  language: Locale | null;
}

const GROUPS_AT_ONCE = 200;

/** Returns an event's followers who were not told of the snapshot at `newest`. */
export async function followersToTell(db: Db, eventId: number, newest: number): Promise<Followers[]> {
  const { results } = await db.$client
    .prepare(
      `SELECT DISTINCT event_id, nullif(kingdom, '') AS kingdom, told_ts, language
       FROM event_follows JOIN users ON users.id = user_id
       WHERE event_id = ? AND told_ts < ? ORDER BY told_ts, kingdom, language LIMIT ${GROUPS_AT_ONCE}`,
    )
    .bind(eventId, newest)
    .all<Followers>();
  return results;
}

/** Texts of a message. */
interface FollowerNews extends Record<WebhookChannel, string> {
  subject: string;
  mail: string;
}

/**
 * Queues the news for each of these followers by the ways that they chose, and marks them as told, in one batch. The
 * reference names the follower and the snapshot, so a second run queues nothing. Null tells nobody.
 */
export async function tell(
  db: Db,
  { event_id, kingdom, told_ts, language }: Followers,
  newest: number,
  news: FollowerNews | null,
  now: number,
): Promise<void> {
  const who = [event_id, kingdom ?? '', told_ts, newest, language];
  const statement = (sql: string, ...more: unknown[]) => db.$client.prepare(sql).bind(...who, ...more);
  const queued = (channel: 'mail' | WebhookChannel, recipient: string, wanted: string) =>
    statement(
      `INSERT INTO outbox (channel, reference, recipient, subject, text, language, created_at, next_at)
       SELECT '${channel}', concat_ws(':', '${EVENT_NEWS}', '${channel}', ?1, ?2, ?4, users.id), ${recipient}, ?6, ?7, coalesce(?5, '${SOURCE_LOCALE}'), ?8, ?8
       FROM event_follows JOIN users ON users.id = event_follows.user_id
       LEFT JOIN notifications ON notifications.user_id = users.id
       WHERE event_id = ?1 AND kingdom = ?2 AND told_ts = ?3 AND users.language IS ?5 AND deleted_at IS NULL AND locked_at IS NULL AND ${wanted}
       ON CONFLICT (reference) DO NOTHING`,
      news?.subject,
      channel === 'mail' ? news?.mail : news?.[channel],
      now,
    );
  const onHooks = byWebhook((channel) => `${channel} IS NOT NULL AND events_by_webhook`);
  await db.$client.batch([
    ...(news
      ? [
          queued('mail', 'email', 'verified_at IS NOT NULL AND coalesce(events_by_mail, 1)'),
          ...WEBHOOK_CHANNELS.map((channel) => queued(channel, 'users.id', onHooks[channel])),
        ]
      : []),
    statement(
      `UPDATE event_follows SET told_ts = ?4 WHERE event_id = ?1 AND kingdom = ?2 AND told_ts = ?3
         AND (SELECT language FROM users WHERE id = user_id) IS ?5`,
    ),
  ]);
}
