import { KEPT_DAYS } from '../../../domain/boards/leaderboard.ts';
import { dayOf } from '../../../domain/days.ts';
import { capital } from '../../../domain/figures.ts';
import { GAMES, type GameId } from '../../../domain/games/games.ts';
import { BOUGHT_DAYS, FREE_DAYS } from '../../../domain/kingdoms/chart-days.ts';
import { sentence } from '../../../domain/language/text.ts';
import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { Refusal } from '../../errors.ts';
import { type Edge, edgeKept } from '../../gateways/edge-cache.ts';
import type { Viewer } from '../../models/accounts/user.ts';
import { alliancePage } from '../../models/kingdoms/alliances.ts';
import { type AskedKingdom, boughtHistory } from '../../models/kingdoms/governors.ts';
import { kingdomPage, lastScanOf } from '../../models/kingdoms/kingdoms.ts';
import { topKingdoms } from '../boards/board-rows.ts';

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
async function pageOf(db: Db, env: Env, game: GameId, id: number, days: number) {
  const [page, top] = await Promise.all([kingdomPage(db, env.STORE, game, id, days), strongest(env.STORE, game)]);
  return page && { ...page, ...top };
}

/** Returns the refusal of a kingdom without kept scans. `last` is the time of its last one (epoch ms), or null. */
function notShown(game: GameId, id: number, last: number | null): Refusal {
  const values = { game, id: String(id) };
  return new Refusal(
    'not_found',
    last === null
      ? sentence('{game, select, cod {Server {id}} other {Kingdom {id}}} was never scanned.', values)
      : sentence(
          '{game, select, cod {Server {id}} other {Kingdom {id}}} was last scanned on {day}. Scans are shown for {days} days.',
          { ...values, day: dayOf(last), days: KEPT_DAYS },
        ),
  );
}

/** Returns a kingdom's page over as many days as the user may see; cached for a minute. */
export async function showKingdom(
  db: Db,
  env: Env,
  edge: Edge,
  { viewer, game, id, days }: { viewer: Viewer; game: GameId; id: number; days: number },
) {
  const open = openDays(db, viewer, game, { kingdom: id });
  open.catch(() => undefined);
  const found = await edgeKept(edge, `kingdoms/${game}/${id}/${days}`, EDGE_SECONDS, () =>
    pageOf(db, env, game, id, days),
  );
  if (!found) throw notShown(game, id, await lastScanOf(db, game, id));
  return { ...found, days_open: allowed(await open, days, game, id) };
}

/** Returns an alliance of a kingdom; cached for a minute. */
export async function showAlliance(
  db: Db,
  env: Env,
  edge: Edge,
  { game, kingdom, tag }: { game: GameId; kingdom: number; tag: string },
) {
  const name = `alliance-pages/${game}/${kingdom}/${encodeURIComponent(tag)}`;
  const found = await edgeKept(edge, name, EDGE_SECONDS, () =>
    alliancePage(db, env.STORE, { game, kingdom_id: kingdom }, tag),
  );
  if (!found)
    throw new Refusal(
      'not_found',
      sentence(
        'Nobody of [{tag}] is in {game, select, cod {server {id}} other {kingdom {id}}}, as far as scans show.',
        { tag, game, id: String(kingdom) },
      ),
    );
  return found;
}

/** Returns how many days of a kingdom's charts a user may see. */
export async function openDays(db: Db, viewer: Viewer, game: GameId, asked: AskedKingdom): Promise<number> {
  const [{ role }, owned] = await Promise.all([viewer.user(), boughtHistory(db, viewer.userId, game, asked)]);
  return role === 'admin' || owned ? BOUGHT_DAYS : FREE_DAYS;
}

/** Returns the open days of a kingdom's charts. @throws Refusal unpaid if more are asked for. */
export function allowed(open: number, days: number, game: GameId, kingdom: number): number {
  if (days > FREE_DAYS && open === FREE_DAYS)
    throw new Refusal(
      'unpaid',
      sentence('{days} days open with the 90-day history of {game, select, cod {server {id}} other {kingdom {id}}}.', {
        days,
        game,
        id: String(kingdom),
      }),
    );
  return open;
}
