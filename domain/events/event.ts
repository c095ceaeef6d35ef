import { HOUR_MS, MINUTE_MS } from '../days.ts';
import type { Goal, Scoring } from '../difference/scoring.ts';
import type { GameId } from '../games/game-names.ts';

/** Events (KvK): camps of kingdoms at war, and the series of snapshots that shows the course. */

/** A `draft` is visible to admins only, and nothing is scanned for it. */
export const EVENT_STATES = ['draft', 'upcoming', 'running', 'ended', 'archived'] as const;
export type EventState = (typeof EVENT_STATES)[number];
/** Filters of the admins' list: a state, or running events whose next scan is late. */
export const EVENT_FILTERS = ['late', ...EVENT_STATES] as const;
export type EventFilter = (typeof EVENT_FILTERS)[number];

/** The status set by admins. Together with the clock it gives the state. */
export const EVENT_MARKS = ['draft', 'open', 'closed', 'archived'] as const;
export type EventMark = (typeof EVENT_MARKS)[number];

/** What an admin can do with an event: the mark that results, and the marks that allow it. */
export const MARK_ACTS = {
  publish: { mark: 'open', from: ['draft'] },
  close: { mark: 'closed', from: ['open'] },
  reopen: { mark: 'open', from: ['closed', 'archived'] },
  archive: { mark: 'archived', from: ['draft', 'open', 'closed'] },
} as const satisfies Record<string, { mark: EventMark; from: readonly EventMark[] }>;
export type MarkAct = keyof typeof MARK_ACTS;

interface CampOf {
  name: string;
  /** Kingdoms, or domains of them: '1206', '1206-2'. */
  kingdoms: readonly string[];
}

/** An event's settings; times are in epoch milliseconds. */
export interface EventPlan extends Scoring {
  game: GameId;
  kvk_id: string;
  name: string;
  camps: readonly CampOf[];
  sponsored_text: string;
  season: string;
  /** Minutes between gatherings. */
  refresh_rate: number;
  /** Hours until the public sees a snapshot. */
  publication_delay: number;
  /** If false, snapshots come from files only. */
  gather: boolean;
  /** Number of governors scanned per kingdom. */
  depth: number;
  start: number;
  end: number;
  /** Labelled times of the war. */
  dates: Readonly<Record<string, number>>;
  goals: readonly Goal[];
  /** Governors without goals, who do not count in the percentages. */
  exempt: readonly number[];
  /** Why governors are exempt, by id, for admins only. Plans of before have none. */
  exempt_reasons?: Readonly<Record<string, string>>;
}

/** Returns an event's state at `now`. */
export function stateOf({ start, end }: Pick<EventPlan, 'start' | 'end'>, mark: EventMark, now: number): EventState {
  if (mark === 'archived' || mark === 'draft') return mark;
  if (mark === 'closed' || now >= end) return 'ended';
  return now < start ? 'upcoming' : 'running';
}

/** Returns whether nothing more will follow, so that somebody has won. */
export const isOver = (state: EventState): boolean => state === 'ended' || state === 'archived';

/** Returns a key's kingdom: 1206 for '1206' and for '1206-2'. */
export const kingdomOfKey = (key: string): number => Number(key.split('-', 1)[0]);

/** Returns the kingdoms in an event's snapshots, ascending. */
export const kingdomsIn = (camps: readonly CampOf[]): number[] =>
  [...new Set(camps.flatMap(({ kingdoms }) => kingdoms.map(kingdomOfKey)))].sort((a, b) => a - b);

/** Returns all keys in the order of the camps. */
export const kingdomKeys = (camps: readonly CampOf[]): string[] => camps.flatMap(({ kingdoms }) => [...kingdoms]);

/**
 * Returns a function from a governor's kingdom and domain to the index of their key in `keysOf`, or -1. A kingdom split
 * into domains has no key of its own.
 */
export function keyNumbers(camps: readonly CampOf[]): (kingdom: number, domain: number) => number {
  const numbers = new Map(kingdomKeys(camps).map((key, number) => [key, number]));
  const whole = new Map(
    [...numbers].filter(([key]) => !key.includes('-')).map(([key, number]) => [Number(key), number]),
  );
  return (kingdom, domain) => whole.get(kingdom) ?? numbers.get(`${kingdom}-${domain}`) ?? -1;
}

/**
 * Returns when the next gathering is due after one at `last`: at the refresh rate, or earlier at a labelled time. Never
 * before the start. The last gathering is at the end and shows the final result. Null once the event has ended.
 */
export function nextGathering(
  plan: Pick<EventPlan, 'start' | 'end' | 'refresh_rate' | 'gather' | 'dates'>,
  mark: EventMark,
  last: number | null,
  now: number,
): number | null {
  if (!plan.gather || mark !== 'open') return null;
  if (now > plan.end || (last !== null && last >= plan.end)) return null;
  if (last === null) return Math.min(Math.max(plan.start, now), plan.end);
  const labelled = Object.values(plan.dates).filter((ts) => ts > last && ts >= Math.max(plan.start, now));
  return Math.min(Math.max(last + plan.refresh_rate * MINUTE_MS, plan.start, now), ...labelled, plan.end);
}

/** How late the gathering at an event's end may start, in ms. After that the event ends without it. */
export const LAST_GATHERING_LATE_MS = 15 * MINUTE_MS;

/** Returns how long a gathering may take, in ms: half the refresh interval, between ten minutes and two hours. */
export const gatheringLimit = (refresh_rate: number): number =>
  Math.min(2 * HOUR_MS, Math.max(10 * MINUTE_MS, (refresh_rate * MINUTE_MS) / 2));

/** Returns the time up to which snapshots are public. */
export const publicUntil = ({ publication_delay }: Pick<EventPlan, 'publication_delay'>, now: number): number =>
  now - publication_delay * HOUR_MS;

/**
 * `live`: the newest of a running event. `final`: no more will follow. `corrected`: rebuilt after it was first shown.
 */
export const SNAPSHOT_STATES = ['live', 'final', 'corrected'] as const;
export type SnapshotState = (typeof SNAPSHOT_STATES)[number];

/** Returns the times closest before and after a time without a snapshot, to offer instead. */
export function nearest(moments: readonly number[], wanted: number): number[] {
  const before = moments.filter((ts) => ts < wanted).at(-1);
  const after = moments.find((ts) => ts > wanted);
  return [before, after].filter((ts) => ts !== undefined);
}

/** Times closer than this are treated as equal, because links carry minutes. */
const SAME_MS = MINUTE_MS;

/**
 * Returns the snapshot at a wanted time, or in the same minute. `snap` allows the nearest one, for labelled dates: a
 * gathering is due at such a date but takes some minutes. Null if there is none.
 */
export function snapshotAt(moments: readonly number[], wanted: number, snap = false): number | null {
  const exact = moments.find((ts) => ts === wanted) ?? moments.find((ts) => Math.abs(ts - wanted) < SAME_MS);
  if (exact !== undefined || !snap) return exact ?? null;
  const [first, second] = nearest(moments, wanted);
  if (first === undefined) return null;
  return second !== undefined && Math.abs(second - wanted) < Math.abs(first - wanted) ? second : first;
}

/** A running event is late if its newest snapshot is older than two refresh intervals. */
const LATE_INTERVALS = 2;

/** Returns since when a new snapshot is overdue; null if none is. `newest` is the newest public snapshot, or null. */
export function lateSince(
  { start, refresh_rate, publication_delay }: Pick<EventPlan, 'start' | 'refresh_rate' | 'publication_delay'>,
  newest: number | null,
  now: number,
): number | null {
  const expected = (newest ?? start) + LATE_INTERVALS * refresh_rate * MINUTE_MS + publication_delay * HOUR_MS;
  return now > expected ? expected : null;
}

/** Whether a camp gains, falls back or keeps its share. */
export const TENDENCIES = ['gaining', 'falling', 'steady'] as const;
export type Tendency = (typeof TENDENCIES)[number];

/** Change in a camp's share of all points, in percentage points, from which a tendency is shown. */
const MOVES_AT = 1;

/**
 * Compares a camp's share of points won between the last two snapshots with its share of all points before, both in
 * percent.
 */
export function tendencyOf(before: number | null, last: number | null): Tendency | null {
  if (before === null || last === null) return null;
  return last - before > MOVES_AT ? 'gaining' : before - last > MOVES_AT ? 'falling' : 'steady';
}

/**
 * Returns which score is above 0 and above all others, and by how much; null if none is or any score is unknown. Scores
 * below 0 count as 0.
 */
export function leadIn(scores: readonly (number | null)[]): { place: number; by: number } | null {
  const known = scores.filter((score) => score !== null);
  if (known.length < scores.length) return null;
  const best = Math.max(...known);
  const place = known.indexOf(best);
  const by = best - Math.max(0, ...known.toSpliced(place, 1));
  return by > 0 ? { place, by } : null;
}
