import { Hono } from 'hono';
import { globalStats } from '../../domain/boards/contract.ts';
import { type Counts, newestShown, served } from '../../domain/boards/leaderboard.ts';
import { GAME_IDS, type GameId } from '../../domain/games/games.ts';
import { answer } from '../answer.ts';
import type { Env } from '../env.ts';
import { currentManifest } from '../gateways/board-cache.ts';
import { answers } from '../middleware/answers.ts';
import { anyone } from '../middleware/session.ts';

const NONE: Counts = { kingdoms: 0, governors: 0, alliances: 0 };

/** How much there is of each game, as counted when its boards were made: no visitor makes the database count. */
export const stats = new Hono<{ Bindings: Env }>().get(
  '/stats/global',
  anyone,
  answers('How many kingdoms, governors and alliances are known', globalStats),
  async (context) => {
    const now = Date.now();
    const manifest = await currentManifest(context.env.STORE, now);
    const figures = Object.fromEntries(
      GAME_IDS.map((game) => {
        const boards = manifest[game];
        const newest = served(boards, 'kingdom-power', now);
        const published = newest && boards.days[newest.day];
        const delayed = served(boards, 'governor-power', now);
        // Of the days that are shown, so that a tile says what the board behind it does.
        const { governors, alliances } = (delayed && boards.days[delayed.day]?.counts) ?? published?.counts ?? NONE;
        return [
          game,
          {
            kingdoms: newest?.board.total ?? 0,
            governors,
            alliances,
            /** When the kingdoms' board was gathered, and the day that governors and alliances are shown of. */
            captured_at: published?.captured_at ?? null,
            delayed_day: delayed?.day ?? null,
            newest_day: newestShown('governor-power', now),
            since: boards.since,
          },
        ];
      }),
    ) as Record<
      GameId,
      Counts & { captured_at: number | null; delayed_day: string | null; newest_day: string; since: string | null }
    >;
    context.header('cache-control', 'public, max-age=60, s-maxage=300, stale-while-revalidate=86400');
    return answer(context, figures);
  },
);
