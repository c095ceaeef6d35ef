import { HOUR_MS } from '../days.ts';
import type { Goal, Scoring } from '../difference/scoring.ts';
import type { GameId } from '../games/game-names.ts';

/** Events (KvK): kingdoms in camps that fight, and the line of snapshots that tells how. */

/** `draft`: only admins see it, and nothing is scanned for it. */
export const EVENT_STATES = ['draft', 'upcoming', 'running', 'ended', 'archived'] as const;
export type EventState = (typeof EVENT_STATES)[number];

/** What an admin has done to an event; the clock does the rest. */
export const EVENT_MARKS = ['draft', 'open', 'closed', 'archived'] as const;
export type EventMark = (typeof EVENT_MARKS)[number];

/** What an admin can do to an event: the mark that it gets, and those that it may have before. */
export const MARK_ACTS = {
  publish: { mark: 'open', from: ['draft'] },
  close: { mark: 'closed', from: ['open'] },
  reopen: { mark: 'open', from: ['closed', 'archived'] },
  archive: { mark: 'archived', from: ['draft', 'open', 'closed'] },
} as const satisfies Record<string, { mark: EventMark; from: readonly EventMark[] }>;
export type MarkAct = keyof typeof MARK_ACTS;

export interface CampOf {
  name: string;
  /** Kingdoms, or domains of them: '1206', '1206-2'. */
  kingdoms: readonly string[];
}

/** What an admin says of an event; moments are epoch milliseconds. */
export interface EventPlan extends Scoring {
  game: GameId;
  kvk_id: string;
  name: string;
  camps: readonly CampOf[];
  sponsored_text: string;
  season: string;
  /** Minutes between two gatherings. */
  refresh_rate: number;
  /** Hours by which the public sees snapshots later. */
  publication_delay: number;
  /** False: snapshots come from files alone. */
  gather: boolean;
  /** How many governors of each kingdom a gathering scans. */
  depth: number;
  start: number;
  end: number;
  /** Labelled moments of the war. */
  dates: Readonly<Record<string, number>>;
  goals: readonly Goal[];
  /** Governors who owe nothing: no part of the percentages. */
  exempt: readonly number[];
}

const MINUTE_MS = 60_000;

/** How an event stands at a moment. */
export function stateOf({ start, end }: Pick<EventPlan, 'start' | 'end'>, mark: EventMark, now: number): EventState {
  if (mark === 'archived' || mark === 'draft') return mark;
  if (mark === 'closed' || now >= end) return 'ended';
  return now < start ? 'upcoming' : 'running';
}

/** The kingdom of a key: 1206 of '1206' and of '1206-2'. */
export const kingdomOfKey = (key: string): number => Number(key.split('-', 1)[0]);

/** The kingdoms that an event's snapshots are made of, ascending. */
export const kingdomsOf = (camps: readonly CampOf[]): number[] =>
  [...new Set(camps.flatMap(({ kingdoms }) => kingdoms.map(kingdomOfKey)))].sort((a, b) => a - b);

/** All keys in the order of the camps. */
export const keysOf = (camps: readonly CampOf[]): string[] => camps.flatMap(({ kingdoms }) => [...kingdoms]);

/**
 * The number of the key (its place in `keysOf`) that a governor of a kingdom and domain belongs to, or -1. A kingdom
 * that stands in domains has no key of its own.
 */
export function keyNumbers(camps: readonly CampOf[]): (kingdom: number, domain: number) => number {
  const numbers = new Map(keysOf(camps).map((key, number) => [key, number]));
  const whole = new Map(
    [...numbers].filter(([key]) => !key.includes('-')).map(([key, number]) => [Number(key), number]),
  );
  return (kingdom, domain) => whole.get(kingdom) ?? numbers.get(`${kingdom}-${domain}`) ?? -1;
}

/**
 * Returns when the next gathering is due after one at `last`: by the refresh rate, or at a labelled moment before that.
 * Never before the start. The last one, at the end, shows how the event ended. Null once the event has ended.
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
  return Math.min(Math.max(last + plan.refresh_rate * MINUTE_MS, now), ...labelled, plan.end);
}

/** How late the gathering at an event's end may begin, in ms: after that the event is over without it. */
export const LAST_GATHERING_LATE_MS = 15 * MINUTE_MS;

/** How long a gathering may take: half of the time to the next one, between ten minutes and two hours. */
export const gatheringLimit = (refresh_rate: number): number =>
  Math.min(2 * HOUR_MS, Math.max(10 * MINUTE_MS, (refresh_rate * MINUTE_MS) / 2));

/** Until which moment snapshots are public. */
export const publicUntil = ({ publication_delay }: Pick<EventPlan, 'publication_delay'>, now: number): number =>
  now - publication_delay * HOUR_MS;

/** `live`: the newest of a running event; `final`: nothing follows; `corrected`: made again since it was first shown. */
export const SNAPSHOT_STATES = ['live', 'final', 'corrected'] as const;
export type SnapshotState = (typeof SNAPSHOT_STATES)[number];

/** The moments nearest to one that has no snapshot, on either side: what is offered instead. */
export function nearest(moments: readonly number[], wanted: number): number[] {
  const before = moments.filter((ts) => ts < wanted).at(-1);
  const after = moments.find((ts) => ts > wanted);
  return [before, after].filter((ts) => ts !== undefined);
}

/** Moments that do not differ by more than this are taken for one: links carry minutes. */
const SAME_MS = MINUTE_MS;

/**
 * Returns the snapshot that a wanted moment means: that of the moment itself, or of the same minute. A labelled date lies
 * between snapshots, so `snap` takes the nearest one: a gathering is due then and takes some minutes. Null if there is none.
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

/** Since when a new snapshot is overdue; null if none is. `newest`: the newest public snapshot, if there is one. */
export function lateSince(
  { start, refresh_rate, publication_delay }: Pick<EventPlan, 'start' | 'refresh_rate' | 'publication_delay'>,
  newest: number | null,
  now: number,
): number | null {
  const expected = (newest ?? start) + LATE_INTERVALS * refresh_rate * MINUTE_MS + publication_delay * HOUR_MS;
  return now > expected ? expected : null;
}

/** Whether a side is gaining, falling back, or stands still. */
export const TENDENCIES = ['gaining', 'falling', 'steady'] as const;
export type Tendency = (typeof TENDENCIES)[number];

/** Percentage points of all points by which a camp's share must move to be told. */
const MOVES_AT = 1;

/** By its share of what was won between the last two snapshots, against its share of all that was won before; percent. */
export function tendencyOf(before: number | null, last: number | null): Tendency | null {
  if (before === null || last === null) return null;
  return last - before > MOVES_AT ? 'gaining' : before - last > MOVES_AT ? 'falling' : 'steady';
}
