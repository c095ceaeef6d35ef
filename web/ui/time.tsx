import { dateTime, ownTime } from '../format.ts';

/**
 * A time (epoch ms) in the reader's time zone, with UTC, the games' time, on hover. `byFile` marks the time of a file,
 * which stands for that of its scan.
 */
export const Time = ({ at, byFile = false }: { at: number; byFile?: boolean }) => (
  <time dateTime={new Date(at).toISOString()} title={dateTime(at)}>
    {ownTime(at)}
    {byFile && ' (time of the file)'}
  </time>
);
