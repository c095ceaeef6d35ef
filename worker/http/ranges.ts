import type { Context } from 'hono';
import { sentence } from '../../domain/language/text.ts';
import { Refusal } from '../errors.ts';

/** A part of a file, as requested by a client that resumes a download (RFC 9110, section 14). */

interface ByteRange {
  /** First and last byte, both included. */
  from: number;
  to: number;
}

/** Reads the request headers that decide what to send of a file: type, range, headers only, or nothing new. */
export const wantedOf = ({ req }: Pick<Context, 'req'>) => ({
  accept: req.header('accept'),
  range: req.header('range'),
  ifRange: req.header('if-range'),
  ifNoneMatch: req.header('if-none-match'),
  head: req.method === 'HEAD',
});
export type Wanted = ReturnType<typeof wantedOf>;

/**
 * Returns the requested range of a file with this ETag and size, or null for the whole file.
 * @throws Refusal unsatisfiable.
 */
export function byteRangeOf(
  { range, ifRange }: Pick<Wanted, 'range' | 'ifRange'>,
  etag: string,
  size: number,
): ByteRange | null {
  // A range of another version does not fit the part that the client has.
  if (range === undefined || (ifRange !== undefined && ifRange !== etag)) return null;
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range.replace(/\s/g, '')) ?? [];
  // A server may ignore other units and multiple ranges.
  if (first === '' && last === '') return null;
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const to = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (first !== '' && last !== '' && Number(last) < from) return null;
  if (from > to)
    throw new Refusal(
      'unsatisfiable',
      sentence('The file has {bytes} bytes: ask for a part of those.', { bytes: size }),
      undefined,
      {
        'content-range': `bytes */${size}`,
      },
    );
  return { from, to };
}
