import type * as z from 'zod';
import type {
  BotsAct,
  botsAct,
  botWork,
  FleetAct,
  fleetState,
  newGroup,
  tokenRotation,
} from '../../../domain/fleet/admin-contract.ts';
import { GAME_IDS } from '../../../domain/games/games.ts';
import { OFFLINE } from '../../../domain/service/admin.ts';
import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { notFound, Refusal } from '../../errors.ts';
import { callOrder } from '../../gateways/order-objects.ts';
import { actOnList, botsNamed } from '../../models/fleet/bot-lists.ts';
import { workOfBot } from '../../models/fleet/bot-work.ts';
import { actOnBot, actOnGroup, type EndedLease, listGroups } from '../../models/fleet/groups.ts';
import { fleetNow } from '../../models/fleet/state.ts';
import { addGroup, type Operator, rotateGroup } from '../../models/service/operator.ts';
import { type Caller, proveFactor } from '../accounts/prove-person.ts';

/** What admins see of the fleet and do to it. */

/** Returns the state of the fleet and its queues. */
export async function showFleet(db: Db, now = Date.now()): Promise<z.infer<typeof fleetState>> {
  const { games, reasons } = await fleetNow(db, GAME_IDS, now);
  return {
    games: games.map(({ customers, events, minute, ten_minutes, hour, longer, oldest_due, ...state }) => {
      const waiting = customers + events;
      const pace = state.done_last_hour / 3600;
      return {
        ...state,
        lanes: { customers, events },
        ages: { minute, ten_minutes, hour, longer },
        oldest_seconds: oldest_due === null ? null : Math.max(0, Math.round((now - oldest_due) / 1000)),
        seconds_to_empty: waiting === 0 ? 0 : pace === 0 ? null : Math.round(waiting / pace),
      };
    }),
    reasons,
  };
}

/** Returns what the bots of a name did lately, one entry per group. @throws Refusal not_found. */
export async function showBotWork(db: Db, botId: string, now = Date.now()): Promise<z.infer<typeof botWork>> {
  const bots = await botsNamed(db, botId);
  if (bots.length === 0) throw notFound('bot');
  return Promise.all(
    bots.map(async ({ group_id, bot_id }) => {
      const { tasks, ...work } = await workOfBot(db, `${group_id}/${bot_id}`, now);
      return {
        group_id,
        ...work,
        tasks: tasks.map((task) => ({ ...task, done: task.reason === null })),
      };
    }),
  );
}

const entryOf = ({ id, address }: Admin, action: string, subject: string, reason: string) => ({
  ...{ userId: null, action, subject, address },
  actor: `admin:${id}`,
  detail: { reason },
});

interface Admin {
  id: string;
  address: string;
}

const DONE: Record<FleetAct, string> = { pause: 'paused', resume: 'resumed', retire: 'retired' };

/** Tells the orders' objects about ended leases, whose signatures are still valid. Rows that arrive under them are lost. */
const endLeases = (env: Env, leases: readonly EndedLease[]): Promise<unknown> =>
  Promise.all(
    [...Map.groupBy(leases, ({ order_id }) => order_id)].map(([orderId, ended]) =>
      callOrder(env, orderId, async (object) => {
        for (const { id, lease } of ended) await object.giveBack(id, lease);
      }),
    ),
  );

/** Pauses, resumes or retires a bot. @throws Refusal not_found, or conflict if it is so already. */
export async function runBot(
  db: Db,
  env: Env,
  admin: Admin,
  { bot_id, group_id, act, reason }: { bot_id: string; group_id: string; act: FleetAct; reason: string },
): Promise<string> {
  const entry = entryOf(admin, `bot.${DONE[act]}`, `${group_id}/${bot_id}`, reason);
  const ended = await actOnBot(db, { group_id, bot_id, act }, entry);
  if (!ended) {
    const known = (await botsNamed(db, bot_id)).some((bot) => bot.group_id === group_id);
    throw known
      ? new Refusal('conflict', 'The bot changed meanwhile or does not allow this: look at it again.')
      : notFound('bot');
  }
  await endLeases(env, ended);
  return `Bot ${bot_id} was ${DONE[act]}.`;
}

/** Pauses or resumes all bots of a list. Returns how many. @throws Refusal conflict if none of them can be. */
export async function runBots(
  db: Db,
  admin: Admin,
  { act, group, reason }: z.output<typeof botsAct> & { act: BotsAct },
): Promise<number> {
  const entry = entryOf(admin, `bots.${DONE[act]}`, group, reason);
  const changed = await actOnList(db, act, group === OFFLINE ? null : group, entry);
  if (changed === 0)
    throw new Refusal('conflict', 'The bot changed meanwhile or does not allow this: look at it again.');
  return changed;
}

/** The same for a group. */
export async function runGroup(
  db: Db,
  env: Env,
  admin: Admin,
  { group_id, act, reason }: { group_id: string; act: FleetAct; reason: string },
  now = Date.now(),
): Promise<string> {
  const entry = entryOf(admin, `group.${act === 'retire' ? 'revoked' : DONE[act]}`, group_id, reason);
  const ended = await actOnGroup(db, { group_id, act }, entry);
  if (!ended) {
    const known = (await listGroups(db, now)).some((group) => group.group_id === group_id);
    throw known
      ? new Refusal('conflict', 'The group changed meanwhile or does not allow this: look at it again.')
      : notFound('group');
  }
  await endLeases(env, ended);
  return `The group was ${DONE[act]}.`;
}

const operatorOf = ({ user, address }: Caller, reason: string): Operator => ({
  name: user.username,
  admin: { id: user.id, address, reason },
});

/** Creates a group. Returns its token, which is not stored. @throws Refusal conflict if the id is taken. */
export async function makeGroup(
  db: Db,
  admin: Caller,
  { group_id, name, reason }: z.output<typeof newGroup>,
): Promise<{ group_id: string; token: string }> {
  const token = await addGroup(db, operatorOf(admin, reason), { id: group_id, name });
  if (!token) throw new Refusal('conflict', 'group_id: exists already.');
  return { group_id, token };
}

/** Replaces a group's token. @throws Refusal not_found, or forbidden for a wrong code. */
export async function replaceToken(
  db: Db,
  env: Env,
  admin: Caller,
  { group_id, reason, code }: z.output<typeof tokenRotation> & { group_id: string },
): Promise<{ group_id: string; token: string }> {
  await proveFactor(db, env, admin.user, code);
  const token = await rotateGroup(db, operatorOf(admin, reason), group_id);
  if (!token) throw notFound('group');
  return { group_id, token };
}
