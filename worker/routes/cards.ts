import { Hono } from 'hono';
import * as z from 'zod';
import { boardParam } from '../../domain/boards/contract.ts';
import { BOARD_IDS, newestShown } from '../../domain/boards/leaderboard.ts';
import { DAY_MS } from '../../domain/days.ts';
import { isGameId } from '../../domain/games/games.ts';
import { pictureQuery } from '../../domain/language/locale-option.ts';
import type { Env } from '../env.ts';
import { Refusal } from '../errors.ts';
import { currentManifest } from '../gateways/board-cache.ts';
import type { BoardSet } from '../gateways/board-store.ts';
import { eventPictureKey } from '../gateways/dashboard-answers.ts';
import { BOARDS_TAG, EVENTS_TAG, eventTag } from '../gateways/workers-cache.ts';
import { keptFor } from '../http/kept.ts';
import { countCaller } from '../middleware/address.ts';
import { sends } from '../middleware/answers.ts';
import { anyone } from '../middleware/session.ts';
import { speakingIn } from '../middleware/speaking.ts';
import { validate } from '../middleware/validate.ts';
import { boardCard, CARD_LOOK, drawnCard, ownCard } from '../services/boards/draw-card.ts';
import { eventCard } from '../services/events/event-cards.ts';
import { eventHeadOf } from '../services/events/find-event.ts';
import { type EventMeta, metaOf } from '../services/events/public-event.ts';

/** Preview images of shared links. Images of boards and events are versioned by URL. */

/** Returns the path of a board's image, or of the service's own image if `set` is null. */
export const cardPath = (set: BoardSet | null): string =>
  set
    ? `/v1/cards/${set.game}/${set.board}/${set.day}/${set.version}-${CARD_LOOK}.png`
    : `/v1/cards/muster-${CARD_LOOK}.png`;

export const pictureLanguage = validate('query', pictureQuery);
export const inPictureLanguage = speakingIn('language');

const DAY_SECONDS = DAY_MS / 1000;

const none = () => new Refusal('not_found', 'There is no such picture.');

/** Headers of an image. */
const PICTURE = {
  'content-type': 'image/png',
  // Other sites may embed it.
  'cross-origin-resource-policy': 'cross-origin',
};

/** The tags drop images that name a player who asked not to be shown. Browsers keep those for a day at most. */
const caching = (tags: readonly string[]) => keptFor({ browser: DAY_SECONDS, edge: 30 * DAY_SECONDS, stale: 0, tags });

/** Returns the image of a link that may be revoked. Shared caches must not keep it. */
export const linkPicture = (png: ArrayBuffer): Response =>
  new Response(png, { headers: { ...PICTURE, 'cache-control': 'private, max-age=300' } });

function send(request: Request, png: ArrayBuffer | null, tag: string, changes: readonly string[] = []): Response {
  if (!png) throw none();
  const headers = { ...PICTURE, ...caching(changes), etag: `"${tag}"` };
  const known = request.headers.get('if-none-match')?.includes(tag);
  return known ? new Response(null, { status: 304, headers }) : new Response(png, { headers });
}

/** Returns what drawing a card needs. */
export const studioOf = (env: Env, request: Request) => ({
  store: env.STORE,
  assets: env.ASSETS,
  origin: new URL(request.url).origin,
});

/** Version of an event's image: the event's revision and its latest public snapshot. */
export const pictureTag = ({ revision, snapshots }: EventMeta): string =>
  `${revision}-${snapshots.at(-1)?.ts ?? 0}-${CARD_LOOK}`;

/** Returns the path of an event's image. */
export const eventCardPath = (meta: EventMeta): string =>
  `/v1/cards/dashboard/${meta.dashboard_id}/${pictureTag(meta)}.png`;

/** Returns the path of the image of a kingdom in an event. It changes with the image, so that old copies are not shown. */
export const roomCardPath = (meta: EventMeta, kingdom: string): string =>
  `/v1/dashboards/${meta.dashboard_id}/kingdoms/${kingdom}/card.png?v=${pictureTag(meta)}`;

const file = z.string().describe('The name of the file, as the page that shows the picture has it.');
const ownPicture = z.object({ file });
const eventPicture = z.object({
  id: z.string().meta({ description: 'An event: `dashboard_id` of GET /v1/dashboards.', pattern: '^\\d+$' }),
  file,
});
const boardPicture = boardParam.extend({
  board: z.string().meta({ description: 'The board.', enum: BOARD_IDS }),
  day: z.string().meta({ description: 'The day of the board, in UTC.', examples: ['2026-11-14'] }),
  file,
});

export const cards = new Hono<{ Bindings: Env }>()
  .get(
    '/cards/:game/:board/:day/:file',
    anyone,
    validate('param', boardPicture),
    pictureLanguage,
    inPictureLanguage,
    sends('Image of a board’s first rows', 'image/png'),
    async (context) => {
      const { req, env } = context;
      const { game, board: asked, day, file } = req.valid('param');
      const board = BOARD_IDS.find((id) => id === asked);
      if (!isGameId(game) || !board) throw none();
      const now = Date.now();
      const manifest = await currentManifest(env.STORE, now);
      const { days } = manifest[game];
      const version = Object.hasOwn(days, day) ? days[day]?.boards[board]?.version : undefined;
      // The board's publication delay applies to its image too.
      if (!version || file !== `${version}-${CARD_LOOK}.png` || day > newestShown(board, now)) throw none();
      const set = { game, board, day, version };
      const png = await boardCard(studioOf(env, req.raw), set, () => countCaller(context));
      return send(req.raw, png, `${version}-${CARD_LOOK}`, [BOARDS_TAG]);
    },
  )
  .get(
    '/cards/dashboard/:id{[0-9]+}/:file',
    anyone,
    validate('param', eventPicture),
    pictureLanguage,
    inPictureLanguage,
    sends('Image of an event’s camps', 'image/png'),
    async (context) => {
      const { req, env } = context;
      const id = Number(req.valid('param').id);
      const now = Date.now();
      const meta = metaOf(await eventHeadOf(env, id, now), now);
      const tag = pictureTag(meta);
      if (req.valid('param').file !== `${tag}.png`) throw none();
      const png = await drawnCard(studioOf(env, req.raw), eventPictureKey(id, `event-${tag}`), async () => {
        await countCaller(context);
        return eventCard(env, meta);
      });
      return send(req.raw, png, tag, [EVENTS_TAG, eventTag(id)]);
    },
  )
  .get(
    '/cards/:file',
    anyone,
    validate('param', ownPicture),
    pictureLanguage,
    inPictureLanguage,
    sends('Image of the service for shared links', 'image/png'),
    async ({ req, env }) => {
      if (req.valid('param').file !== `muster-${CARD_LOOK}.png`) throw none();
      return send(req.raw, await ownCard(studioOf(env, req.raw)), `muster-${CARD_LOOK}`);
    },
  );
