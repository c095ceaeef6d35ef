import { GAMES, type GameId } from '../../../domain/games/games.ts';
import type { Db } from '../../db/open.ts';
import { Refusal } from '../../errors.ts';
import { type Edge, edgeKept } from '../../gateways/edge-cache.ts';
import { alliancePage } from '../../models/kingdoms/alliances.ts';

const EDGE_SECONDS = 60;

/** Returns an alliance of a kingdom; cached for a minute. */
export async function showAlliance(
  db: Db,
  edge: Edge,
  { game, kingdom, tag }: { game: GameId; kingdom: number; tag: string },
) {
  const name = `alliances/${game}/${kingdom}/${encodeURIComponent(tag)}`;
  const found = await edgeKept(edge, name, EDGE_SECONDS, () => alliancePage(db, game, kingdom, tag));
  if (!found)
    throw new Refusal(
      'not_found',
      `Nobody of [${tag}] is in ${GAMES[game].kingdom.one} ${kingdom}, as far as scans show.`,
    );
  return found;
}
