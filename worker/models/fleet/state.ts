import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../domain/days.ts';
import type { GameId } from '../../../domain/games/games.ts';
import type { Db } from '../../db/open.ts';
import { EVENTS_ACCOUNT } from '../events/gatherings.ts';
import type { Reason } from './bot-work.ts';
import { ONLINE_MS } from './bots.ts';
import { botsOfGameSql } from './reach.ts';

/** State of the fleet: queues, pace and failures. */

interface GameState {
  game: GameId;
  bots_online: number;
  customers: number;
  events: number;
  leased: number;
  minute: number;
  ten_minutes: number;
  hour: number;
  longer: number;
  /** When the first of the queue was due; null if nothing waits. */
  oldest_due: number | null;
  done_last_hour: number;
  failed_last_hour: number;
}

/** SQL: number of queued subtasks that have been due for longer than `from` and at most `to` ms. */
const aged = (from: number, to: number): string => `count(*) FILTER (WHERE due <= ?2 - ${from} AND due > ?2 - ${to})`;

/** Returns the state of each game's queue, and why attempts of the last day failed, in one trip. */
export async function fleetNow(
  db: Db,
  games: readonly GameId[],
  now: number,
): Promise<{ games: GameState[]; reasons: Reason[] }> {
  const named = JSON.stringify(games);
  const [queues, counts, reasons] = await db.$client.batch([
    db.$client
      .prepare(
        `SELECT subtasks.game, count(*) FILTER (WHERE user_id <> '${EVENTS_ACCOUNT}') AS customers,
           count(*) FILTER (WHERE user_id = '${EVENTS_ACCOUNT}') AS events,
           count(*) FILTER (WHERE state = 'leased' AND lease_until > ?2) AS leased,
           count(*) FILTER (WHERE due > ?2 - ${MINUTE_MS}) AS minute,
           ${aged(MINUTE_MS, 10 * MINUTE_MS)} AS ten_minutes, ${aged(10 * MINUTE_MS, HOUR_MS)} AS hour,
           count(*) FILTER (WHERE due <= ?2 - ${HOUR_MS}) AS longer, min(due) AS oldest_due
         FROM subtasks JOIN orders ON orders.id = subtasks.order_id
         WHERE subtasks.game IN (SELECT value FROM json_each(?1)) AND state IN ('waiting', 'leased') GROUP BY 1`,
      )
      .bind(named, now),
    db.$client
      .prepare(
        `SELECT value AS game,
           (SELECT count(*) FROM ${botsOfGameSql('value')} AND last_connected_at > ?2 - ${ONLINE_MS}) AS bots_online,
           (SELECT count(*) FROM subtasks WHERE game = value AND ended_at > ?2 - ${HOUR_MS} AND state = 'done') AS done_last_hour,
           (SELECT count(*) FROM failed_attempts WHERE game = value AND at > ?2 - ${HOUR_MS}) AS failed_last_hour
         FROM json_each(?1)`,
      )
      .bind(named, now),
    db.$client
      .prepare(
        `SELECT reason, count(*) AS count FROM failed_attempts WHERE at > ?
         GROUP BY reason ORDER BY count DESC, reason LIMIT 20`,
      )
      .bind(now - DAY_MS),
  ]);
  const empty = { customers: 0, events: 0, leased: 0, minute: 0, ten_minutes: 0, hour: 0, longer: 0, oldest_due: null };
  const queueOf = new Map(((queues?.results ?? []) as GameState[]).map((queue) => [queue.game, queue]));
  return {
    games: ((counts?.results ?? []) as GameState[]).map((row) => ({ ...empty, ...queueOf.get(row.game), ...row })),
    reasons: (reasons?.results ?? []) as Reason[],
  };
}
