import { dateTime, ownTime } from '../format.ts';

/** A moment (epoch milliseconds) on the reader's own clock; the pointer shows it in UTC, by which the games run. */
export const Time = ({ at }: { at: number }) => (
  <time dateTime={new Date(at).toISOString()} title={dateTime(at)}>
    {ownTime(at)}
  </time>
);
