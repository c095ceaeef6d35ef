import type * as z from 'zod';
import type { eventList } from '../../../domain/events/answers.ts';
import type { GameId } from '../../../domain/games/games.ts';
import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { listAnswer, readListAhead } from '../../gateways/dashboard-answers.ts';
import { forEachAtOnce } from '../../isolate/at-once.ts';
import { shownHeads } from '../../models/events/event-snapshots.ts';
import { keepHead } from './find-event.ts';
import type { EventBoard } from './make-board.ts';
import { type EventMeta, metaOf, snapshotRange } from './public-event.ts';
import { readAnswer } from './read-answer.ts';

type EventList = z.infer<typeof eventList>;

const MOST_SHOWN = 40;
/** Those that run first, then those to come, then those that were. */
const ORDER: Readonly<Record<EventMeta['state'], number>> = {
  running: 0,
  upcoming: 1,
  ended: 2,
  archived: 3,
  draft: 4,
};

/** Returns events as lists and maps show them: the newest ones, running ones first. */
export async function listPublic(env: Env, db: Db, game: GameId | null): Promise<EventList> {
  const now = Date.now();
  const list = `standings-${game ?? 'all'}`;
  const [heads] = await Promise.all([shownHeads(db, game, MOST_SHOWN), readListAhead(env.STORE, list)]);
  for (const head of heads) keepHead(head, now);
  const metas = heads.map((head) => metaOf(head, now));
  const standings = await standingsOf(env, list, metas);
  const listed = metas.map((meta, index) => listedEvent(meta, standings[index] ?? null));
  // Stable: inside each state the newest stay first.
  return { events: listed.sort((a, b) => ORDER[a.state] - ORDER[b.state]) };
}

/** The part of an event's board that lists show; null without one. */
type Standing = Pick<EventBoard, 'camps' | 'kingdoms'> | null;

/** Returns the standing of each event. One object holds those of a list, because an invocation has six connections. */
async function standingsOf(env: Env, list: string, metas: readonly EventMeta[]): Promise<Standing[]> {
  const of = metas.map((meta) => [meta.dashboard_id, meta.revision, snapshotRange(meta, {})]);
  const bytes = await listAnswer(env.STORE, list, of, async () => {
    const standings: Standing[] = [];
    let isWhole: boolean = true;
    await forEachAtOnce(metas, async (meta, index) => {
      const board = await readAnswer<EventBoard>(env, meta, { kind: 'board' });
      standings[index] = board && { camps: board.camps, kingdoms: board.kingdoms };
      // An event that changed meanwhile is missing.
      isWhole &&= board !== null || snapshotRange(meta, {}) === null;
    });
    return { text: JSON.stringify(standings), isWhole };
  });
  return JSON.parse(new TextDecoder().decode(bytes)) as Standing[];
}

function listedEvent(meta: EventMeta, board: Standing): EventList['events'][number] {
  const { dashboard_id, kvk_id, name, state, season, start, end, next_refresh, snapshots } = meta;
  return {
    dashboard_id,
    game: meta.game,
    kvk_id,
    name,
    state,
    season,
    start,
    end,
    next_refresh,
    latest: snapshots.at(-1)?.ts ?? null,
    snapshots: snapshots.length,
    camps: meta.camps.map((camp) => {
      const standing = board?.camps.find((one) => one.name === camp);
      return {
        name: camp,
        colour: meta.camp_colours[camp] ?? '',
        kingdoms: meta.camps_to_kingdoms[camp] ?? [],
        power: standing?.power ?? null,
        governors: standing?.governors ?? null,
        dkp: standing?.dkp ?? null,
        strength: (meta.camps_to_kingdoms[camp] ?? []).map((kingdom) => {
          const one = board?.kingdoms.find((each) => each.kingdom === kingdom);
          return { kingdom, power: one?.power ?? null, dkp: one?.dkp ?? null };
        }),
      };
    }),
  };
}
