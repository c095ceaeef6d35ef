import { HOUR_MS, MINUTE_MS } from '../../../domain/days.ts';
import type { GameId } from '../../../domain/games/games.ts';
import { ALERT_LIMITS, type AlertLimits } from '../../../domain/service/alert-limits.ts';
import type { Db } from '../../db/open.ts';
import { ONLINE_MS } from '../fleet/bots.ts';
import { botsOfGameSql, unheldSql } from '../fleet/reach.ts';
import type { Trouble } from './troubles.ts';

/** Signs that orders are not being fulfilled. */

/** Finishing an item usually takes seconds. */
const FINISHING_MS = 15 * MINUTE_MS;
/** Minimum number of failed subtasks to report. */
const FEWEST_FAILED = 5;

/** A game's queue. */
interface Queue {
  game: GameId;
  bots_online: number;
  /** When any bot of the game was last heard of; 0 if never. */
  heard_at: number;
  subtasks_waiting: number;
  /** When the longest waiting item was ordered or repaired; null if nothing waits. */
  waiting_since: number | null;
}

/** Returns bots and waiting work by game. Kingdoms being prepared by bots do not count as waiting. */
export async function queuesOf(db: Db, games: readonly GameId[], now: number): Promise<Queue[]> {
  const { results } = await db.$client
    .prepare(
      `SELECT game.value AS game,
         (SELECT count(*) FROM ${botsOfGameSql('game.value')} AND last_connected_at > ?2) AS bots_online,
         (SELECT coalesce(max(last_connected_at), 0) FROM ${botsOfGameSql('game.value')}) AS heard_at,
         (SELECT count(*) FROM subtasks WHERE game = game.value AND state IN ('waiting', 'leased')) AS subtasks_waiting,
         (SELECT min(max(orders.placed_at, coalesce(items.repaired_at, 0))) FROM items
          JOIN orders ON orders.id = items.order_id
          WHERE items.state IN ('open', 'finishing') AND items.game = game.value AND items.incomplete_count > 0
            AND coalesce(items.preparing_until, 0) <= ?3
            AND EXISTS (SELECT 1 FROM subtasks WHERE item_id = items.id AND ${unheldSql('subtasks', '?3')})) AS waiting_since
       FROM json_each(?1) AS game`,
    )
    .bind(JSON.stringify(games), now - ONLINE_MS, now)
    .all<Queue>();
  return results;
}

const minutes = (ms: number): number => Math.floor(ms / MINUTE_MS);

/** Reports games without bots and games with long waits. */
export const queueTroubles = (
  queues: readonly Queue[],
  now: number,
  { silent_minutes, waiting_minutes }: AlertLimits = ALERT_LIMITS,
): Trouble[] =>
  queues.flatMap(({ game, heard_at, subtasks_waiting, waiting_since }) => [
    ...(heard_at <= now - silent_minutes * MINUTE_MS
      ? [
          {
            kind: `bots ${game}`,
            text: `No bot of ${game} was seen for ${silent_minutes === 10 ? 'ten' : silent_minutes} minutes; ${subtasks_waiting} subtasks are waiting.`,
          },
        ]
      : []),
    ...(waiting_since !== null && waiting_since < now - waiting_minutes * MINUTE_MS
      ? [
          {
            kind: `waiting ${game}`,
            text: `The oldest waiting subtask of ${game} has waited for ${minutes(now - waiting_since)} minutes; ${subtasks_waiting} are not done.`,
          },
        ]
      : []),
  ]);

/** SQL of items whose subtasks have all ended. Uses the partial index on that condition. */
const SETTLING = `SELECT id FROM items WHERE state IN ('open', 'finishing') AND incomplete_count = 0`;

/** Records since when items wait to be finished. Writes nothing if there are none. */
export async function noteSettling(db: Db, now: number): Promise<void> {
  await db.$client.batch([
    db.$client.prepare(`DELETE FROM settling_items WHERE item_id NOT IN (${SETTLING})`),
    db.$client
      .prepare(`INSERT OR IGNORE INTO settling_items (item_id, since) SELECT id, ? FROM (${SETTLING})`)
      .bind(now),
  ]);
}

/** Reports items that have been finishing for too long. */
export async function finishingTroubles(db: Db, now: number): Promise<Trouble[]> {
  const row = await db.$client
    .prepare(`SELECT count(*) AS count, min(item_id) AS item FROM settling_items WHERE since < ?`)
    .bind(now - FINISHING_MS)
    .first<{ count: number; item: string | null }>();
  if (!row?.item) return [];
  const many = row.count === 1 ? `Item ${row.item} has` : `${row.count} items, one of them ${row.item}, have`;
  return [{ kind: 'finishing', text: `${many} been finishing for more than 15 minutes.` }];
}

/** Reports a high share of failed subtasks among items that ended within the hour. Cancelled subtasks were not tried. */
export async function failureTroubles(
  db: Db,
  now: number,
  { failed_percent }: AlertLimits = ALERT_LIMITS,
): Promise<Trouble[]> {
  const row = await db.$client
    .prepare(
      `SELECT coalesce(sum(failed_count), 0) AS failed,
         coalesce(sum(iif(state = 'cancelled', failed_count, subtask_count)), 0) AS ended
       FROM items WHERE finished_at > ? AND finished_at IS NOT NULL`,
    )
    .bind(now - HOUR_MS)
    .first<{ failed: number; ended: number }>();
  if (!row || row.failed < FEWEST_FAILED || row.failed * 100 <= row.ended * failed_percent) return [];
  const share = Math.round((row.failed * 100) / row.ended);
  return [{ kind: 'failures', text: `${share} % of the subtasks that ended within the hour failed (${row.failed}).` }];
}

interface LateEvent {
  id: number;
  name: string;
  /** When its next snapshot was due. */
  due: number;
}

/** Returns running events whose next snapshot is two intervals late, the latest first. */
export async function lateEvents(db: Db, now: number): Promise<LateEvent[]> {
  const { results } = await db.$client
    .prepare(
      `WITH running AS (
         SELECT id, name, (plan ->> 'refresh_rate') * ${MINUTE_MS} AS every, start_at,
           (SELECT max(ts) FROM event_snapshots WHERE event_id = events.id) AS newest
         FROM events WHERE mark = 'open' AND next_refresh IS NOT NULL AND start_at <= ?1)
       SELECT id, name, CASE WHEN newest IS NULL THEN start_at ELSE newest + every END AS due FROM running
       WHERE due + 2 * every < ?1 ORDER BY due`,
    )
    .bind(now)
    .all<LateEvent>();
  return results;
}

/** Reports late events. */
export const eventTroubles = async (db: Db, now: number): Promise<Trouble[]> =>
  (await lateEvents(db, now)).map(({ id, name, due }) => ({
    kind: `event ${id}`,
    text: `The snapshot of the event '${name}' (${id}) is ${minutes(now - due)} minutes late.`,
  }));
