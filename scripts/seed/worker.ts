import { FIRST_LICENCE_VERSION } from '../../domain/accounts/eula.ts';
import { DAY_MS, dayOf, HOUR_MS } from '../../domain/days.ts';
import { GAME_IDS, type GameId } from '../../domain/games/games.ts';
import { tableOf } from '../../domain/scans/rows.ts';
import { simulatedWorld, type World } from '../../fleet/sources/world.ts';
import { type Databases, openDb } from '../../worker/db/open.ts';
import type { Env } from '../../worker/env.ts';
import { changeManifest } from '../../worker/gateways/board-store.ts';
import { createUser, type NewUser, userByName } from '../../worker/models/accounts/accounts.ts';
import { createGroup } from '../../worker/models/fleet/bots.ts';
import { post } from '../../worker/models/money/ledger.ts';
import { publishDueBoards } from '../../worker/services/boards/publish-boards.ts';
import { digestKingdoms } from '../../worker/services/scans/digest-kingdoms.ts';
import { publishSnapshot } from '../../worker/services/scans/publish-snapshot.ts';
import { ADMIN, BOARD_DAYS, DEMO, GOVERNORS, HISTORY, type SeedStep } from './plan.ts';
import { seedWars, shownWars } from './wars.ts';

type Bindings = Databases & Pick<Env, 'STORE'>;

async function ensureUser(env: Bindings, user: NewUser): Promise<string> {
  const db = openDb(env);
  const known = await userByName(db, user.username);
  return known?.id ?? createUser(db, { ...user, eula_version: FIRST_LICENCE_VERSION, verified_at: Date.now() });
}

async function seedAccounts(env: Bindings, token: string): Promise<void> {
  const db = openDb(env);
  const demo = await ensureUser(env, { ...DEMO, full_name: 'Demo' });
  await ensureUser(env, { ...ADMIN, full_name: 'Admin', role: 'admin' });
  await post(db, { userId: demo, amount: 100_00, kind: 'top_up', reference: 'seed:demo' });
  await createGroup(db, 'reference', 'Reference agent', token);
}

/** Publishes a scan of a kingdom in the simulated world like an order's scan. */
async function publishScan(env: Bindings, world: World, game: GameId, kingdom_id: number, day: number): Promise<void> {
  // Each kingdom has its own minute of the morning, like a nightly round of scans.
  const captured_at = day + 5 * HOUR_MS + (kingdom_id % 60) * 60_000;
  const table = tableOf(game, world.rows(game, kingdom_id, captured_at, GOVERNORS));
  await publishSnapshot(openDb(env), env.STORE, table, {
    kingdom_id,
    captured_at,
    source: world.name,
    id: 'seed',
    item_id: null,
    version: 1,
  });
}

const world = simulatedWorld();

/** Returns the kingdoms to scan on a day: some daily, those at war in turns. */
function kingdomsOn(game: GameId, day: number): number[] {
  const daily = world.kingdoms(game).slice(0, HISTORY.daily[game]);
  const atWar = shownWars(world, game, Date.now()).flatMap(({ camps }) => camps.flatMap(({ kingdoms }) => kingdoms));
  const due = atWar.filter((kingdom) => (day / DAY_MS + kingdom) % HISTORY.turn === 0);
  return [...new Set([...daily, ...due])];
}

async function seedDay(env: Bindings, day: number): Promise<void> {
  const scans = GAME_IDS.flatMap((game) =>
    kingdomsOn(game, day).map((kingdom) => publishScan(env, world, game, kingdom, day)),
  );
  await Promise.all(scans);
}

/** Does the crons' work at once, so that the first visitor need not wait for them. */
async function followSeed(env: Bindings, now: number): Promise<void> {
  const db = openDb(env);
  while ((await digestKingdoms(db, env.STORE)) > 0);
  await changeManifest(env.STORE, (manifest) => {
    for (const game of GAME_IDS) manifest[game].since ??= dayOf(now - BOARD_DAYS * DAY_MS);
  });
  await publishDueBoards(db, env.STORE, now);
}

async function run(step: SeedStep, env: Bindings): Promise<void> {
  if ('token' in step) await seedAccounts(env, step.token);
  else if ('day' in step) await seedDay(env, step.day);
  else if ('war' in step) await seedWars(env, world, step.war);
  else await followSeed(env, step.now);
}

/**
 * Runs one step of the seed inside workerd, because D1 calls from Node take ten milliseconds more. Each step checks
 * what exists, so an interrupted one can be repeated.
 */
export default {
  async fetch(request: Request, env: Bindings): Promise<Response> {
    const step = (await request.json()) as SeedStep;
    await run(step, env);
    return new Response('done');
  },
};
