import { dateTime, ownTime } from '../format.ts';

/** A time (epoch ms) in the reader's time zone, with UTC, the games' time, on hover. */
export const Time = ({ at }: { at: number }) => (
  <time dateTime={new Date(at).toISOString()} title={dateTime(at)}>
    {ownTime(at)}
  </time>
);
