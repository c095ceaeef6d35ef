import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { t } from '../../../domain/language/text.ts';
import type { EventMeta } from '../../api/events.ts';

const MINUTE = 60_000;
/** Random delay that spreads the requests of all open pages. */
const SPREAD = 15_000;
const AGAIN = 30_000;

/**
 * Formats the time until the next snapshot: under 60 in minutes, otherwise in hours, rounded (specification, section
 * 9).
 */
export function untilNext(next: number, now: number): string {
  const minutes = Math.ceil((next - now) / MINUTE);
  if (minutes <= 0) return t('any moment now');
  if (minutes < 60) return t('{minutes, plural, one {in # minute} other {in # minutes}}', { minutes });
  const hours = Math.round(minutes / 60);
  return t('{hours, plural, one {in # hour} other {in # hours}}', { hours });
}

/**
 * Returns the current time, updated every `every` milliseconds. Until the page is hydrated it is `first`, a time that
 * the Worker knows too.
 */
export function useNow(first: number, every = 15_000): number {
  const [now, setNow] = useState(first);
  useEffect(() => {
    const tick = () => setNow(Date.now());
    tick();
    const timer = setInterval(tick, every);
    return () => clearInterval(timer);
  }, [every]);
  return now;
}

/**
 * Refetches a running event's page when its next snapshot is due, after a random delay, and repeats until the snapshot
 * arrives. Failures leave the page as it is. Hidden tabs wait until they are visible.
 */
export function useRefresh(id: string, meta: EventMeta | undefined): void {
  const client = useQueryClient();
  const next = meta?.next_refresh ?? null;
  const revision = meta?.revision;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new revision restarts the timer.
  useEffect(() => {
    if (next === null) return;
    let timer: ReturnType<typeof setTimeout>;
    const ask = () => {
      if (document.visibilityState === 'visible') void client.refetchQueries({ queryKey: ['event', id, 'page'] });
      timer = setTimeout(ask, AGAIN);
    };
    timer = setTimeout(ask, Math.max(0, next - Date.now()) + Math.random() * SPREAD);
    const onSight = () => {
      if (document.visibilityState !== 'visible' || Date.now() < next) return;
      clearTimeout(timer);
      timer = setTimeout(ask, Math.random() * 2000);
    };
    document.addEventListener('visibilitychange', onSight);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onSight);
    };
  }, [client, id, next, revision]);
}
