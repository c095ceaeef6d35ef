import { createHash } from 'node:crypto';
import type { EventPayload } from '../../../domain/events/contract.ts';
import { type EventPlan, type EventState, MARK_ACTS, type MarkAct, stateOf } from '../../../domain/events/event.ts';
import { message } from '../../../domain/language/text.ts';
import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { notFound, Refusal } from '../../errors.ts';
import { dropEventSnapshot } from '../../models/events/event-snapshots.ts';
import { type Admin, type Event, editEvent, markEvent } from '../../models/events/events.ts';
import { findEvent, forgetEvent } from './find-event.ts';

const CHANGED_MEANWHILE = message('Somebody changed this event at the same time. Please look at it again.');

const ACT_REFUSED: Readonly<Record<MarkAct, string>> = {
  publish: message('This event is published already.'),
  close: message('Only an open event can be closed.'),
  reopen: message('Only a closed or archived event can be opened again.'),
  archive: message('This event is archived already.'),
};

/** Publishes, closes, reopens or archives an event; returns the state that it has now. */
export async function markAs(
  db: Db,
  env: Env,
  event: Event,
  act: MarkAct,
  admin: Admin,
): Promise<{ state: EventState }> {
  const now = Date.now();
  const { mark, from } = MARK_ACTS[act];
  if (!(await markEvent(db, event, act, admin, now)))
    throw new Refusal('conflict', from.some((each) => each === event.mark) ? CHANGED_MEANWHILE : ACT_REFUSED[act]);
  await forgetEvent(env, event.id);
  return { state: stateOf(event.plan, mark, now) };
}

/** Returns the name of a plan, which another plan does not have. */
export const versionOf = (plan: EventPlan): string =>
  createHash('sha256').update(JSON.stringify(plan)).digest('base64url').slice(0, 24);

const ATTEMPTS = 3;

/**
 * Gives an event another plan, of the same game. `seen` is the version that was edited; undefined replaces any.
 * @throws Refusal conflict if the event has another plan. A new scan is no other plan.
 */
export async function changePlan(
  db: Db,
  env: Env,
  id: number,
  plan: EventPayload,
  { admin, seen }: { admin: Admin; seen: string | undefined },
): Promise<void> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const event = await findEvent(db, id);
    if (event.plan.game !== plan.game) throw new Refusal('invalid', 'game: cannot be changed; make another event.');
    if (seen !== undefined && seen !== versionOf(event.plan)) {
      // A retry whose first answer was lost finds its own plan.
      if (versionOf(event.plan) === versionOf(plan)) return;
      throw new Refusal('conflict', CHANGED_MEANWHILE);
    }
    if (await editEvent(db, event, plan, admin)) return forgetEvent(env, id);
    if (seen === undefined) break;
  }
  throw new Refusal('conflict', CHANGED_MEANWHILE);
}

/** Takes a snapshot out of an event. */
export async function dropSnapshot(
  db: Db,
  env: Env,
  { dashboard_id, ts }: { dashboard_id: number; ts: number },
  admin: Admin,
): Promise<void> {
  if (!(await dropEventSnapshot(db, dashboard_id, ts, admin))) throw notFound('snapshot');
  await forgetEvent(env, dashboard_id);
}
