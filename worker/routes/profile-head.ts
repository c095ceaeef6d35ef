import { PROFILE_SECONDS, type Profiled, profilePath, profilePicture } from '../../domain/boards/profile.ts';
import type { GameId } from '../../domain/games/games.ts';
import { allianceParams } from '../../domain/kingdoms/alliance.ts';
import { governorParam, kingdomParam } from '../../domain/kingdoms/contract.ts';
import { hasProfiles } from '../configuration/page-settings.ts';
import { BOARDS_TAG } from '../gateways/workers-cache.ts';
import { profileData, profileName, profileText } from '../services/boards/profile-card.ts';
import { profileIn } from '../services/boards/show-profile.ts';
import { type Head, onSite } from './page-head.ts';
import { type Caller, profileFor } from './profiles.ts';

/** Heads of public profiles. */

/** Returns what a profile's path names, or null if it names nothing. */
export function profiledAt(kind: string, params: Record<string, string>): Profiled | null {
  if (kind === 'alliance') {
    const { data } = allianceParams.safeParse(params);
    return data ? { kind, ...data } : null;
  }
  const { data } = (kind === 'governor' ? governorParam : kingdomParam).safeParse(params);
  return data ? { kind: kind === 'governor' ? kind : 'kingdom', ...data } : null;
}

/** Returns the head of a public profile, or null if no board lists its subject. */
export async function profileHead(context: Caller, game: GameId, one: Profiled | null): Promise<Head | null> {
  const { env } = context;
  const found = one && hasProfiles(env) ? await profileFor(context, game, one) : null;
  if (!one || !found) return null;
  const profile = profileIn(found);
  return {
    title: onSite(profileName(profile)),
    description: profileText(profile),
    picture: profilePicture(game, one, found.version),
    structured: profileData(profile, { url: env.SITE_ORIGIN + profilePath(game, one), site: env.SITE_ORIGIN }),
    rendered: { version: found.version },
    seconds: PROFILE_SECONDS,
    tags: [BOARDS_TAG],
    telling: { game },
  };
}
