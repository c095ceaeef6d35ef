import { snapshotAt } from '../../../domain/events/event.ts';
import type { EventMeta, ListedEvent } from '../../api/events.ts';

/** What an event's state is called. */
export const STATE_TITLE = {
  draft: 'Draft',
  upcoming: 'Upcoming',
  running: 'Live',
  ended: 'Final',
  archived: 'Archived',
} as const;

/** Who leads a listed event and by how much; null if nobody does, and of one scan, which has no gains. */
export function leadOf({ snapshots, camps }: ListedEvent): { name: string; by: number } | null {
  const [first, second] = camps
    .flatMap(({ name, dkp }) => (dkp === null ? [] : [{ name, dkp }]))
    .toSorted((one, other) => other.dkp - one.dkp);
  if (snapshots < 2 || !first || !second || first.dkp === second.dkp) return null;
  return { name: first.name, by: first.dkp - second.dkp };
}

/** How long ago, in the largest unit that says enough. */
export function ago(ts: number, now: number): string {
  const minutes = Math.max(0, Math.floor((now - ts) / 60_000));
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ago` : `${Math.floor(hours / 24)} days ago`;
}

/** How often an event is scanned, as the specification writes it: under an hour in minutes, otherwise in hours, rounded. */
export function everyText(minutes: number): string {
  if (minutes < 60) return minutes === 1 ? 'every minute' : `every ${minutes} minutes`;
  const hours = Math.round(minutes / 60);
  return hours === 1 ? 'every hour' : `every ${hours} hours`;
}

export interface Moment {
  ts: number;
  label: string;
}

/** A labelled moment with the snapshot that is nearest to it (`ts`). */
export interface LabelledMoment extends Moment {
  /** When the moment itself was. */
  at: number;
}

/** The labelled moments up to the latest snapshot. */
export function labelledMoments({ dates, snapshots }: EventMeta): LabelledMoment[] {
  const moments = snapshots.map(({ ts }) => ts);
  const latest = moments.at(-1) ?? 0;
  return Object.entries(dates)
    .sort(([, one], [, other]) => one - other)
    .flatMap(([label, at]) => {
      const ts = at <= latest ? snapshotAt(moments, at, true) : null;
      return ts === null ? [] : [{ ts, label, at }];
    });
}

/** The next labelled moment that is still to come. */
export const nextFight = ({ dates }: EventMeta, now: number): Moment | null =>
  Object.entries(dates)
    .map(([label, ts]) => ({ label, ts }))
    .filter(({ ts }) => ts > now)
    .sort((one, other) => one.ts - other.ts)[0] ?? null;
