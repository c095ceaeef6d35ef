import type { EventPayload } from '../../../domain/events/contract.ts';
import { type EventState, MARK_ACTS, type MarkAct, stateOf } from '../../../domain/events/event.ts';
import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { notFound, Refusal } from '../../errors.ts';
import { dropEventSnapshot } from '../../models/events/event-snapshots.ts';
import { type Admin, type Event, editEvent, markEvent } from '../../models/events/events.ts';
import { forgetEvent } from './find-event.ts';

const CHANGED_MEANWHILE = 'Somebody changed this event at the same time. Please look at it again.';

const ACT_REFUSED: Readonly<Record<MarkAct, string>> = {
  publish: 'This event is published already.',
  close: 'Only an open event can be closed.',
  reopen: 'Only a closed or archived event can be opened again.',
  archive: 'This event is archived already.',
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

/** Gives an event another plan, of the same game. */
export async function changePlan(db: Db, env: Env, event: Event, plan: EventPayload, admin: Admin): Promise<void> {
  if (event.plan.game !== plan.game) throw new Refusal('invalid', 'game: cannot be changed; make another event.');
  if (!(await editEvent(db, event, plan, admin))) throw new Refusal('conflict', CHANGED_MEANWHILE);
  await forgetEvent(env, event.id);
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
