import { t } from '../../domain/language/text.ts';
import { dateTime, ownMoment, ownTime, weekdayTime } from '../format.ts';
import { useHydrated } from './use-hydrated.ts';

/** Returns a formatter of times in the reader's time zone, which is in UTC until the page is hydrated. */
export const useOwnTime = (): ((at: number) => string) => (useHydrated() ? ownTime : dateTime);

/** Like `useOwnTime`, for times of the coming days. */
export const useOwnMoment = (): ((at: number) => string) => (useHydrated() ? ownMoment : weekdayTime);

/**
 * A time (epoch ms) in the reader's time zone, with UTC, the games' time, on hover. `byFile` marks the time of a file,
 * which stands for that of its scan.
 */
export function Time({ at, byFile = false }: { at: number; byFile?: boolean }) {
  const own = useOwnTime();
  return (
    <time dateTime={new Date(at).toISOString()} title={dateTime(at)}>
      {own(at)}
      {byFile && t(' (time of the file)')}
    </time>
  );
}
