import { env } from 'cloudflare:workers';
import { GAMES, type GameId } from '../../domain/games/games.ts';
import { knownSince, stateIn } from '../../domain/history/present.ts';
import { type Row, tableOf } from '../../domain/scans/rows.ts';
import { storedHistory } from '../../worker/gateways/history-store.ts';
import { daysIn, kingdomHistory, type ScannedGovernorDay } from '../../worker/models/kingdoms/histories.ts';
import { publishSnapshot } from '../../worker/services/scans/publish-snapshot.ts';
import { db } from './client.ts';

let scans = 0;

/** Publishes a scan with these rows, as an order's would be. Fills in kingdom and highest power if missing. */
export async function publishRows(
  game: GameId,
  kingdom_id: number,
  captured_at: number,
  rows: Row[],
  source = 'made up',
): Promise<void> {
  const home = game === 'rok' ? 'home_kingdom' : 'home_server';
  const whole = rows.map((row) => ({ [home]: kingdom_id, highest_power: row.power ?? null, ...row }));
  await publishSnapshot(db, env.STORE, tableOf(game, whole), {
    kingdom_id,
    captured_at,
    source,
    id: `scan-${++scans}`,
    item_id: null,
    version: 1,
  });
}

/** A governor with the kill points that match their kills, as real ones have. */
export const governor = (id: number, power: number, more: Row = {}): Row => ({
  governor_id: id,
  name: `Governor ${id}`,
  alliance_tag: `A${id % 3}`,
  power,
  killpoints: 20 * (id % 1000),
  killcount_t1: 0,
  killcount_t2: 0,
  killcount_t3: 0,
  killcount_t4: 0,
  killcount_t5: id % 1000,
  deads: id,
  town_center: 25,
  ...more,
});

/** Columns that a governor's row lacks if bots read only the ranking list. */
export const UNREAD: Row = Object.fromEntries(
  GAMES.rok.columns.flatMap(({ key, profile }) => (profile ? [[key, null]] : [])),
);

/** Returns the governors known in a kingdom, with what its history says of them. */
export async function governorsOf(game: GameId, kingdom_id: number) {
  const kingdom = await kingdomHistory(db, env.STORE, { game, kingdom_id });
  return knownSince(kingdom, 0).map((known) => {
    const { name, alliance_tag, figures } = stateIn(kingdom, known);
    return { governor_id: known.id, kingdom_id, name, alliance_tag, power: known.power, score: figures.score };
  });
}

/** Returns the days in a kingdom's history, by governor, then oldest first. */
export async function daysOfKingdom(
  game: GameId,
  kingdom_id: number,
): Promise<(ScannedGovernorDay & { governor_id: number })[]> {
  const history = await storedHistory(env.STORE, { game, kingdom_id });
  if (!history) return [];
  const ids = [...history.lines.keys()].sort((a, b) => a - b);
  return ids.flatMap((governor_id) =>
    daysIn(history, governor_id, '1970-01-01').map((day) => ({ governor_id, ...day })),
  );
}
