import type { GameId } from '../../../domain/games/games.ts';
import type { Db } from '../../db/open.ts';

/** The links to results and reports that members share with their team. A link that ends leaves the library. */

/** Links shown, newest first. */
const LINKS_SHOWN = 200;

export interface LibraryLink {
  link_id: string;
  kind: 'results' | 'report';
  user_id: string;
  by: string;
  created_at: number;
  expires_at: number;
  game: GameId;
  /** Null for reports and for whole orders. */
  kingdom_id: number | null;
  /** The order whose results are shown together; null otherwise. */
  order_id: number | null;
  /** Name of the report; null for results. */
  name: string | null;
}

const WORKS = 'link.revoked_at IS NULL AND link.expires_at > ?2';
/** Links of former members are not shared. */
const BY = `JOIN team_members sharing ON sharing.team_id = ?1 AND sharing.user_id = link.user_id
  JOIN users ON users.id = link.user_id`;
// A compound select is sorted by names alone, so every column has one.
const COMMON = `link.id AS link_id, link.user_id AS user_id, users.username AS by, link.created_at AS created_at,
  link.expires_at AS expires_at`;

/** Returns the working links of a team's library, newest first. */
export async function libraryOf(db: Db, teamId: string, now: number): Promise<LibraryLink[]> {
  const { results } = await db.$client
    .prepare(
      `SELECT ${COMMON}, 'results' AS kind, items.game, iif(link.order_id IS NULL, items.kingdom_id, NULL) AS kingdom_id,
         link.order_id, NULL AS name
       FROM share_links link JOIN items ON items.id = link.item_id ${BY} WHERE link.team_id = ?1 AND ${WORKS}
       UNION ALL
       SELECT ${COMMON}, 'report', reports.game, NULL, NULL, reports.name
       FROM report_links link JOIN reports ON reports.id = link.report_id ${BY} WHERE link.team_id = ?1 AND ${WORKS}
       ORDER BY created_at DESC, link_id LIMIT ${LINKS_SHOWN}`,
    )
    .bind(teamId, now)
    .all<LibraryLink>();
  return results;
}

const TABLES = ['share_links', 'report_links'] as const;

/** Puts a working link of a member's own into their team's library. Returns false if there is none. */
export async function addToLibrary(
  db: Db,
  { userId, teamId, linkId }: { userId: string; teamId: string; linkId: string },
  now = Date.now(),
): Promise<boolean> {
  const added = await db.$client.batch<{ id: string }>(
    TABLES.map((table) =>
      db.$client
        .prepare(
          `UPDATE ${table} AS link SET team_id = ?1 WHERE id = ?4 AND user_id = ?3 AND ${WORKS}
             AND EXISTS (SELECT 1 FROM team_members WHERE team_id = ?1 AND user_id = ?3) RETURNING id`,
        )
        .bind(teamId, now, userId, linkId),
    ),
  );
  return added.some(({ results }) => results.length > 0);
}

/** Takes a link out of a team's library, for who shared it and for the team's owner. Returns false if there is none. */
export async function dropFromLibrary(
  db: Db,
  { userId, teamId, linkId }: { userId: string; teamId: string; linkId: string },
): Promise<boolean> {
  const dropped = await db.$client.batch<{ id: string }>(
    TABLES.map((table) =>
      db.$client
        .prepare(
          `UPDATE ${table} SET team_id = NULL WHERE id = ?3 AND team_id = ?1
             AND (user_id = ?2 OR EXISTS (SELECT 1 FROM teams WHERE id = ?1 AND owner_id = ?2)) RETURNING id`,
        )
        .bind(teamId, userId, linkId),
    ),
  );
  return dropped.some(({ results }) => results.length > 0);
}
