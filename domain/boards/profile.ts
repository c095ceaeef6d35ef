// Type-only import: pages read this file, and a first visit should not load zod.

import type * as z from 'zod';
import { type GameId, inGame } from '../games/game-names.ts';
import { message } from '../language/text.ts';
import type { allianceProfile, governorProfile, kingdomProfile } from './contract.ts';
import type { BoardRow } from './rows.ts';

/** Public profiles: what the newest published boards say about a governor, a kingdom or an alliance. */

/** Names the subject of a public profile. */
export type Profiled =
  | { kind: 'governor'; id: number }
  | { kind: 'kingdom'; id: number }
  | { kind: 'alliance'; kingdom: number; tag: string };

export type GovernorProfile = z.infer<typeof governorProfile>;
export type AllianceProfile = z.infer<typeof allianceProfile>;
export type KingdomProfile = z.infer<typeof kingdomProfile>;
export type AnyProfile = GovernorProfile | AllianceProfile | KingdomProfile;

/** How many governors and how many alliances a profile lists. */
export const PROFILE_ROWS = 25;

/** How long the edge may keep a profile, in seconds. */
export const PROFILE_SECONDS = 600;

/** Search results of each kind. */
export const FOUND_PER_KIND = 8;

const partsOf = (one: Profiled): string =>
  one.kind === 'alliance' ? `alliance/${one.kingdom}/${encodeURIComponent(one.tag)}` : `${one.kind}/${one.id}`;

/** Returns the path of a public profile's page. */
export const profilePath = (game: GameId, one: Profiled): string => inGame(`/leaderboard/${partsOf(one)}`, game);

/** Returns the path of a public profile's API call. */
export const profileCall = (game: GameId, one: Profiled): string => inGame(`/v1/leaderboard/${partsOf(one)}`, game);

/** Returns the path of a public profile's picture. `version` changes with it, so that old copies are not shown. */
export const profilePicture = (game: GameId, one: Profiled, version: string): string =>
  `/v1/leaderboard/${partsOf(one)}/card.png?game=${game}&v=${version}`;

/** Returns whose profile a row's is. */
export function profileOf(row: BoardRow): Profiled {
  if ('governor_id' in row) return { kind: 'governor', id: row.governor_id };
  return 'alliance_tag' in row
    ? { kind: 'alliance', kingdom: row.kingdom_id, tag: row.alliance_tag }
    : { kind: 'kingdom', id: row.kingdom_id };
}

/**
 * The id of a governor who asked not to be shown. Their rows keep rank, kingdom and figures, and lose id, name and
 * alliance.
 */
export const HIDDEN_ID = 0;

/**
 * Returns whether an id stands for a removed governor. In events each has a negative number (domain/events/removed.ts).
 */
export const isRemovedId = (id: number): boolean => id <= HIDDEN_ID;

/** The name that pages show for a removed governor. */
export const REMOVED_NAME = message('Name removed');

/** A governor's row in a stored board, from the id to the name, in the order in which boards are written. */
const ROW = /"governor_id":(\d+),"alliance_tag":"(?:[^"\\]|\\.)*","name":"(?:[^"\\]|\\.)*"/g;

/** Removes id, alliance and name of hidden governors from a stored board's JSON. Ranks and figures stay. */
export function withoutNames(json: string, hidden: ReadonlySet<number>): string {
  return json.replace(ROW, (row, id: string) =>
    hidden.has(Number(id)) ? `"governor_id":${HIDDEN_ID},"alliance_tag":"","name":""` : row,
  );
}
