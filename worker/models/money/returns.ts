import { capital } from '../../../domain/figures.ts';
import { GAMES } from '../../../domain/games/games.ts';
import { RANKS_PER_SUBTASK } from '../../../domain/orders/catalogue.ts';
import type { Db } from '../../db/open.ts';
import { collectStatements } from './reversals.ts';

/**
 * Refunds for undelivered results (docs/payments.md). `items.returned_cents` is the amount refunded so far. It changes
 * in the same batch as the ledger entry and never falls, so a repeated refund finds nothing left.
 */

const perGame = (word: (game: (typeof GAMES)[keyof typeof GAMES]) => string): string =>
  Object.values(GAMES)
    .map((game) => ` WHEN '${game.id}' THEN '${word(game)}'`)
    .join('');

/** SQL of an item's name in the statement: 'Kingdom 1042'. */
const NAME = `CASE items.game${perGame(({ kingdom }) => capital(kingdom.one))} END || ' ' || items.kingdom_id`;
const PEOPLE = `CASE items.game${perGame(({ governor }) => governor.many)} END`;

/**
 * SQL of where a refund goes: to the balance that paid, or to the owner's if the team has closed. `orders.user_id`
 * names who ordered.
 */
export const PAYER_TEAM = '(SELECT id FROM teams WHERE id = orders.team_id AND closed_at IS NULL)';
export const PAYER = `coalesce((SELECT owner_id FROM teams WHERE id = orders.team_id AND closed_at IS NOT NULL), orders.user_id)`;

const CHUNKS = `((items.governors + ${RANKS_PER_SUBTASK - 1}) / ${RANKS_PER_SUBTASK})`;

/** Who paid for an item, and for how many governors. */
export interface Bought {
  user_id: string;
  governors: number;
}

/** True if `got` rows cover all chunks that were paid for, so that nothing is refunded. */
export const isComplete = ({ governors }: Bought, got: number): boolean =>
  Math.ceil(got / RANKS_PER_SUBTASK) >= Math.ceil(governors / RANKS_PER_SUBTASK);

/**
 * Returns statements that refund the chunks missing from an ended item. Keeps the price of the `got` governors and of
 * chunks that a repair can still deliver. They belong in the batch that ends the item, after the statement that does.
 */
export function shortfallStatements(
  db: Db,
  { itemId, version, userId, got }: { itemId: string; version: number; userId: string; got: number },
  now: number,
): D1PreparedStatement[] {
  // D1 binds numbers as floats, so this needs a cast for integer division.
  const had = `((CAST(?2 AS INTEGER) + ${RANKS_PER_SUBTASK - 1}) / ${RANKS_PER_SUBTASK})`;
  const owed = `(price_cents * max(0, ${CHUNKS} - items.failed_count - ${had}) / ${CHUNKS})`;
  const ended = `items.id = ?1 AND items.version = ?4 AND items.state = 'done' AND ${owed} > items.returned_cents`;
  return [
    db.$client
      .prepare(
        // The reference contains the amount refunded before, so the same refund twice is the same entry.
        `INSERT INTO ledger_entries (user_id, team_id, amount_cents, kind, reference, note, created_at)
         SELECT ${PAYER}, ${PAYER_TEAM}, ${owed} - returned_cents, 'return', 'return:' || uuid || ':' || items.id || ':' || returned_cents,
           printf('%s: %,d of %,d %s', ${NAME}, ?2, items.governors, ${PEOPLE}), ?3
         FROM items JOIN orders ON orders.id = items.order_id WHERE ${ended}
         ON CONFLICT (reference) DO NOTHING`,
      )
      .bind(itemId, got, now, version),
    db.$client.prepare(`UPDATE items SET returned_cents = ${owed} WHERE ${ended}`).bind(itemId, got, now, version),
    ...collectStatements(db, userId, now),
  ];
}

/**
 * Returns statements that refund the items cancelled in this batch, in one entry. They come after the statement that
 * cancels, whose `finished_at` is `now`.
 */
export const cancelledStatements = (
  db: Db,
  { orderId, userId }: { orderId: number; userId: string },
  now: number,
): D1PreparedStatement[] => {
  const cancelled = `items.order_id = ?1 AND items.state = 'cancelled' AND items.finished_at = ?2
    AND items.returned_cents < items.price_cents`;
  return [
    db.$client
      .prepare(
        // An item is cancelled only once, so the first item id identifies this cancellation.
        `INSERT INTO ledger_entries (user_id, team_id, amount_cents, kind, reference, note, created_at)
         SELECT ${PAYER}, ${PAYER_TEAM}, sum(price_cents - returned_cents), 'return', 'return:' || uuid || ':' || min(items.id),
           CASE count(*) WHEN 1 THEN ${NAME} ELSE printf('%,d items', count(*)) END, ?2
         FROM items JOIN orders ON orders.id = items.order_id WHERE ${cancelled} GROUP BY orders.id
         ON CONFLICT (reference) DO NOTHING`,
      )
      .bind(orderId, now),
    db.$client.prepare(`UPDATE items SET returned_cents = price_cents WHERE ${cancelled}`).bind(orderId, now),
    ...collectStatements(db, userId, now),
  ];
};
