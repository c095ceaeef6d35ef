import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { allianceProfile, governorProfile, kingdomProfile, profileQuery } from '../../domain/boards/contract.ts';
import { PROFILE_SECONDS, type Profiled } from '../../domain/boards/profile.ts';
import { GAMES, type GameId } from '../../domain/games/games.ts';
import { allianceParams } from '../../domain/kingdoms/alliance.ts';
import { governorParam, kingdomParam, searchAnswer, searchQuery } from '../../domain/kingdoms/contract.ts';
import { pictureQuery } from '../../domain/language/locale-option.ts';
import { sentence } from '../../domain/language/text.ts';
import { hasProfiles } from '../configuration/page-settings.ts';
import type { Env } from '../env.ts';
import { NOTHING_HERE, Refusal } from '../errors.ts';
import { BOARDS_TAG } from '../gateways/workers-cache.ts';
import { answer, typed } from '../http/answer.ts';
import { keep, keptFor } from '../http/kept.ts';
import { sendPacked } from '../http/send-bytes.ts';
import { callerNetwork, countCaller } from '../middleware/address.ts';
import { answers, sends } from '../middleware/answers.ts';
import { limited } from '../middleware/limits.ts';
import { anyone } from '../middleware/session.ts';
import { validate } from '../middleware/validate.ts';
import { profileCard } from '../services/boards/profile-card.ts';
import { searchBoards } from '../services/boards/search-boards.ts';
import { type PackedProfile, packedProfile, profileIn } from '../services/boards/show-profile.ts';
import { inPictureLanguage, studioOf } from './cards.ts';

/**
 * Public profiles and the public search, from the boards that may be shown: no account, no database. Mounted before the
 * session lookup.
 */

export type Caller = Pick<Context, 'req'> & { env: Env };

const nobody = (game: GameId, { kind }: Profiled): Refusal =>
  new Refusal(
    'not_found',
    sentence(
      'No published board lists this {kind, select, alliance {alliance} kingdom {{game, select, cod {server} other {kingdom}}} other {{game, select, cod {lord} other {governor}}}} of {name}.',
      { kind, game, name: GAMES[game].name },
    ),
  );

/** Returns a profile, or null if no board lists its subject. Counts the caller if it is not cached. */
export const profileFor = (context: Caller, game: GameId, one: Profiled): Promise<PackedProfile | null> =>
  packedProfile(context.env.STORE, game, one, () => countCaller(context));

/** Returns a profile. @throws Refusal if there is none. */
function orNobody(game: GameId, one: Profiled, profile: PackedProfile | null): PackedProfile {
  if (!profile) throw nobody(game, one);
  return profile;
}

/** Refuses the call if there are no public profiles. */
const open: MiddlewareHandler<{ Bindings: Env }> = (context, next) => {
  if (!hasProfiles(context.env)) throw new Refusal('not_found', NOTHING_HERE);
  return next();
};

const CACHING = keptFor({ browser: 60, edge: PROFILE_SECONDS, stale: PROFILE_SECONDS, tags: [BOARDS_TAG] });

async function sendProfile(context: Caller, game: GameId, one: Profiled): Promise<Response> {
  const { bytes, version } = orNobody(game, one, await profileFor(context, game, one));
  return sendPacked(context.req.raw, bytes, { etag: `"profile-${version}"`, caching: CACHING });
}

async function sendPicture(context: Caller, game: GameId, one: Profiled): Promise<Response> {
  const { env, req } = context;
  // The route has counted the caller.
  const kept = await packedProfile(env.STORE, game, one, async () => undefined);
  const profile = orNobody(game, one, kept);
  const png = await profileCard(studioOf(env, req.raw), profileIn(profile), profile.version);
  if (!png) throw nobody(game, one);
  return new Response(png, {
    headers: {
      'content-type': 'image/png',
      ...CACHING,
      // Other sites may embed it.
      'cross-origin-resource-policy': 'cross-origin',
    },
  });
}

const query = validate('query', profileQuery);
const picture = validate('query', profileQuery.extend(pictureQuery.shape));
const governor = validate('param', governorParam);
const kingdom = validate('param', kingdomParam);
const alliance = validate('param', allianceParams);

/** Pictures are drawn on the first request, so they are limited. */
const perVisitor = limited<{ Bindings: Env }>('DASHBOARD_ADDRESS', callerNetwork);
const perSearcher = limited<{ Bindings: Env }>('SEARCH_ADDRESS', callerNetwork);

export const profiles = new Hono<{ Bindings: Env }>()
  .get(
    '/leaderboard/search',
    anyone,
    open,
    perSearcher,
    validate('query', searchQuery),
    answers('Governors, alliances and kingdoms on the published boards', searchAnswer),
    async (context) => {
      const found = await searchBoards(context.env.STORE, context.req.valid('query').q);
      keep(context, { browser: 60, edge: 60, stale: 60, tags: [BOARDS_TAG] });
      return answer(context, found);
    },
  )
  .get(
    '/leaderboard/governor/:id',
    anyone,
    open,
    governor,
    query,
    answers('Public profile of a governor, seven days late', governorProfile),
    async (context) => {
      const one = { kind: 'governor', ...context.req.valid('param') } as const;
      return typed(governorProfile, await sendProfile(context, context.req.valid('query').game, one));
    },
  )
  .get(
    '/leaderboard/governor/:id/card.png',
    anyone,
    open,
    perVisitor,
    governor,
    picture,
    inPictureLanguage,
    sends('Image of a governor’s public profile', 'image/png'),
    (context) =>
      sendPicture(context, context.req.valid('query').game, { kind: 'governor', ...context.req.valid('param') }),
  )
  .get(
    '/leaderboard/kingdom/:id',
    anyone,
    open,
    kingdom,
    query,
    answers('Public profile of a kingdom', kingdomProfile),
    async (context) => {
      const one = { kind: 'kingdom', ...context.req.valid('param') } as const;
      return typed(kingdomProfile, await sendProfile(context, context.req.valid('query').game, one));
    },
  )
  .get(
    '/leaderboard/kingdom/:id/card.png',
    anyone,
    open,
    perVisitor,
    kingdom,
    picture,
    inPictureLanguage,
    sends('Image of a kingdom’s public profile', 'image/png'),
    (context) =>
      sendPicture(context, context.req.valid('query').game, { kind: 'kingdom', ...context.req.valid('param') }),
  )
  .get(
    '/leaderboard/alliance/:kingdom/:tag',
    anyone,
    open,
    alliance,
    query,
    answers('Public profile of an alliance, seven days late', allianceProfile),
    async (context) => {
      const one = { kind: 'alliance', ...context.req.valid('param') } as const;
      return typed(allianceProfile, await sendProfile(context, context.req.valid('query').game, one));
    },
  )
  .get(
    '/leaderboard/alliance/:kingdom/:tag/card.png',
    anyone,
    open,
    perVisitor,
    alliance,
    picture,
    inPictureLanguage,
    sends('Image of an alliance’s public profile', 'image/png'),
    (context) =>
      sendPicture(context, context.req.valid('query').game, { kind: 'alliance', ...context.req.valid('param') }),
  );
