import type * as z from 'zod';
import { DAY_MS, HOUR_MS } from '../../../domain/days.ts';
import type { eventMeta } from '../../../domain/events/answers.ts';
import {
  kingdomKeys,
  LAST_GATHERING_LATE_MS,
  lateSince,
  nearest,
  publicUntil,
  type SnapshotState,
  snapshotAt,
  stateOf,
} from '../../../domain/events/event.ts';
import { FAILED, LATE } from '../../../domain/events/late.ts';
import { GAMES } from '../../../domain/games/games.ts';
import { sentence } from '../../../domain/language/text.ts';
import { Refusal } from '../../errors.ts';
import type { EventHead, EventSnapshot } from '../../models/events/event-snapshots.ts';
import type { SnapshotRange } from './write-data.ts';

export type EventMeta = z.infer<typeof eventMeta>;

/** Snapshots that the public may see at that moment. */
export const publicSnapshots = ({ event, snapshots }: EventHead, now: number): EventSnapshot[] => {
  const until = publicUntil(event.plan, now);
  return snapshots.filter(({ ts }) => ts <= until);
};

const stateOfSnapshot = (snapshot: EventSnapshot, live: boolean): SnapshotState =>
  snapshot.corrected_at === null ? (live ? 'live' : 'final') : 'corrected';

/** Snapshots as the calls answer them: the newest of an event that runs is live. */
export const snapshotAnswers = (snapshots: readonly EventSnapshot[], running: boolean): EventMeta['snapshots'] =>
  snapshots.map((snapshot, index) => ({
    ts: snapshot.ts,
    state: stateOfSnapshot(snapshot, running && index === snapshots.length - 1),
    rows: snapshot.rows,
    missing: snapshot.missing,
    by_file_time: snapshot.by_file_time,
    source: snapshot.source,
  }));

/**
 * Returns when the public can expect the next snapshot: one that is delayed, the one being gathered, or the next one.
 * Null if none will follow.
 */
function nextPublic({ event, snapshots, gathering }: EventHead, now: number): number | null {
  const { plan, next_refresh } = event;
  const delayed = snapshots.map(({ ts }) => ts).filter((ts) => ts > publicUntil(plan, now));
  const willBegin = now <= plan.end + LAST_GATHERING_LATE_MS;
  const coming = [...delayed, gathering, willBegin ? next_refresh : null].filter((ts) => ts !== null);
  return coming.length === 0 ? null : Math.min(...coming) + plan.publication_delay * HOUR_MS;
}

/** The specification's meta of an event, as the public sees it at that moment. */
export function metaOf(head: EventHead, now: number): EventMeta {
  const { event } = head;
  const { plan } = event;
  const next_refresh = nextPublic(head, now);
  const own = stateOf(plan, event.mark, now);
  // An event is over once its last snapshot is public: before, nobody has won.
  const state = own === 'ended' && next_refresh !== null ? 'running' : own;
  const snapshots = publicSnapshots(head, now);
  // The reason is internal: visitors read what it means for them.
  const failed = head.failed && { at: head.failed.at, msg: FAILED[plan.game] };
  const colours = new Map(GAMES[plan.game].camps.map(({ name, colour }) => [name, colour]));
  const perCamp = <Value>(of: (camp: (typeof plan.camps)[number]) => Value) =>
    Object.fromEntries(plan.camps.map((camp) => [camp.name, of(camp)]));
  return {
    dashboard_id: event.id,
    game: plan.game,
    kvk_id: plan.kvk_id,
    name: plan.name,
    state,
    season: plan.season,
    sponsored_text: plan.sponsored_text,
    refresh_rate: plan.refresh_rate,
    next_refresh,
    publication_delay: plan.publication_delay,
    start: plan.start,
    end: plan.end,
    dates: plan.dates,
    kingdoms: kingdomKeys(plan.camps),
    camps: plan.camps.map(({ name }) => name),
    camp_colours: perCamp(({ name }) => colours.get(name) ?? ''),
    camps_to_kingdoms: perCamp(({ kingdoms }) => [...kingdoms]),
    kingdoms_to_camps: Object.fromEntries(
      plan.camps.flatMap(({ name, kingdoms }) => kingdoms.map((key) => [key, name])),
    ),
    weights: plan.weights,
    power_off: plan.power_off ?? 0,
    goals: [...plan.goals],
    zeroed: plan.zeroed ?? {},
    exempt: [...plan.exempt],
    snapshots: snapshotAnswers(snapshots, state === 'running'),
    failed,
    late: state === 'running' ? lateOf(head, snapshots.at(-1)?.ts ?? null, now) : null,
    revision: event.revision,
  };
}

/** Since when a snapshot is overdue, and why none came; null if none is overdue. */
function lateOf({ event, failed, gathering }: EventHead, newest: number | null, now: number): EventMeta['late'] {
  const since = lateSince(event.plan, newest, now);
  if (since === null) return null;
  if (!event.plan.gather) return { since, msg: LATE.byHand };
  if (gathering !== null) return { since, msg: LATE.underWay };
  return { since, msg: failed ? FAILED[event.plan.game] : LATE.notBegun };
}

const shown = (ts: number): string => `${new Date(ts).toISOString().slice(0, 16).replace('T', ' ')} UTC (${ts})`;

/** The snapshot that is meant, or a refusal that offers the nearest ones. */
function wantedSnapshot(moments: readonly number[], wanted: number, labelled: boolean): number {
  const found = snapshotAt(moments, wanted, labelled);
  if (found !== null) return found;
  const near = nearest(moments, wanted).map(shown);
  throw new Refusal(
    'not_found',
    near.length > 0
      ? sentence('There is no snapshot at {when}. The nearest: {nearest}.', {
          when: shown(wanted),
          nearest: near.join(', '),
        })
      : 'There is no snapshot of this event yet.',
  );
}

/**
 * Returns the range of snapshots that a call asks for, by default from the first to the latest. A labelled date means
 * the nearest snapshot. Null if the event has no snapshot and the call names none.
 */
export function snapshotRange(
  { snapshots, dates }: Pick<EventMeta, 'snapshots' | 'dates'>,
  { start, end }: { start?: number | undefined; end?: number | undefined },
): SnapshotRange | null {
  if (start !== undefined && end !== undefined && start > end)
    throw new Refusal('invalid', 'start: must not be after the end.');
  const moments = snapshots.map(({ ts }) => ts);
  const [first, latest] = [moments[0], moments.at(-1)];
  if (first === undefined || latest === undefined) {
    if (start === undefined && end === undefined) return null;
    throw new Refusal('not_found', 'There is no snapshot of this event yet.');
  }
  const labelled = (moment: number) => Object.values(dates).includes(moment);
  const at = (wanted: number | undefined, otherwise: number) =>
    wanted === undefined ? otherwise : wantedSnapshot(moments, wanted, labelled(wanted));
  const range = { start: at(start, first), end: at(end, latest) };
  if (range.start > range.end) throw new Refusal('invalid', 'start: must not be after the end.');
  return range;
}

/**
 * The snapshot from which changes up to the end of a range count: the wanted one, otherwise the last that is a day
 * older than the end, otherwise the start. Null if the range has one snapshot only.
 */
export function changesSince(
  { snapshots, dates }: Pick<EventMeta, 'snapshots' | 'dates'>,
  { start, end }: SnapshotRange,
  wanted?: number,
): number | null {
  if (start === end) return null;
  const moments = snapshots.map(({ ts }) => ts).filter((ts) => ts >= start && ts < end);
  if (wanted === undefined) return moments.findLast((ts) => ts <= end - DAY_MS) ?? start;
  const since = wantedSnapshot(moments, wanted, Object.values(dates).includes(wanted));
  return since;
}

/**
 * The moment of the snapshot that an address names by its own or by a labelled one, or a refusal that offers the
 * nearest.
 */
export const snapshotMoment = ({ snapshots, dates }: Pick<EventMeta, 'snapshots' | 'dates'>, wanted: number): number =>
  wantedSnapshot(
    snapshots.map(({ ts }) => ts),
    wanted,
    Object.values(dates).includes(wanted),
  );
