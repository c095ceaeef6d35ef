import { createHash } from 'node:crypto';
import { boardId, metricOf, metricTitle } from '../../../domain/boards/leaderboard.ts';
import { type AnyProfile, type Profiled, profileOf } from '../../../domain/boards/profile.ts';
import type { BoardRow } from '../../../domain/boards/rows.ts';
import { counted, date, exact, titleName } from '../../../domain/figures.ts';
import { GAMES } from '../../../domain/games/games.ts';
import { governorTitle, kingdomTitle } from '../../../domain/games/titles.ts';
import { t } from '../../../domain/language/text.ts';
import { type Card, lineOf, rankOf } from '../../files/card.ts';
import { currentManifest } from '../../gateways/board-cache.ts';
import { cardKey } from '../../gateways/board-store.ts';
import { CARD_LOOK, drawnCard, type Studio } from './draw-card.ts';
import { newestBoard } from './find-rows.ts';

/** Returns the name of a profile's subject: '[TAG] Name', 'Kingdom 1042'. */
export function profileName({ game, row }: AnyProfile): string {
  if ('player_count' in row) return kingdomTitle(game, row.kingdom_id);
  if ('governor_id' in row) return titleName(row.name, governorTitle(game, row.governor_id));
  const tag = titleName(row.alliance_tag, '?');
  const name = titleName(row.alliance_name, '');
  return name === '' || name === tag ? `[${tag}]` : `[${tag}] ${name}`;
}

/** Returns where a profile's subject belongs: '[TAG] kingdom 1042 of Rise of Kingdoms'. */
function homeOf({ game, row }: AnyProfile): string {
  const { governor, name } = GAMES[game];
  if ('player_count' in row)
    return t('{governors}, {name}', { governors: counted(row.player_count, governor.one, governor.many), name });
  const home = { game, kingdom: String(row.kingdom_id), name };
  const tag = 'member_count' in row ? '' : titleName(row.alliance_tag, '');
  if (!('member_count' in row) && tag === '')
    return t('{game, select, cod {Server {kingdom} of {name}} other {Kingdom {kingdom} of {name}}}', home);
  const who = 'member_count' in row ? counted(row.member_count, 'member') : `[${tag}]`;
  return t('{game, select, cod {{who}, server {kingdom} of {name}} other {{who}, kingdom {kingdom} of {name}}}', {
    ...home,
    who,
  });
}

/** Returns a profile's figures and places as a sentence each: 'Power 12,400,123, #2 of 960.' */
export function profileText(profile: AnyProfile): string {
  const { game, day, places } = profile;
  const figures = places.map(({ type, value, rank, of }) => {
    const metric = metricOf(game, type) ?? 'power';
    return t('{metric} {value}, #{rank} of {all}.', {
      metric: metricTitle(game, metric),
      value: value === null ? '?' : exact(value),
      rank: exact(rank),
      all: exact(of),
    });
  });
  return t('{home}. {figures} As of {day}.', { home: homeOf(profile), figures: figures.join(' '), day: date(day) });
}

/** Returns a profile as structured data (schema.org). */
export function profileData(profile: AnyProfile, { url, site }: { url: string; site: string }): object {
  const { game, row, day } = profile;
  const isGovernor = 'governor_id' in row;
  const home = { '@type': 'Organization', name: kingdomTitle(game, row.kingdom_id) };
  return {
    '@context': 'https://schema.org',
    '@type': 'ProfilePage',
    url,
    dateModified: day,
    isPartOf: { '@type': 'WebSite', name: 'Muster', url: site },
    mainEntity: {
      '@type': isGovernor ? 'Person' : 'Organization',
      name: profileName(profile),
      description: profileText(profile),
      ...(isGovernor && { identifier: String(row.governor_id) }),
      ...(!('player_count' in row) && { memberOf: home }),
    },
  };
}

function cardOf(profile: AnyProfile): Card {
  const { game, day, places } = profile;
  return {
    title: profileName(profile),
    line: lineOf(homeOf(profile), date(day)),
    plain: true,
    rows: places.map(({ type, value, rank, of }) => {
      const metric = metricOf(game, type) ?? 'power';
      const name = metricTitle(game, metric);
      return {
        rank,
        name,
        otherwise: name,
        about: rankOf(rank, of),
        value,
      };
    }),
  };
}

/** Returns a profile's image, kept with the board that it shows. */
export async function profileCard(studio: Studio, profile: AnyProfile, version: string): Promise<ArrayBuffer | null> {
  const { game } = profile;
  const one: Profiled = profileOf(profile.row as BoardRow);
  const now = Date.now();
  const boards = (await currentManifest(studio.store, now))[game];
  const board = newestBoard(boards, game, one.kind, 'power', now);
  if (!board) return null;
  const name = createHash('sha256')
    .update(`${version} ${JSON.stringify(one)}`)
    .digest('base64url')
    .slice(0, 32);
  return drawnCard(studio, cardKey({ ...board, board: boardId(one.kind, 'power') }, CARD_LOOK, name), async () =>
    cardOf(profile),
  );
}
