import type { LeaseWish, Task } from '../../../domain/fleet/contract.ts';
import { RANKS_PER_SUBTASK } from '../../../domain/orders/catalogue.ts';
import { MAX_ATTEMPTS, MAX_PREPARING_MS } from '../../../domain/orders/order.ts';
import { NONE_CAME_BACK, UNCONFIRMED } from '../../../domain/orders/reasons.ts';
import type { Db } from '../../db/open.ts';
import { heardStatement } from './bots.ts';
import { failedAttemptSql } from './failed-attempts.ts';
import { notRefusedSql, RESTS } from './reach.ts';

/** A subtask with its item's data. */
export interface LeasedSubtask extends Pick<Task, 'item_id' | 'order_id' | 'game' | 'kingdom_id' | 'from_rank'> {
  id: number;
  /** The item's version. If it is higher than the order object's, a repair has begun. */
  version: number;
  from_rank: number;
  /** Number of ranks to scan. */
  ranks: number;
}

/** A subtask that has just ended, to report to the order object. */
export interface EndedSubtask extends Pick<LeasedSubtask, 'id' | 'item_id' | 'order_id'> {
  error: string;
}

/** SQL: the first and the last rank of a row of `subtasks`. */
export const FROM_RANK = `(subtasks.number * ${RANKS_PER_SUBTASK} + 1)`;
const RANKS = `(subtasks.number + 1) * ${RANKS_PER_SUBTASK}`;
export const TO_RANK = `min(${RANKS}, (SELECT governors FROM items WHERE items.id = subtasks.item_id))`;

/** A bot's request for work. */
export interface Wish extends LeaseWish {
  /** The bot as `group/bot`. */
  bot: string;
  /** How long the lease lasts. */
  seconds: number;
  /**
   * The bot reports no work in progress. Subtasks leased to it never reached it, so they are leased to it again first.
   */
  idle: boolean;
}

/** A leased subtask. `lease` is the id stored in D1; worker/services/fleet/leases.ts turns it into the bot's token. */
export type LeasedRow = Omit<Task, 'full_profile'> & { full_profile: number; version: number };

/** The leased subtasks and what the bot needs to decide when to ask again. */
interface Leased {
  leased: LeasedRow[];
  /** True if subtasks of the bot's games are waiting or leased. */
  open: boolean;
  /** When the last order was placed (epoch ms); null if there is none. */
  placed_at: number | null;
}

/** How long a subtask with an empty or implausible result is reserved for other bots, in ms. */
const ANOTHER_BOT_MS = 10 * 60_000;

/** SQL: the kingdoms that bot ?3 (`group/bot`) can scan in a game, as JSON: "all" or a list. */
const ownKingdomsSql = (game: string): string =>
  `coalesce((SELECT CASE WHEN kingdoms IS NULL THEN '"all"' ELSE coalesce(kingdoms -> ${game}, '[]') END FROM bots
     WHERE group_id = substr(?3, 1, instr(?3, '/') - 1) AND bot_id = substr(?3, instr(?3, '/') + 1)), '"all"')`;

/** SQL: subtask may be leased to bot ?3 at ?4. */
const FREE = `state IN ('waiting', 'leased') AND lease_until <= ?4 AND attempts < ${MAX_ATTEMPTS}
  AND (coalesce(empty_by, '') <> ?3 AND coalesce(doubted_by, '') <> ?3 OR lease_until <= ?4 - ${ANOTHER_BOT_MS})
  AND ${notRefusedSql('subtasks.item_id', '?3')}`;

/** SQL: the first ?5 free subtasks of a game. Every index range is short, however long the queue. */
const headsSql = (game: string): string[] => [
  `SELECT id, due FROM (
     SELECT id, due FROM subtasks WHERE game = ${game} AND ${FREE}
     ORDER BY due, id LIMIT iif(${ownKingdomsSql(game)} = '"all"', ?5, 0))`,
  `SELECT queue.id, queue.due FROM json_each(${ownKingdomsSql(game)}) own JOIN subtasks queue ON queue.id IN (
     SELECT id FROM subtasks WHERE game = ${game} AND kingdom_id = own.value AND ${FREE} ORDER BY due, id LIMIT ?5)`,
];

/**
 * Returns the statement that leases subtasks. It is a single statement, so two bots never get the same subtask. Leasing
 * a bot its own subtask again is not a new attempt.
 */
function leaseStatement(db: Db, { bot, games, count, seconds, idle }: Wish, now: number): D1PreparedStatement {
  const named = [...new Set(games)];
  // One queue per game (and kingdom); their heads are merged.
  const heads = named.flatMap((_, index) => headsSql(`?${index + 6}`));
  if (idle)
    heads.push(`SELECT id, 0 FROM subtasks WHERE state = 'leased' AND lease_until > ?4 AND bot_id = ?3
      AND game IN (${named.map((_, index) => `?${index + 6}`).join(', ')})`);
  return db.$client
    .prepare(
      `UPDATE subtasks SET state = 'leased', lease = ?1, lease_until = ?2, bot_id = ?3, leased_at = ?4,
         attempts = attempts + (state <> 'leased' OR lease_until <= ?4)
       WHERE id IN (SELECT id FROM (${heads.join(' UNION ALL ')}) ORDER BY due, id LIMIT iif(${RESTS}, 0, ?5))
       RETURNING id AS subtask_id, lease, lease_until, order_id, item_id, game, kingdom_id,
         (SELECT version FROM items WHERE items.id = subtasks.item_id) AS version,
         ${FROM_RANK} AS from_rank, ${TO_RANK} AS to_rank,
         (SELECT full_profile FROM items WHERE items.id = subtasks.item_id) AS full_profile`,
    )
    .bind(crypto.randomUUID(), now + seconds * 1000, bot, now, count, ...named);
}

/**
 * Leases the next `count` subtasks of the given games to a bot, earliest virtual deadline first. Expired leases are
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
  const [, leased, state] = await db.$client.batch([
    heardStatement(db, wish.bot, now),
    leaseStatement(db, wish, now),
    queue,
  ]);
  const [row] = (state?.results ?? []) as { open: 0 | 1; placed_at: number | null }[];
  return {
    leased: (leased?.results ?? []) as LeasedRow[],
    open: row?.open === 1,
    placed_at: row?.placed_at ?? null,
  };
}

/** Returns the statement that extends leases a bot still holds, each to its own time (epoch ms). Never shortens one. */
export const extendStatement = (
  db: Db,
  bot: string,
  held: readonly { id: number; lease: string; until: number }[],
): D1PreparedStatement =>
  db.$client
    .prepare(
      `UPDATE subtasks SET lease_until = max(lease_until, held.value ->> 'until') FROM json_each(?1) held
       WHERE subtasks.id = held.value ->> 'id' AND subtasks.lease = held.value ->> 'lease'
         AND bot_id = ?2 AND state = 'leased'`,
    )
    .bind(JSON.stringify(held), bot);

/**
 * Returns those of the claimed subtasks that this bot holds, or has handed in, under the lease id given. Extends these
 * leases to `until` (epoch ms).
 */
export async function leasedBy(
  db: Db,
  bot: string,
  claims: readonly { id: number; lease: string }[],
  until: number,
): Promise<LeasedSubtask[]> {
  if (claims.length === 0) return [];
  // Callers' claims carry more fields, which must not be sent to D1.
  const shown = claims.map(({ id, lease }) => ({ id, lease, until }));
  const held = db.$client
    .prepare(
      `SELECT subtasks.id, item_id, subtasks.order_id, subtasks.game, items.kingdom_id, items.version,
         ${FROM_RANK} AS from_rank, ${TO_RANK} - number * ${RANKS_PER_SUBTASK} AS ranks
       FROM json_each(?1) claim
       JOIN subtasks ON subtasks.id = claim.value ->> 'id' AND subtasks.lease = claim.value ->> 'lease'
       JOIN items ON items.id = subtasks.item_id
       WHERE subtasks.bot_id = ?2 AND subtasks.state IN ('leased', 'done')`,
    )
    .bind(JSON.stringify(shown), bot);
  const found = (await db.$client.batch<LeasedSubtask>([extendStatement(db, bot, shown), held])).at(-1);
  return found?.results ?? [];
}

/**
 * Returns the statement that updates the counts of items, or of an order's open ones, from their subtasks. Part of every
 * batch that ends or requeues subtasks.
 */
export const recountStatement = (
  db: Db,
  of: { subtasks: readonly number[] } | { items: readonly string[] } | { order: number } | { failedAt: number },
): D1PreparedStatement => {
  const [which, value] =
    'order' in of
      ? [`SELECT id FROM items WHERE order_id = ? AND state = 'open'`, of.order]
      : 'items' in of
        ? ['SELECT value FROM json_each(?)', JSON.stringify(of.items)]
        : 'failedAt' in of
          ? [`SELECT item_id FROM subtasks WHERE ended_at = ? AND state = 'failed'`, of.failedAt]
          : ['SELECT item_id FROM subtasks WHERE id IN (SELECT value FROM json_each(?))', JSON.stringify(of.subtasks)];
  return db.$client
    .prepare(
      `UPDATE items SET
         incomplete_count = (SELECT count(*) FROM subtasks WHERE item_id = items.id AND state IN ('waiting', 'leased')),
         failed_count = (SELECT count(*) FROM subtasks WHERE item_id = items.id AND state = 'failed'),
         error = (SELECT error FROM subtasks WHERE item_id = items.id AND state = 'failed' ORDER BY number LIMIT 1)
       WHERE id IN (${which})`,
    )
    .bind(value);
};

/** A subtask under the id of its lease. */
interface Claim {
  id: number;
  lease: string;
}

/**
 * Marks subtasks as done after the order object stored their rows, but not those that were requeued, as implausible or
 * by a repair. Ends the leases of `lost` ones, so that leasing them again counts as an attempt. In the same call, leases
 * the bot more work if it asked. Idempotent: another bot may have been leased a subtask meanwhile, but the object has its
 * rows.
 */
export async function handOver(
  db: Db,
  bot: string,
  brought: readonly (Claim & { version: number })[],
  wish: Wish | null,
  now = Date.now(),
  lost: readonly Claim[] = [],
): Promise<LeasedRow[]> {
  const done = db.$client
    .prepare(
      `UPDATE subtasks SET state = 'done', error = NULL, bot_id = ?2, ended_at = ?3 FROM json_each(?1) brought
       WHERE subtasks.id = brought.value ->> 'id' AND state IN ('waiting', 'leased')
         AND (coalesce(doubted_by, '') <> ?2 OR subtasks.lease = brought.value ->> 'lease')
         AND (SELECT version FROM items WHERE items.id = item_id) = brought.value ->> 'version'`,
    )
    .bind(JSON.stringify(brought.map(({ id, lease, version }) => ({ id, lease, version }))), bot, now);
  const statements = [heardStatement(db, bot, now)];
  if (brought.length > 0) statements.push(done, recountStatement(db, { subtasks: brought.map(({ id }) => id) }));
  if (lost.length > 0)
    statements.push(
      db.$client
        .prepare(
          `UPDATE subtasks SET lease_until = min(lease_until, ?3) FROM json_each(?1) lost
           WHERE subtasks.id = lost.value ->> 'id' AND subtasks.lease = lost.value ->> 'lease'
             AND bot_id = ?2 AND state = 'leased'`,
        )
        .bind(JSON.stringify(lost), bot, now),
    );
  if (wish) statements.push(leaseStatement(db, wish, now));
  const leased = (await db.$client.batch<LeasedRow>(statements)).at(-1);
  return wish && leased ? leased.results : [];
}

// Each failed attempt waits longer, to spare a source in trouble.
const RETRY_MS = 5_000;

/**
 * Requeues a leased subtask, or fails it after the last attempt. Returns null if the bot does not hold the lease (any
 * more).
 */
export async function failSubtask(
  db: Db,
  bot: string,
  claim: { subtask_id: number; lease: string; reason: string },
  now = Date.now(),
): Promise<{ order_id: number; ended: EndedSubtask[] } | null> {
  const held = `id = ?3 AND lease = ?4 AND bot_id = ?5 AND state = 'leased'`;
  const values = [claim.reason, now, claim.subtask_id, claim.lease, bot];
  const [, updated] = await db.$client.batch<EndedSubtask & { state: 'waiting' | 'failed' }>([
    db.$client.prepare(failedAttemptSql('?2', '?1', held)).bind(...values),
    db.$client
      .prepare(
        `UPDATE subtasks SET state = iif(attempts >= ${MAX_ATTEMPTS}, 'failed', 'waiting'),
           ended_at = iif(attempts >= ${MAX_ATTEMPTS}, ?2, NULL),
           error = ?1, lease = NULL, lease_until = ?2 + attempts * ${RETRY_MS}
         WHERE ${held} RETURNING id, item_id, order_id, error, state`,
      )
      .bind(...values),
    recountStatement(db, { subtasks: [claim.subtask_id] }),
  ]);
  const row = updated?.results[0];
  if (!row) return null;
  const { state, ...ended } = row;
  return { order_id: ended.order_id, ended: state === 'failed' ? [ended] : [] };
}

/** Outcome of a bot's report that a kingdom's first ranks are empty. */
type EmptyWord = 'confirmed' | 'lost' | { doubted: true; ended: EndedSubtask | null };

/**
 * Handles a bot's report that a leased subtask has no rows. The first report requeues the subtask for another bot and
 * counts as an attempt; after the last attempt it fails. `confirmed` means that another bot reported the same, so the
 * subtask may end without rows.
 */
export async function hearEmpty(
  db: Db,
  bot: string,
  claim: { subtask_id: number; lease: string },
  now = Date.now(),
): Promise<EmptyWord> {
  const mine = `id = ?1 AND lease = ?2 AND bot_id = ?3`;
  const unconfirmed = `${mine} AND state = 'leased' AND coalesce(empty_by, ?3) = ?3`;
  const [, heard, , confirmed] = await db.$client.batch<EndedSubtask & { state: 'waiting' | 'failed' }>([
    db.$client
      .prepare(failedAttemptSql('?4', `'${UNCONFIRMED}'`, unconfirmed))
      .bind(claim.subtask_id, claim.lease, bot, now),
    db.$client
      .prepare(
        `UPDATE subtasks SET state = CASE WHEN attempts >= ${MAX_ATTEMPTS} THEN 'failed' ELSE 'waiting' END, empty_by = ?3,
           ended_at = iif(attempts >= ${MAX_ATTEMPTS}, ?4, NULL),
           error = '${UNCONFIRMED}', lease = NULL, lease_until = ?4
         WHERE ${unconfirmed}
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
 * Requeues a leased subtask because its kingdom must be prepared first, and delays the item's waiting subtasks too:
 * none is leased before `until`. Does not count as an attempt. Returns null if the bot does not hold the lease (any
 * more) or the order has been in preparation too long.
 */
export async function putOff(
  db: Db,
  bot: string,
  claim: { subtask_id: number; lease: string; until: number },
  now = Date.now(),
): Promise<{ item_id: string; order_id: number } | null> {
  const { subtask_id, lease, until } = claim;
  // True only if the first statement changed the subtask.
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

/** Name of the minute's job that reports them to their orders. */
export const ABANDONED = 'abandoned subtasks';

/**
 * Fails subtasks whose last lease expired: five bots tried and none returned. Also returns earlier ones that are due
 * for another attempt to notify their order.
 */
export async function failAbandoned(db: Db, now = Date.now()): Promise<EndedSubtask[]> {
  const abandoned = `id IN (
    SELECT id FROM subtasks
    WHERE state = 'leased' AND lease_until <= ?1 AND attempts >= ${MAX_ATTEMPTS}
    LIMIT ${SWEPT_AT_ONCE})`;
  const failed = db.$client
    .prepare(
      `UPDATE subtasks SET state = 'failed', lease = NULL, ended_at = ?1,
         error = coalesce(error, '${NONE_CAME_BACK}')
       WHERE ${abandoned}
         OR state = 'failed' AND id IN (
           SELECT CAST(subject AS INTEGER) FROM setbacks WHERE job = '${ABANDONED}' AND subject <> '' AND next_at <= ?1)
       RETURNING id, item_id, order_id, error`,
    )
    .bind(now);
  const [, ended] = await db.$client.batch<EndedSubtask>([
    db.$client.prepare(failedAttemptSql('?1', `'The bot did not come back.'`, abandoned)).bind(now),
    failed,
    recountStatement(db, { failedAt: now }),
  ]);
  return ended?.results ?? [];
}
