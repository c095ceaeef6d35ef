import { snapshotAt } from '../../../domain/events/event.ts';
import type { EventMeta } from '../../api/events.ts';

/** What an event's state is called. */
export const STATE_TITLE = { upcoming: 'Upcoming', running: 'Live', ended: 'Final', archived: 'Archived' } as const;

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

/** The labelled moments up to the latest snapshot, each with the snapshot that stands for it. */
export function labelledMoments({ dates, snapshots }: EventMeta): Moment[] {
  const moments = snapshots.map(({ ts }) => ts);
  const latest = moments.at(-1) ?? 0;
  return Object.entries(dates)
    .sort(([, one], [, other]) => one - other)
    .flatMap(([label, at]) => {
      const ts = at <= latest ? snapshotAt(moments, at, true) : null;
      return ts === null ? [] : [{ ts, label }];
    });
}

/** The next labelled moment that is still to come. */
export const nextFight = ({ dates }: EventMeta, now: number): Moment | null =>
  Object.entries(dates)
    .map(([label, ts]) => ({ label, ts }))
    .filter(({ ts }) => ts > now)
    .sort((one, other) => one.ts - other.ts)[0] ?? null;
