import { GAMES, type GameId } from '../../../domain/games/games.ts';
import { sentence } from '../../../domain/language/text.ts';
import { type Changes, changesOf, type Reading } from '../../../domain/scans/profile.ts';
import { cellOf, type Row } from '../../../domain/scans/rows.ts';
import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { Refusal } from '../../errors.ts';
import { type Edge, edgeKept } from '../../gateways/edge-cache.ts';
import { openIfStored } from '../../gateways/snapshot-store.ts';
import type { Viewer } from '../../models/accounts/user.ts';
import { type GovernorPage, governorPage } from '../../models/kingdoms/governors.ts';
import { allowed, openDays } from './show-kingdom.ts';

const EDGE_SECONDS = 60;

const pointsOf = (points: GovernorPage['points']): Record<string, number | null> =>
  Object.fromEntries((points ?? []).map((value, tier) => [`killpoints_t${tier + 1}`, value]));

const figureOf = (row: Row, key: string): number | null => (row[key] as number | null | undefined) ?? null;

/**
 * Returns the specification's profile: all columns of the newest row, and the specification's names for some of them.
 */
function profileOf({ governor, row, points }: GovernorPage) {
  return {
    ...row,
    ...pointsOf(points),
    governor_id: governor.governor_id,
    name: governor.name,
    home_kingdom: governor.kingdom_id,
    alliance: governor.alliance_tag,
    power: governor.power,
    deads: figureOf(row, GAMES[governor.game].roles.deads),
    town_center: figureOf(row, GAMES[governor.game].roles.hall),
  };
}

/** The part of the page that is the same for all users who may see this many days. */
async function pageOf(db: Db, env: Env, game: GameId, id: number, days: number) {
  const page = await governorPage(db, env.STORE, game, id, days);
  if (!page) return null;
  return {
    game,
    free: profileOf(page),
    captured_at: page.governor.captured_at,
    last_read: page.last_read && {
      captured_at: page.last_read.captured_at,
      profile: { ...page.last_read.row, ...pointsOf(page.last_read.points) },
    },
    quality: page.quality,
    days: page.days,
    file_days: page.file_days,
    history: page.history,
    near: page.near,
    subscription: { changes: await governorChanges(env.STORE, page) },
  };
}

/** Returns a governor's page over as many days as the user may see; cached for a minute. */
export async function showGovernor(
  db: Db,
  env: Env,
  edge: Edge,
  { viewer, game, id, days }: { viewer: Viewer; game: GameId; id: number; days: number },
) {
  const open = openDays(db, viewer, game, { governor: id });
  open.catch(() => undefined);
  const found = await edgeKept(edge, `governors/${game}/${id}/${days}`, EDGE_SECONDS, () =>
    pageOf(db, env, game, id, days),
  );
  if (!found)
    throw new Refusal('not_found', sentence('Nobody with the id {id} was ever seen in a scan.', { id: String(id) }));
  return { ...found, days_open: allowed(await open, days, game, found.free.home_kingdom) };
}

/**
 * Returns a governor's changes in any column in the seven days up to the newest scan, newest first. Reads the scans
 * themselves, so that profile figures are not stored twice.
 */
export async function governorChanges(store: R2Bucket, page: GovernorPage): Promise<Changes[]> {
  const { governor, scans } = page;
  const readings = await Promise.all(
    scans.map(({ key, captured_at }) => readingOf(store, key, governor.governor_id, captured_at)),
  );
  return changesOf(
    governor.game,
    readings.filter((reading) => reading !== null),
  );
}

async function readingOf(store: R2Bucket, key: string, id: number, time: number): Promise<Reading | null> {
  const snapshot = await openIfStored(store, key);
  if (!snapshot) return null;
  const { roles, columns } = GAMES[snapshot.meta.game];
  for await (const table of snapshot.groups()) {
    const index = table.numbers[roles.id]?.indexOf(id) ?? -1;
    if (index < 0) continue;
    const row: Row = {};
    for (const column of columns) row[column.key] = cellOf(table, column, index);
    return { time, row };
  }
  return null;
}
