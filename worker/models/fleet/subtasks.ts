import type { GameId } from '../../../domain/games/games.ts';
import { RANKS_PER_SUBTASK } from '../../../domain/orders/catalogue.ts';
import type { LeaseWish, Task } from '../../../domain/orders/contract.ts';
import { MAX_ATTEMPTS, MAX_PREPARING_MS } from '../../../domain/orders/order.ts';
import type { Db } from '../../db/open.ts';
import { notRefusedSql } from './reach.ts';

/** A subtask with what its item says of the work. */
export interface LeasedSubtask {
  id: number;
  item_id: string;
  order_id: number;
  game: GameId;
  kingdom_id: number;
  /** The item's version: higher than the object knows means that a repair began. */
  version: number;
  from_rank: number;
  /** How many ranks it covers. */
  ranks: number;
}

/** A subtask that has just ended, for the order's object. */
export interface EndedSubtask {
  id: number;
  item_id: string;
  order_id: number;
  error: string;
}

const RANKS = `(subtasks.number + 1) * ${RANKS_PER_SUBTASK}`;
const TO_RANK = `min(${RANKS}, (SELECT governors FROM items WHERE items.id = subtasks.item_id))`;

/** What a bot is leased, and until when. */
export interface Wish extends LeaseWish {
  /** The bot with its group. */
  bot: string;
  /** How long the lease holds. */
  seconds: number;
  /** The bot says that it works on nothing: what it holds, it never heard of, and gets again first. */
  idle: boolean;
}

/** A subtask as it is leased; its lease is the id that D1 keeps (worker/services/fleet/leases.ts makes of it what the bot gets). */
export type LeasedRow = Omit<Task, 'full_profile'> & { full_profile: number; version: number };

/** What a bot was leased, and what it can know by of when there is more. */
export interface Leased {
  leased: LeasedRow[];
  /** True if subtasks of the bot's games are under way. */
  open: boolean;
  /** When the last order was placed, in epoch milliseconds; null if none was. */
  placed_at: number | null;
}

/** For how long a subtask whose first reading was empty or not plausible is for other bots. */
const ANOTHER_BOT_MS = 10 * 60_000;

/** SQL: what the bot ?3 (`group/bot`) can scan of a game, as JSON: "all" or a list of kingdoms. */
const ownKingdomsSql = (game: string): string =>
  `coalesce((SELECT CASE WHEN kingdoms IS NULL THEN '"all"' ELSE coalesce(kingdoms -> ${game}, '[]') END FROM bots
     WHERE group_id = substr(?3, 1, instr(?3, '/') - 1) AND bot_id = substr(?3, instr(?3, '/') + 1)), '"all"')`;

/** SQL: the bot ?3 may be leased this subtask at ?4. */
const FREE = `state IN ('waiting', 'leased') AND lease_until <= ?4 AND attempts < ${MAX_ATTEMPTS}
  AND (coalesce(empty_by, '') <> ?3 AND coalesce(doubted_by, '') <> ?3 OR lease_until <= ?4 - ${ANOTHER_BOT_MS})
  AND ${notRefusedSql('subtasks.item_id', '?3')}`;

/** SQL: the first ?5 free subtasks of a game. Each index range is short, however long the queue is. */
const headsSql = (game: string): string[] => [
  `SELECT id, due FROM (
     SELECT id, due FROM subtasks WHERE game = ${game} AND ${FREE}
     ORDER BY due, id LIMIT iif(${ownKingdomsSql(game)} = '"all"', ?5, 0))`,
  `SELECT queue.id, queue.due FROM json_each(${ownKingdomsSql(game)}) own JOIN subtasks queue ON queue.id IN (
     SELECT id FROM subtasks WHERE game = ${game} AND kingdom_id = own.value AND ${FREE} ORDER BY due, id LIMIT ?5)`,
];

/** One statement, so that two bots never get the same. What a bot holds and gets again is no new attempt. */
function leaseStatement(db: Db, { bot, games, count, seconds, idle }: Wish, now: number): D1PreparedStatement {
  const named = [...new Set(games)];
  // A queue per game (and kingdom), and the merge of their heads.
  const heads = named.flatMap((_, index) => headsSql(`?${index + 6}`));
  if (idle)
    heads.push(`SELECT id, 0 FROM subtasks WHERE state = 'leased' AND lease_until > ?4 AND bot_id = ?3
      AND game IN (${named.map((_, index) => `?${index + 6}`).join(', ')})`);
  return db.$client
    .prepare(
      `UPDATE subtasks SET state = 'leased', lease = ?1, lease_until = ?2, bot_id = ?3,
         attempts = attempts + (state <> 'leased' OR lease_until <= ?4)
       WHERE id IN (SELECT id FROM (${heads.join(' UNION ALL ')}) ORDER BY due, id LIMIT ?5)
       RETURNING id AS subtask_id, lease, lease_until, order_id, item_id, game, kingdom_id,
         (SELECT version FROM items WHERE items.id = subtasks.item_id) AS version,
         number * ${RANKS_PER_SUBTASK} + 1 AS from_rank, ${TO_RANK} AS to_rank,
         (SELECT full_profile FROM items WHERE items.id = subtasks.item_id) AS full_profile`,
    )
    .bind(crypto.randomUUID(), now + seconds * 1000, bot, now, count, ...named);
}

/**
 * Leases the next `count` subtasks of these games to a bot, earliest virtual deadline first; leases that ran out are
 * taken over.
 */
export async function leaseSubtasks(db: Db, wish: Wish, now = Date.now()): Promise<Leased> {
  const queue = db.$client
    .prepare(
      `SELECT EXISTS (SELECT 1 FROM subtasks WHERE state IN ('waiting', 'leased')
         AND game IN (SELECT value FROM json_each(?))) AS open,
         (SELECT placed_at FROM orders ORDER BY id DESC LIMIT 1) AS placed_at`,
    )
    .bind(JSON.stringify(wish.games));
  const [leased, state] = await db.$client.batch([leaseStatement(db, wish, now), queue]);
  const [row] = (state?.results ?? []) as { open: 0 | 1; placed_at: number | null }[];
  return {
    leased: (leased?.results ?? []) as LeasedRow[],
    open: row?.open === 1,
    placed_at: row?.placed_at ?? null,
  };
}

/** Extends leases that a bot still holds, each until its own time (epoch milliseconds); none gets shorter. */
export async function extendLeases(
  db: Db,
  bot: string,
  held: readonly { id: number; lease: string; until: number }[],
): Promise<void> {
  await db.$client
    .prepare(
      `UPDATE subtasks SET lease_until = max(lease_until, held.value ->> 'until') FROM json_each(?1) held
       WHERE subtasks.id = held.value ->> 'id' AND subtasks.lease = held.value ->> 'lease'
         AND bot_id = ?2 AND state = 'leased'`,
    )
    .bind(JSON.stringify(held.map(({ id, lease, until }) => ({ id, lease, until }))), bot)
    .run();
}

/** Those of the named subtasks that this bot holds (or has already handed in) under the lease whose id it shows. */
export async function leasedBy(
  db: Db,
  bot: string,
  claims: readonly { id: number; lease: string }[],
): Promise<LeasedSubtask[]> {
  if (claims.length === 0) return [];
  // Nothing else of a claim: callers hand in more than they ask with.
  const shown = claims.map(({ id, lease }) => ({ id, lease }));
  const { results } = await db.$client
    .prepare(
      `SELECT subtasks.id, item_id, subtasks.order_id, subtasks.game, items.kingdom_id, items.version,
         number * ${RANKS_PER_SUBTASK} + 1 AS from_rank, ${TO_RANK} - number * ${RANKS_PER_SUBTASK} AS ranks
       FROM json_each(?1) claim
       JOIN subtasks ON subtasks.id = claim.value ->> 'id' AND subtasks.lease = claim.value ->> 'lease'
       JOIN items ON items.id = subtasks.item_id
       WHERE subtasks.bot_id = ?2 AND subtasks.state IN ('leased', 'done')`,
    )
    .bind(JSON.stringify(shown), bot)
    .all<LeasedSubtask>();
  return results;
}

/** Brings the counts of items in line with their subtasks; part of every batch that ends or requeues subtasks. */
export const recountStatement = (
  db: Db,
  of: { subtasks: readonly number[] } | { items: readonly string[] },
): D1PreparedStatement =>
  db.$client
    .prepare(
      `UPDATE items SET
         incomplete_count = (SELECT count(*) FROM subtasks WHERE item_id = items.id AND state IN ('waiting', 'leased')),
         failed_count = (SELECT count(*) FROM subtasks WHERE item_id = items.id AND state = 'failed'),
         error = (SELECT error FROM subtasks WHERE item_id = items.id AND state = 'failed' ORDER BY number LIMIT 1)
       WHERE id IN (${
         'items' in of
           ? 'SELECT value FROM json_each(?)'
           : 'SELECT item_id FROM subtasks WHERE id IN (SELECT value FROM json_each(?))'
       })`,
    )
    .bind(JSON.stringify('items' in of ? of.items : of.subtasks));

/**
 * Marks subtasks done whose rows the order's object has from this bot (again is harmless), and leases the bot the next
 * ones if it has a wish, with the same call. A subtask that was held back meanwhile is no longer the bot's.
 */
export async function handOver(
  db: Db,
  bot: string,
  subtaskIds: readonly number[],
  wish: Wish | null,
  now = Date.now(),
): Promise<LeasedRow[]> {
  const done = db.$client
    .prepare(
      `UPDATE subtasks SET state = 'done', error = NULL
       WHERE id IN (SELECT value FROM json_each(?1)) AND state IN ('waiting', 'leased') AND bot_id = ?2`,
    )
    .bind(JSON.stringify(subtaskIds), bot);
  const statements = subtaskIds.length > 0 ? [done, recountStatement(db, { subtasks: subtaskIds })] : [];
  if (wish) statements.push(leaseStatement(db, wish, now));
  if (statements.length === 0) return [];
  const leased = (await db.$client.batch<LeasedRow>(statements)).at(-1);
  return wish && leased ? leased.results : [];
}

// A failed try waits a little longer each time, so that a source in trouble is not hammered.
const RETRY_MS = 5_000;

/**
 * Puts a leased subtask back, or ends it as failed at the last attempt. Null if the lease is not the bot's (any more).
 */
export async function failSubtask(
  db: Db,
  bot: string,
  claim: { subtask_id: number; lease: string; reason: string },
  now = Date.now(),
): Promise<{ order_id: number; ended: EndedSubtask[] } | null> {
  const [updated] = await db.$client.batch<EndedSubtask & { state: 'waiting' | 'failed' }>([
    db.$client
      .prepare(
        `UPDATE subtasks SET state = iif(attempts >= ${MAX_ATTEMPTS}, 'failed', 'waiting'),
           error = ?1, lease = NULL, lease_until = ?2 + attempts * ${RETRY_MS}
         WHERE id = ?3 AND lease = ?4 AND bot_id = ?5 AND state = 'leased'
         RETURNING id, item_id, order_id, error, state`,
      )
      .bind(claim.reason, now, claim.subtask_id, claim.lease, bot),
    recountStatement(db, { subtasks: [claim.subtask_id] }),
  ]);
  const row = updated?.results[0];
  if (!row) return null;
  const { state, ...ended } = row;
  return { order_id: ended.order_id, ended: state === 'failed' ? [ended] : [] };
}

/** What became of a bot's word that nobody is where a kingdom's first ranks are. */
export type EmptyWord = 'confirmed' | 'lost' | { doubted: true; ended: EndedSubtask | null };

/**
 * Takes a bot's word that a leased subtask has no rows. The first one puts it back for another bot, as an attempt; where
 * the attempts are over, it has failed. `confirmed`: another bot said so before, and the subtask may end without rows.
 */
export async function hearEmpty(
  db: Db,
  bot: string,
  claim: { subtask_id: number; lease: string },
  now = Date.now(),
): Promise<EmptyWord> {
  const mine = `id = ?1 AND lease = ?2 AND bot_id = ?3`;
  const [heard, , confirmed] = await db.$client.batch<EndedSubtask & { state: 'waiting' | 'failed' }>([
    db.$client
      .prepare(
        `UPDATE subtasks SET state = CASE WHEN attempts >= ${MAX_ATTEMPTS} THEN 'failed' ELSE 'waiting' END, empty_by = ?3,
           error = 'A bot found nobody there, and no second one has looked.', lease = NULL, lease_until = ?4
         WHERE ${mine} AND state = 'leased' AND coalesce(empty_by, ?3) = ?3
         RETURNING id, item_id, order_id, error, state`,
      )
      .bind(claim.subtask_id, claim.lease, bot, now),
    recountStatement(db, { subtasks: [claim.subtask_id] }),
    db.$client
      .prepare(`SELECT id FROM subtasks WHERE ${mine} AND state IN ('leased', 'done') AND empty_by <> ?3`)
      .bind(claim.subtask_id, claim.lease, bot),
  ]);
  const word = heard?.results[0];
  if (word) return { doubted: true, ended: word.state === 'failed' ? word : null };
  return confirmed?.results[0] ? 'confirmed' : 'lost';
}

/**
 * Puts a leased subtask back because its kingdom has to be prepared first, and its item's waiting ones with it: none goes
 * out before `until`. It is no failed attempt. Null where the lease is not the bot's (any more), or the order has been
 * in preparation for too long.
 */
export async function putOff(
  db: Db,
  bot: string,
  claim: { subtask_id: number; lease: string; until: number },
  now = Date.now(),
): Promise<{ item_id: string; order_id: number } | null> {
  const { subtask_id, lease, until } = claim;
  // The first statement leaves this behind, and only it.
  const done = `EXISTS (SELECT 1 FROM subtasks WHERE id = ?1 AND state = 'waiting' AND lease_until = ?2)`;
  const item = `(SELECT item_id FROM subtasks WHERE id = ?1)`;
  const [updated] = await db.$client.batch<{ item_id: string; order_id: number }>([
    db.$client
      .prepare(
        `UPDATE subtasks SET state = 'waiting', lease = NULL, lease_until = ?2, attempts = attempts - 1
         WHERE id = ?1 AND lease = ?3 AND bot_id = ?4 AND state = 'leased'
           AND (SELECT coalesce(items.repaired_at, orders.placed_at) FROM items JOIN orders ON orders.id = items.order_id
                WHERE items.id = subtasks.item_id) > ?5
         RETURNING item_id, order_id`,
      )
      .bind(subtask_id, until, lease, bot, now - MAX_PREPARING_MS),
    db.$client
      .prepare(
        `UPDATE subtasks SET lease_until = ?2
         WHERE item_id = ${item} AND state = 'waiting' AND lease_until < ?2 AND ${done}`,
      )
      .bind(subtask_id, until),
    db.$client
      .prepare(`UPDATE items SET preparing_until = ?2 WHERE id = ${item} AND state = 'open' AND ${done}`)
      .bind(subtask_id, until),
  ]);
  return updated?.results[0] ?? null;
}

const SWEPT_AT_ONCE = 500;

/** The job of the minute that tells orders of them. */
export const ABANDONED = 'abandoned subtasks';

/**
 * Ends subtasks whose last attempt's lease ran out: no bot came back five times. Those whose order could not be told of
 * it before are answered again when it is time.
 */
export async function failAbandoned(db: Db, now = Date.now()): Promise<EndedSubtask[]> {
  const { results } = await db.$client
    .prepare(
      `UPDATE subtasks SET state = 'failed', lease = NULL,
         error = coalesce(error, 'Five bots tried and none came back with rows.')
       WHERE id IN (
         SELECT id FROM subtasks
         WHERE state = 'leased' AND lease_until <= ?1 AND attempts >= ${MAX_ATTEMPTS}
         LIMIT ${SWEPT_AT_ONCE})
         OR state = 'failed' AND id IN (
           SELECT CAST(subject AS INTEGER) FROM setbacks WHERE job = '${ABANDONED}' AND subject <> '' AND next_at <= ?1)
       RETURNING id, item_id, order_id, error`,
    )
    .bind(now)
    .all<EndedSubtask>();
  if (results.length > 0) await recountStatement(db, { subtasks: results.map((subtask) => subtask.id) }).run();
  return results;
}
