import { DAY_MS, HOUR_MS } from '../../domain/days.ts';
import { eventPayload } from '../../domain/events/contract.ts';
import { GAME_IDS, GAMES, type GameId } from '../../domain/games/games.ts';
import { tableOf } from '../../domain/scans/rows.ts';
import type { War } from '../../fleet/sources/world/wars.ts';
import type { World } from '../../fleet/sources/world.ts';
import { type Databases, type Db, openDb } from '../../worker/db/open.ts';
import type { Env } from '../../worker/env.ts';
import { snapshotKey } from '../../worker/gateways/snapshot-store.ts';
import { eventHead, putEventSnapshot } from '../../worker/models/events/event-snapshots.ts';
import { createEvent, listEvents } from '../../worker/models/events/events.ts';
import { publishSnapshot } from '../../worker/services/scans/publish-snapshot.ts';
import { GOVERNORS, WARS } from './plan.ts';

/** Returns a game's running war closest to its middle, and the one that ended last. */
export function shownWars(world: World, game: GameId, now: number): War[] {
  const wars = world.wars(game, now);
  const middle = ({ start, end }: War) => Math.abs((start + end) / 2 - now);
  const [running] = wars.filter(({ end }) => end > now).sort((a, b) => middle(a) - middle(b));
  const [ended] = wars.filter(({ end }) => end <= now).sort((a, b) => b.end - a.end);
  return [running, ended].filter((war) => war !== undefined);
}

/** Returns the event of a war. Bots gather running ones from now on. */
const planOf = (game: GameId, { number, group, camps, start, end }: War) => {
  const { tiers, deads } = GAMES[game].roles;
  const at = (share: number) => Math.round(start + share * (end - start));
  return eventPayload.parse({
    game,
    kvk_id: `${game.toUpperCase()}-${number}-${group + 1}`,
    name:
      game === 'rok' ? `Lost Kingdom ${number}, group ${group + 1}` : `War of the Realms ${number}, group ${group + 1}`,
    camps: camps.map(({ name, kingdoms }) => ({ name, kingdoms: kingdoms.map(String) })),
    refresh_rate: WARS.refresh_rate,
    depth: GOVERNORS,
    start,
    end,
    dates: { 'Pass 4': at(0.2), 'Pass 5': at(0.4), Altar: at(0.6), Kingsland: at(0.8) },
    weights: { [tiers[3]]: 10, [tiers[4]]: 20, [deads]: 30 },
    goals: [
      { min_power: 0, dkp: 2e7 },
      { min_power: 60e6, dkp: 6e7 },
      { min_power: 100e6, dkp: 15e7 },
    ],
    sponsored_text: 'A war of the simulated world',
    season: String(number),
  });
};

type Plan = ReturnType<typeof planOf>;

/**
 * Returns the times of a war's snapshots. A finished war has some shares of its duration. A running one has a fixed
 * grid, which a later start extends, plus the last full hour, so that it is not late.
 */
function momentsOf({ start, end }: War, now: number): number[] {
  if (end <= now) return WARS.shares.map((share) => Math.round(start + share * (end - start)));
  const newest = Math.max(start, Math.floor(now / HOUR_MS) * HOUR_MS);
  const moments = new Set<number>();
  for (let at = start; at <= newest; at += WARS.days * DAY_MS) moments.add(at);
  return [...moments.add(newest)];
}

/** Creates the events of the simulated world's wars and their missing snapshots. */
export async function seedWars(env: Databases & Pick<Env, 'STORE'>, world: World, now: number): Promise<void> {
  const db = openDb(env);
  const known = new Map((await listEvents(db)).map(({ id, plan }) => [`${plan.game} ${plan.kvk_id}`, id]));
  for (const game of GAME_IDS)
    for (const war of shownWars(world, game, now)) {
      const plan = planOf(game, war);
      const id =
        known.get(`${game} ${plan.kvk_id}`) ??
        (await createEvent(db, plan, { id: 'seed', address: '' }, now, Math.min(now, war.end)));
      const there = new Set((await eventHead(db, id))?.snapshots.map(({ ts }) => ts));
      for (const ts of momentsOf(war, now))
        if (!there.has(ts)) await seedSnapshot(db, env.STORE, world, { event: id, plan, ts });
    }
}

async function seedSnapshot(
  db: Db,
  store: Env['STORE'],
  world: World,
  { event, plan, ts }: { event: number; plan: Plan; ts: number },
): Promise<void> {
  const { game } = plan;
  const kingdoms = plan.camps.flatMap((camp) => camp.kingdoms.map(Number));
  const parts = await Promise.all(
    kingdoms.map(async (kingdom_id) => {
      const id = `war-${event}-${ts}`;
      const capture = { kingdom_id, captured_at: ts, source: world.name, id, item_id: null, version: 1 };
      await publishSnapshot(db, store, tableOf(game, world.rows(game, kingdom_id, ts, GOVERNORS)), capture);
      return { kingdom_id, key: snapshotKey({ game, ...capture }) };
    }),
  );
  await putEventSnapshot(db, event, { ts, source: 'bots', kingdoms, parts });
}
