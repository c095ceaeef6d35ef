import { leadIn, snapshotAt } from '../../../domain/events/event.ts';
import { message, t } from '../../../domain/language/text.ts';
import type { EventMeta, ListedEvent } from '../../api/events.ts';

/** Titles of event states, as messages. */
export const STATE_TITLE = {
  draft: message('Draft'),
  upcoming: message('Upcoming'),
  running: message('Live'),
  ended: message('Final'),
  archived: message('Archived'),
} as const;

/** Returns the leading camp and its lead. Null if no camp leads, or with fewer than two scans. */
export function leadOf({ snapshots, camps }: ListedEvent): { name: string; by: number } | null {
  const lead = snapshots < 2 ? null : leadIn(camps.map(({ dkp }) => dkp));
  return lead && { name: camps[lead.place]?.name ?? '', by: lead.by };
}

/** Formats elapsed time in its largest useful unit. */
export function ago(ts: number, now: number): string {
  const minutes = Math.max(0, Math.floor((now - ts) / 60_000));
  if (minutes < 1) return t('just now');
  if (minutes < 60) return t('{minutes} min ago', { minutes });
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return t('{hours} h ago', { hours });
  return t('{days, plural, one {# day ago} other {# days ago}}', { days: Math.floor(hours / 24) });
}

/**
 * Formats how often an event is scanned: under 60 in minutes, otherwise in hours, rounded (specification, section 9).
 */
export function everyText(minutes: number): string {
  if (minutes < 60)
    return t('{minutes, plural, =1 {every minute} one {every # minute} other {every # minutes}}', { minutes });
  const hours = Math.round(minutes / 60);
  return t('{hours, plural, =1 {every hour} one {every # hour} other {every # hours}}', { hours });
}

interface Moment {
  ts: number;
  label: string;
}

/** A key date with the time of its nearest snapshot (`ts`). */
interface LabelledMoment extends Moment {
  /** The key date itself. */
  at: number;
}

/** Returns the key dates up to the latest snapshot. */
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

/** Returns the next key date. */
export const nextFight = ({ dates }: EventMeta, now: number): Moment | null =>
  Object.entries(dates)
    .map(([label, ts]) => ({ label, ts }))
    .filter(({ ts }) => ts > now)
    .sort((one, other) => one.ts - other.ts)[0] ?? null;
