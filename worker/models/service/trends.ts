import type { GameId } from '../../../domain/games/games.ts';
import type { Db } from '../../db/open.ts';
import { EVENTS_ACCOUNT } from '../events/gatherings.ts';

/** Figures per day for admins. */

const TOP_KINGDOMS = 10;

/** SQL of a time's day in UTC. */
const dayOfSql = (time: string): string => `date(${time} / 1000, 'unixepoch')`;

/** SQL: items that customers ordered since a time. Scans of events are orders of the service's own. */
const SOLD = `orders JOIN items ON items.order_id = orders.id
  WHERE orders.placed_at >= ? AND orders.user_id <> '${EVENTS_ACCOUNT}'`;

/** Returns what each day since a time had, with days without anything left out. */
export async function trendsSince(db: Db, since: number) {
  const { $client } = db;
  const [users, orders, scanned, mails, kingdoms] = await $client.batch<Record<string, unknown>>([
    $client
      .prepare(
        `SELECT ${dayOfSql('created_at')} AS day, count(*) AS users FROM users WHERE created_at >= ? GROUP BY day`,
      )
      .bind(since),
    $client
      .prepare(
        `SELECT ${dayOfSql('orders.placed_at')} AS day, count(DISTINCT orders.id) AS orders,
           coalesce(sum(items.price_cents - items.returned_cents), 0) AS revenue_cents
         FROM ${SOLD} GROUP BY day`,
      )
      .bind(since),
    $client
      .prepare(
        `SELECT ${dayOfSql('items.finished_at')} AS day, sum(snapshots.rows) AS governors, count(*) AS scans
         FROM items JOIN snapshots ON snapshots.id = items.snapshot_id
         WHERE items.finished_at >= ? AND items.finished_at IS NOT NULL GROUP BY day`,
      )
      .bind(since),
    $client
      .prepare(
        `SELECT ${dayOfSql('created_at')} AS day, count(*) AS mails FROM outbox
         WHERE channel = 'mail' AND sent_at IS NOT NULL AND created_at >= ? GROUP BY day`,
      )
      .bind(since),
    $client
      .prepare(
        `SELECT items.game, items.kingdom_id, count(*) AS items,
           sum(items.price_cents - items.returned_cents) AS revenue_cents
         FROM ${SOLD}
         GROUP BY items.game, items.kingdom_id ORDER BY items DESC, items.game, items.kingdom_id LIMIT ${TOP_KINGDOMS}`,
      )
      .bind(since),
  ]);
  const rows = <Row>(result: D1Result | undefined) => (result?.results ?? []) as Row[];
  return {
    users: rows<{ day: string; users: number }>(users),
    orders: rows<{ day: string; orders: number; revenue_cents: number }>(orders),
    scanned: rows<{ day: string; governors: number; scans: number }>(scanned),
    mails: rows<{ day: string; mails: number }>(mails),
    kingdoms: rows<{ game: GameId; kingdom_id: number; items: number; revenue_cents: number }>(kingdoms),
  };
}
