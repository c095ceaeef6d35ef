import { capital } from '../../../domain/figures.ts';
import { GAMES, type GameId } from '../../../domain/games/games.ts';
import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { Refusal } from '../../errors.ts';
import { type Edge, edgeKept } from '../../gateways/edge-cache.ts';
import type { User } from '../../models/accounts/user.ts';
import { kingdomPage } from '../../models/kingdoms/kingdoms.ts';
import { topKingdoms } from '../boards/board-rows.ts';
import { daysOpen } from './days-open.ts';

const EDGE_SECONDS = 60;
const TOP = 15;

/** Returns the strongest kingdoms and the day of their ranking; null before the first board. */
async function strongest(store: R2Bucket, game: GameId) {
  const { rows, day } = await topKingdoms(store, game, TOP);
  const kingdoms = rows.map(({ kingdom_id, total_power }) => ({
    id: kingdom_id,
    name: `${capital(GAMES[game].kingdom.one)} ${kingdom_id}`,
    score: total_power,
  }));
  return { kingdoms, kingdoms_day: day };
}

/** The part of the page that is the same for all users who may see this many days. */
async function pageOf(db: Db, store: R2Bucket, game: GameId, id: number, days: number) {
  const page = await kingdomPage(db, game, id, days);
  return page && { ...page, ...(await strongest(store, game)) };
}

/** Returns a kingdom's page over as many days as the user may see; cached for a minute. */
export async function showKingdom(
  db: Db,
  { STORE }: Env,
  edge: Edge,
  { user, game, id, days }: { user: User; game: GameId; id: number; days: number },
) {
  const found = await edgeKept(edge, `kingdoms/${game}/${id}/${days}`, EDGE_SECONDS, () =>
    pageOf(db, STORE, game, id, days),
  );
  const name = `${GAMES[game].kingdom.one} ${id}`;
  if (!found) throw new Refusal('not_found', `${capital(name)} was never scanned.`);
  return { ...found, days_open: await daysOpen(db, { user, game, kingdom: id, days, name }) };
}
