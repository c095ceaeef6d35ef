import { createHash } from 'node:crypto';
import type * as z from 'zod';
import { sentence } from '../../../domain/language/text.ts';
import { type Cents, centsOf, dollars } from '../../../domain/money/money.ts';
import { teamUnpaidSentence, unpaidSentence } from '../../../domain/money/payment.ts';
import type { placed } from '../../../domain/orders/answers.ts';
import type { OrderEntry, orderCreate } from '../../../domain/orders/contract.ts';
import { type KeptEntry, type PricedEntry, priceEntry, tooMuch } from '../../../domain/orders/entry.ts';
import type { Sale } from '../../../domain/orders/sale.ts';
import { MAX_SCHEDULES, MAX_SCHEDULES_BYTES, type Recurrence, recurrenceOf } from '../../../domain/orders/schedule.ts';
import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { notFound, Refusal } from '../../errors.ts';
import { callOrder } from '../../gateways/order-objects.ts';
import { placedBefore, writeOrder } from '../../models/orders/placing.ts';
import { readSale } from '../../models/orders/sale.ts';
import { runAtOnce } from '../../models/orders/schedule-runs.ts';
import { createSchedule, orderAtOnce, type Schedule, scheduleUnderKey } from '../../models/orders/schedules.ts';
import { type TeamHead, teamOf } from '../../models/teams/teams.ts';
import { speakerFor } from '../service/speak.ts';

/** A request to order and its user. */
interface AskedOrder {
  userId: string;
  balance: Cents;
  /** What is for sale, if it was read while the user was looked up. */
  sale: Promise<Sale> | undefined;
  body: z.output<typeof orderCreate>;
  /** The caller's idempotency key; a repeat returns the first order. */
  key: string | undefined;
}

type Placed = z.output<typeof placed>;

/** Checks and prices the entries. Refuses with the field at fault. */
function priced(orders: readonly OrderEntry[], sale: Sale, now: number): PricedEntry[] {
  const entries = orders.map((entry, index) => {
    const result = priceEntry(entry, sale, now);
    if ('flaw' in result) {
      const { at, ...flaw } = result.flaw;
      throw new Refusal('invalid', { ...flaw, at: [`orders[${index}]`, at].filter(Boolean).join(': ') });
    }
    if (centsOf(entry.price) !== result.price)
      throw new Refusal(
        'invalid',
        sentence(
          'this costs {price} USD, not {given}. Please review your order.',
          { price: { cents: result.price }, given: String(entry.price) },
          `orders[${index}].price`,
        ),
      );
    return result;
  });
  const flaw = tooMuch(entries);
  if (flaw) throw new Refusal('invalid', { ...flaw, at: 'orders' });
  return entries;
}

const keyReused = () => new Refusal('conflict', 'Idempotency-Key: was used for another order. Use a new one.');

/** A checked and priced order. */
interface Order {
  userId: string;
  /** The team that pays, as its member sees it; null if the user does. */
  team: TeamHead | null;
  balance: Cents;
  entries: readonly PricedEntry[];
  idempotencyKey: string | null;
  requestHash: string;
}

/** Returns the refusal of an order that its team does not pay. */
function unpaidByTeam(team: TeamHead, why: 'not_leader' | 'over_limit'): Refusal {
  if (why === 'not_leader')
    return new Refusal(
      'forbidden',
      sentence('only leaders of {name} can order from its balance.', { name: team.name }, 'team_id'),
    );
  const { monthly_limit_cents: limit, spent_cents: spent } = team;
  return new Refusal(
    'unpaid',
    sentence(
      'leaders of {name} can spend {limit} USD a month, and {left} USD of it is left. Its owner can raise the limit.',
      { name: team.name, limit: { cents: limit }, left: { cents: Math.max(0, limit - spent) } },
      'team_id',
    ),
  );
}

async function placeAtOnce(db: Db, { team, ...order }: Order, now: number): Promise<Placed> {
  const teamId = team?.team_id;
  const outcome = await writeOrder(db, { ...order, teamId }, now);
  if (outcome.outcome === 'placed') return placedOf(outcome.order);
  if (outcome.outcome === 'key_reused') throw keyReused();
  if (outcome.outcome === 'unpaid')
    throw new Refusal('unpaid', team ? teamUnpaidSentence(team.name, outcome) : unpaidSentence(outcome));
  const latest = teamId === undefined ? null : await teamOf(db, order.userId, teamId, now);
  throw latest ? unpaidByTeam(latest, outcome.why) : notFound('team');
}

const placedOf = ({ total, ...ids }: { order_id: number; order_uuid: string; total: Cents }): Placed => ({
  schedule_id: null,
  ...ids,
  total: dollars(total),
});

async function placeSchedule(
  db: Db,
  env: Env,
  { order, recurrence, sale }: { order: Order; recurrence: Recurrence; sale: Sale },
  now: number,
): Promise<Placed> {
  const { entries, balance: _, team: __, ...rest } = order;
  const made = await createSchedule(db, { ...rest, entries: entries.map(({ entry }) => entry), recurrence }, now);
  if (made.outcome === 'key_reused') throw keyReused();
  if (made.outcome === 'too_many')
    throw new Refusal(
      'invalid',
      sentence(
        'an account can have {count} schedules, of {size} MB in all; end one first.',
        { count: MAX_SCHEDULES, size: MAX_SCHEDULES_BYTES / 1_000_000 },
        'scheduleInfo',
      ),
    );
  await runAtOnce(db, speakerFor(env), made.schedule, sale, now);
  return scheduledAs(db, made.schedule);
}

/** Returns the answer to the call that created a schedule. */
async function scheduledAs(db: Db, schedule: Schedule): Promise<Placed> {
  const order = (await orderAtOnce(db, schedule)) ?? { order_id: null, order_uuid: null };
  const prices = (JSON.parse(schedule.entries) as KeptEntry[]).map(({ price }) => centsOf(price) ?? 0);
  return { schedule_id: schedule.id, ...order, total: dollars(prices.reduce((sum, price) => sum + price, 0)) };
}

/** Returns the first answer to a call that is repeated under its key, or null. */
async function answeredBefore(
  db: Db,
  asked: Pick<Order, 'userId' | 'idempotencyKey' | 'requestHash'>,
): Promise<Placed | null> {
  const { userId, idempotencyKey: key, requestHash } = asked;
  if (key === null) return null;
  const [placed, schedule] = await Promise.all([placedBefore(db, asked), scheduleUnderKey(db, userId, key)]);
  if (placed.outcome === 'placed') return placedOf(placed.order);
  return schedule?.request_hash === requestHash ? scheduledAs(db, schedule) : null;
}

/**
 * Places an order, or with `scheduleInfo` a schedule, which runs at once if it is due. Items that need no bots are
 * started `after` the response; if that crashes, the minute's sweep does it.
 * @throws Refusal invalid, unpaid, not_found or forbidden for the team, or conflict if the key was used before for
 * another order.
 */
export async function placeOrder(
  db: Db,
  env: Env,
  after: (work: Promise<unknown>) => void,
  { userId, balance, sale: ahead, body, key }: AskedOrder,
  now = Date.now(),
): Promise<Placed> {
  const [sale, team] = await Promise.all([
    ahead ?? readSale(db, env),
    body.team_id ? teamOf(db, userId, body.team_id, now) : null,
  ]);
  const asked = {
    userId,
    // Prefixed, to differ from the keys of schedule runs.
    idempotencyKey: key === undefined ? null : `client:${key}`,
    requestHash: createHash('sha256').update(JSON.stringify(body)).digest('hex'),
  };
  let recurrence: Recurrence | null;
  let order: Order;
  try {
    if (body.team_id && !team) throw notFound('team');
    recurrence = recurrenceOf(body.scheduleInfo, now);
    if (team && recurrence)
      throw new Refusal(
        'invalid',
        'team_id: schedules are paid from your own balance. Order now, or leave out the team.',
      );
    const entries = priced(body.orders, sale, now);
    order = { ...asked, team, balance: team ? team.balance_cents : balance, entries };
  } catch (refusal) {
    // A repeat gets the first answer, though the sale has changed since.
    const before = await answeredBefore(db, asked);
    if (before) return before;
    throw refusal;
  }
  const answer = await (recurrence
    ? placeSchedule(db, env, { order, recurrence, sale }, now)
    : placeAtOnce(db, order, now));
  if (answer.order_id !== null && order.entries.some(({ product }) => product.kind === 'history'))
    after(callOrder(env, answer.order_id, (object) => object.begin()));
  return answer;
}
