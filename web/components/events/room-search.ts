import { flag, oneOf, searchReader, TABLE, text, wholeFrom } from '../../search-params.ts';
import { PAGE_SIZES } from '../difference/difference-search.ts';

/** Who a war room's table lists. */
export const ROOM_WHO = ['fighting', 'below', 'idle', 'doubted', 'moved'] as const;

/** Parses the search parameters of a kingdom's war room. */
export const roomSearch = searchReader({
  ...TABLE,
  size: oneOf<number>(PAGE_SIZES),
  only: oneOf(ROOM_WHO),
  alliance: text,
  /** Snapshot times, in epoch milliseconds. */
  start: wholeFrom(1),
  end: wholeFrom(1),
  since: wholeFrom(1),
  /** The kingdom or camp compared with this one. */
  against: text,
  /** The governor whose score explanation is open. */
  open: wholeFrom(1),
  embed: flag,
});

export type RoomSearch = ReturnType<typeof roomSearch>;
export type ChangeRoom = (part: RoomSearch) => void;

/** Returns whether a path segment can be a kingdom, or a domain of one. */
export const isKingdomKey = (key: string): boolean => /^[1-9]\d{0,4}(-[1-9]\d{0,3})?$/.test(key);
