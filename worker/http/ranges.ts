import type { Context } from 'hono';
import { exact } from '../../domain/figures.ts';
import { Refusal } from '../errors.ts';

/** Parts of a file, as a client asks for them that goes on with a broken download (RFC 9110, section 14). */

export interface Range {
  /** The first byte and the last one. */
  from: number;
  to: number;
}

/** What a call wants of a file: the type of answer, a part of it, or its headers alone. */
export const wantedOf = ({ req }: Context) => ({
  accept: req.header('accept'),
  range: req.header('range'),
  ifRange: req.header('if-range'),
  head: req.method === 'HEAD',
});
export type Wanted = ReturnType<typeof wantedOf>;

/** The part that is asked for of a file with that tag and size; null: all of it. @throws Refusal unsatisfiable. */
export function rangeOf(
  { range, ifRange }: Pick<Wanted, 'range' | 'ifRange'>,
  etag: string,
  size: number,
): Range | null {
  // A part of another file than the client has the beginning of would be of no use.
  if (range === undefined || (ifRange !== undefined && ifRange !== etag)) return null;
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range.replace(/\s/g, '')) ?? [];
  // Other units and several parts in one answer may be ignored.
  if (first === '' && last === '') return null;
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const to = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (first !== '' && last !== '' && Number(last) < from) return null;
  if (from > to)
    throw new Refusal('unsatisfiable', `The file has ${exact(size)} bytes: ask for a part of those.`, undefined, {
      'content-range': `bytes */${size}`,
    });
  return { from, to };
}
