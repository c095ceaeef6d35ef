import { Hono } from 'hono';
import { globalStats } from '../../domain/boards/contract.ts';
import { type BoardCounts, newestShown, served } from '../../domain/boards/leaderboard.ts';
import { GAME_IDS, type GameId } from '../../domain/games/games.ts';
import type { Env } from '../env.ts';
import { currentManifest } from '../gateways/board-cache.ts';
import { BOARDS_TAG } from '../gateways/workers-cache.ts';
import { answer } from '../http/answer.ts';
import { keep } from '../http/kept.ts';
import { answers } from '../middleware/answers.ts';
import { anyone } from '../middleware/session.ts';

const NONE: BoardCounts = { kingdoms: 0, governors: 0, alliances: 0 };

/** Totals of each game, counted when its boards were built, so that visitors do not make the database count. */
export const stats = new Hono<{ Bindings: Env }>().get(
  '/stats/global',
  anyone,
  answers('Number of known kingdoms, governors and alliances', globalStats),
  async (context) => {
    const now = Date.now();
    const manifest = await currentManifest(context.env.STORE, now);
    const figures = Object.fromEntries(
      GAME_IDS.map((game) => {
        const boards = manifest[game];
        const newest = served(boards, 'kingdom-power', now);
        const published = newest && boards.days[newest.day];
        const delayed = served(boards, 'governor-power', now);
        // From the day that the delayed boards show, so that the totals match them.
        const { governors, alliances } = (delayed && boards.days[delayed.day]?.counts) ?? published?.counts ?? NONE;
        return [
          game,
          {
            kingdoms: newest?.board.total ?? 0,
            governors,
            alliances,
            /** Time of the kingdoms' board, and the day shown for governors and alliances. */
            captured_at: published?.captured_at ?? null,
            delayed_day: delayed?.day ?? null,
            newest_day: newestShown('governor-power', now),
            since: boards.since,
          },
        ];
      }),
    ) as Record<
      GameId,
      BoardCounts & { captured_at: number | null; delayed_day: string | null; newest_day: string; since: string | null }
    >;
    keep(context, { browser: 60, edge: 300, stale: 86_400, tags: [BOARDS_TAG] });
    return answer(context, figures);
  },
);
