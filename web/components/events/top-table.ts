import type { EventBoard } from '../../api/events.ts';
import type { DifferenceTable } from '../difference/difference-rows.ts';
import { DIFFERENCE } from '../difference/difference-search.ts';
import type { EventSearch } from './event-search.ts';

/** Returns whether an address shows the first governors by the event's own score. */
export const showsTop = (search: EventSearch): boolean =>
  Object.keys(DIFFERENCE).every((key) => search[key as keyof typeof DIFFERENCE] === undefined);

/** Returns the board's first governors as a table; null if it has none. */
export function topTable({ top }: EventBoard): DifferenceTable | null {
  const [first] = top;
  if (!first) return null;
  const kingdoms = [...new Set(top.flatMap(({ kingdom, moved_to }) => [kingdom, moved_to ?? kingdom]))];
  const tags = [...new Set(top.flatMap(({ tag }) => tag ?? []))];
  const doubts: Record<string, Record<string, number[]>> = {};
  for (const [row, governor] of top.entries())
    for (const [key, reason] of Object.entries(governor.doubts ?? {})) {
      doubts[key] ??= {};
      doubts[key][reason] = [...(doubts[key][reason] ?? []), row];
    }
  return {
    kingdoms,
    tags,
    common: top.length,
    joined: 0,
    gone: 0,
    id: top.map(({ id }) => id),
    name: top.map(({ name }) => name),
    tag: top.map(({ tag }) => (tag === null ? -1 : tags.indexOf(tag))),
    kingdom: top.map(({ kingdom }) => kingdoms.indexOf(kingdom)),
    kingdom_now: top.map(({ kingdom, moved_to }) => kingdoms.indexOf(moved_to ?? kingdom)),
    power: top.map(({ power }) => power),
    now: {},
    gains: Object.fromEntries(Object.keys(first.gains).map((key) => [key, top.map(({ gains }) => gains[key] ?? null)])),
    doubts,
    renamed: Object.fromEntries(
      top.flatMap(({ renamed_from }, row) => (renamed_from === undefined ? [] : [[row, renamed_from]])),
    ),
  };
}
