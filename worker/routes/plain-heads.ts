import { message, words } from '../../domain/language/text.ts';
import { FAQ_TITLE } from '../../domain/service/faq.ts';
import type { TextName } from '../../domain/service/page-settings.ts';
import { HOME_TITLE } from '../../domain/service/welcome.ts';
import { BOARDS_TAG, EVENTS_TAG, LICENCE_TAG, PRODUCTS_TAG } from '../gateways/workers-cache.ts';
import { type Head, onSite } from './page-head.ts';

/** Heads of pages that are the same for everybody. Their texts are marked messages. */

/** Content that changes without a version, so it may be as old as the cache allows. */
export const UNVERSIONED = { version: '' };

const home: Head = {
  title: HOME_TITLE,
  description: message(
    'Order a scan of any kingdom, follow it as bots fill it, and read kingdoms, alliances and players to the unit.',
  ),
  rendered: UNVERSIONED,
  tags: [BOARDS_TAG, EVENTS_TAG, PRODUCTS_TAG],
};

const leaderboards: Head = {
  title: message('Leaderboards'),
  description: message(
    'The strongest kingdoms, alliances and players of Rise of Kingdoms and Call of Dragons, every day.',
  ),
  rendered: UNVERSIONED,
  tags: [BOARDS_TAG, EVENTS_TAG],
};

const TEXTS: Readonly<Record<TextName, { title: string; description: string }>> = {
  imprint: {
    title: message('Imprint'),
    description: message('Who runs this service and how to reach them.'),
  },
  privacy: {
    title: message('Privacy'),
    description: message('Which personal data this service keeps, why, and for how long.'),
  },
};

const PLAIN: Readonly<Record<string, Head>> = {
  '/faq': {
    title: FAQ_TITLE,
    description: message('How scans work, what they cost, how exact they are, and how to get an account.'),
    rendered: UNVERSIONED,
    tags: [PRODUCTS_TAG],
  },
  '/imprint': { ...TEXTS.imprint, rendered: UNVERSIONED },
  '/privacy': { ...TEXTS.privacy, rendered: UNVERSIONED },
  '/maps': {
    title: message('Maps'),
    description: message('Events of both games: their camps, kingdoms and standings.'),
    rendered: UNVERSIONED,
    tags: [EVENTS_TAG],
  },
  '/removal': {
    title: message('Removal from public pages'),
    description: message('How a player of Rise of Kingdoms or Call of Dragons gets their name off the public pages.'),
    rendered: UNVERSIONED,
  },
  '/api-docs': {
    title: message('API'),
    description: message('Every call of the service for your own programs, with examples and an OpenAPI description.'),
  },
  '/recipes': {
    title: message('Recipes for your own programs'),
    description: message(
      'Programs in shell, Python and JavaScript: order a scan, compare scans, see who is below goal, read leaderboards.',
    ),
    rendered: UNVERSIONED,
  },
  '/eula': {
    title: message('Licence'),
    description: message('What you may do with scans and statistics of this service.'),
    rendered: UNVERSIONED,
    tags: [LICENCE_TAG],
  },
  '/login': {
    title: message('Login'),
    description: message('Sign in to order scans and to see their results.'),
  },
  '/register': {
    title: message('Register'),
    description: message('Make an account with the access code of an invitation.'),
  },
};

export const PLAIN_PATHS = Object.keys(PLAIN);

/** Returns a head in the current language. */
const spoken = (head: Head, title: string): Head => ({ ...head, title, description: words(head.description) });

export const homeHead = (): Head => spoken(home, words(home.title));

export const leaderboardsHead = (): Head => spoken(leaderboards, onSite(words(leaderboards.title)));

/** Returns the head of a plain page by its path, or null. */
export function plainHead(path: string): Head | null {
  const head = PLAIN[path];
  return head ? spoken(head, onSite(words(head.title))) : null;
}
