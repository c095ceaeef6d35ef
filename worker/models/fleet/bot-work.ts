import { DAY_MS, HOUR_MS } from '../../../domain/days.ts';
import type { GameId } from '../../../domain/games/games.ts';
import type { Db } from '../../db/open.ts';
import { FROM_RANK, TO_RANK } from './subtasks.ts';

/** Reads a bot's latest tasks and its success rate. */

const SHOWN = 50;

interface EndedTask {
  at: number;
  order_id: number;
  item_id: string;
  game: GameId;
  kingdom_id: number;
  from_rank: number;
  to_rank: number;
  /** Null if it brought rows. */
  reason: string | null;
}

interface HeldTask {
  subtask_id: number;
  order_id: number;
  kingdom_id: number;
  from_rank: number;
  to_rank: number;
  lease_until: number;
}

interface Counts {
  done_last_day: number;
  rows_last_hour: number;
  failed_last_day: number;
}

export interface Reason {
  reason: string;
  count: number;
}

/** Returns what a bot (`group/bot`) ended and holds, in one trip. */
export async function workOfBot(db: Db, bot: string, now: number) {
  const statement = (sql: string, ...more: unknown[]) => db.$client.prepare(sql).bind(bot, ...more);
  const [tasks, held, counts, reasons] = await db.$client.batch([
    statement(
      `SELECT * FROM (
         SELECT ended_at AS at, order_id, item_id, game, kingdom_id, ${FROM_RANK} AS from_rank, ${TO_RANK} AS to_rank,
           NULL AS reason
         FROM subtasks WHERE bot_id = ?1 AND ended_at IS NOT NULL AND state = 'done' ORDER BY ended_at DESC LIMIT ${SHOWN})
       UNION ALL
       SELECT * FROM (
         SELECT at, failed_attempts.order_id, failed_attempts.item_id, failed_attempts.game, kingdom_id, ${FROM_RANK}, ${TO_RANK},
           reason
         FROM failed_attempts JOIN subtasks ON subtasks.id = subtask_id
         WHERE failed_attempts.bot_id = ?1 ORDER BY at DESC LIMIT ${SHOWN})
       ORDER BY at DESC LIMIT ${SHOWN}`,
    ),
    statement(
      `SELECT id AS subtask_id, order_id, kingdom_id, ${FROM_RANK} AS from_rank, ${TO_RANK} AS to_rank, lease_until
       FROM subtasks
       WHERE state = 'leased' AND bot_id = ?1 AND lease_until > ?2 ORDER BY lease_until LIMIT ${SHOWN}`,
      now,
    ),
    statement(
      `SELECT
         (SELECT count(*) FROM subtasks WHERE bot_id = ?1 AND ended_at > ?2 AND state = 'done') AS done_last_day,
         (SELECT coalesce(sum(${TO_RANK} - ${FROM_RANK} + 1), 0) FROM subtasks
          WHERE bot_id = ?1 AND ended_at > ?3 AND state = 'done') AS rows_last_hour,
         (SELECT count(*) FROM failed_attempts WHERE bot_id = ?1 AND at > ?2) AS failed_last_day`,
      now - DAY_MS,
      now - HOUR_MS,
    ),
    statement(
      `SELECT reason, count(*) AS count FROM failed_attempts WHERE bot_id = ?1 AND at > ?2
       GROUP BY reason ORDER BY count DESC, reason LIMIT 10`,
      now - DAY_MS,
    ),
  ]);
  const [sums] = (counts?.results ?? []) as Counts[];
  return {
    tasks: (tasks?.results ?? []) as EndedTask[],
    in_hand: (held?.results ?? []) as HeldTask[],
    reasons: (reasons?.results ?? []) as Reason[],
    ...(sums ?? { done_last_day: 0, rows_last_hour: 0, failed_last_day: 0 }),
  };
}
