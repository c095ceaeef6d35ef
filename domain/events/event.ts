import { HOUR_MS } from '../days.ts';
import type { Goal, Scoring } from '../difference/scoring.ts';
import type { GameId } from '../games/game-names.ts';

/** Events (KvK): kingdoms in camps that fight, and the line of snapshots that tells how. */

export const EVENT_STATES = ['upcoming', 'running', 'ended', 'archived'] as const;
export type EventState = (typeof EVENT_STATES)[number];

/** What an admin has done to an event; the clock does the rest. */
export const EVENT_MARKS = ['open', 'closed', 'archived'] as const;
export type EventMark = (typeof EVENT_MARKS)[number];

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
  if (mark === 'archived') return 'archived';
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

/** When the next gathering is due after one at `last`; null once the event has ended. Never before its start. */
export function nextGathering(
  plan: Pick<EventPlan, 'start' | 'end' | 'refresh_rate' | 'gather'>,
  mark: EventMark,
  last: number | null,
  now: number,
): number | null {
  if (!plan.gather || mark !== 'open') return null;
  const due = last === null ? Math.max(plan.start, now) : Math.max(last + plan.refresh_rate * MINUTE_MS, now);
  // The last one shows how it ended.
  if (last !== null && last >= plan.end) return null;
  return Math.min(due, Math.max(plan.end, now));
}

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
 * The snapshot that a wanted moment means: that of the moment itself, or of the same minute; for a labelled date, which
 * stands between snapshots, `snap` takes the last one before it (or the first one after). Null where there is none.
 */
export function snapshotAt(moments: readonly number[], wanted: number, snap = false): number | null {
  const exact = moments.find((ts) => ts === wanted) ?? moments.find((ts) => Math.abs(ts - wanted) < SAME_MS);
  if (exact !== undefined || !snap) return exact ?? null;
  return moments.filter((ts) => ts <= wanted).at(-1) ?? moments[0] ?? null;
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
