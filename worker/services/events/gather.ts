import type { EventMark } from '../../../domain/events/event.ts';
import { GAMES } from '../../../domain/games/games.ts';
import { message } from '../../../domain/language/text.ts';
import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { Refusal } from '../../errors.ts';
import { callOrder } from '../../gateways/order-objects.ts';
import { type Admin, type Event, eventAudit } from '../../models/events/events.ts';
import {
  beginGathering,
  dueEvents,
  EVENTS_ACCOUNT,
  endGathering,
  failGathering,
  type Gathering,
  openGatherings,
} from '../../models/events/gatherings.ts';
import { cancelItems } from '../../models/orders/cancellations.ts';
import { oneByOne } from '../service/one-by-one.ts';
import { forgetEvent } from './find-event.ts';

type Bindings = Pick<Env, 'ORDER_PROGRESS' | 'DASHBOARD_CACHE' | 'LOCATION'>;

/**
 * Ends gatherings that are complete or out of time, then begins those due. One event's failure stops no other event.
 */
export async function gatherEvents(env: Env, db: Db, now: number): Promise<void> {
  const open = (await openGatherings(db)).filter((gathering) => isOver(gathering, now));
  const settling = { job: 'event snapshots', rows: open, subjectOf: ({ event }: Gathering) => String(event.id) };
  await oneByOne(db, settling, (gathering) => settleGathering(env, db, gathering, now), now);
  const due = { job: 'event scans', rows: await dueEvents(db, now), subjectOf: ({ id }: { id: number }) => String(id) };
  await oneByOne(db, due, (event) => beginGathering(db, event, event.next_refresh ?? now, now), now);
}

const isOver = ({ items, deadline }: Gathering, now: number): boolean =>
  now >= deadline || items.every(({ ended }) => ended);

/**
 * Makes the event's snapshot from the kingdoms that were scanned. Cancels the other scans, so that work does not pile
 * up for a struggling fleet, and uses earlier scans of those kingdoms. If none was scanned, it only stores the reason.
 */
async function settleGathering(env: Bindings, db: Db, gathering: Gathering, now: number): Promise<void> {
  const { event, items, order_id } = gathering;
  const parts = items.flatMap(({ kingdom_id, key, captured_at }) =>
    key !== null && captured_at !== null ? [{ kingdom_id, key, captured_at }] : [],
  );
  const missing = items.filter(({ key }) => key === null);
  if (items.some(({ ended }) => !ended)) await giveUp(env, db, order_id, now);
  if (parts.length === 0) await failGathering(db, gathering, reasonOf(gathering), now);
  else {
    const ts = Math.max(...parts.map(({ captured_at }) => captured_at));
    const { kingdom } = GAMES[event.plan.game];
    const names = missing.map(({ kingdom_id }) => kingdom_id).join(', ');
    const msg = missing.length > 0 ? `Not scanned: ${missing.length === 1 ? kingdom.one : kingdom.many} ${names}.` : '';
    await endGathering(db, gathering, { ts, parts, msg }, now);
  }
  await forgetEvent(env, event.id);
}

/** Cancels the scans that bots have not begun. */
async function giveUp(env: Bindings, db: Db, orderId: number, now: number): Promise<void> {
  const cancelled = await cancelItems(db, { orderId, userId: EVENTS_ACCOUNT, itemId: null }, now);
  if (cancelled) await callOrder(env, orderId, (object) => object.cancel(cancelled.items));
}

function reasonOf({ event, items }: Gathering): string {
  const { kingdom } = GAMES[event.plan.game];
  const said = items.find(({ error }) => error)?.error;
  return `None of the ${items.length} ${kingdom.many} could be scanned${said ? `: ${said}` : '.'}`;
}

const OVER = message('This event is over: nothing is scanned for it any more.');
const SCAN_REFUSED: Readonly<Record<EventMark, string | null>> = {
  draft: message('This event is a draft: publish it to scan its kingdoms.'),
  open: null,
  closed: message('This event is closed: reopen it to gather again.'),
  archived: message('This event is archived: reopen it to gather again.'),
};

/** Starts a gathering now. Refuses if one is in progress, or the event is a draft or over. */
export async function refreshNow(db: Db, event: Event, admin: Admin, now = Date.now()): Promise<{ due_at: number }> {
  const refused = now >= event.plan.end ? OVER : SCAN_REFUSED[event.mark];
  if (refused) throw new Refusal('conflict', refused);
  if (!(await beginGathering(db, event, now, now)))
    throw new Refusal('conflict', 'A gathering of this event is under way already.');
  await eventAudit(db, admin, { action: 'refresh_ordered', id: event.id }, now).run();
  return { due_at: now };
}
