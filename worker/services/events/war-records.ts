import type * as z from 'zod';
import type {
  allianceWar,
  allianceWars,
  governorWars,
  kingdomWar,
  kingdomWars,
} from '../../../domain/events/room-answers.ts';
import type { GameId } from '../../../domain/games/games.ts';
import { ranksOf } from '../../../domain/scans/order.ts';
import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { forEachAtOnce } from '../../isolate/at-once.ts';
import { shownHeads } from '../../models/events/event-snapshots.ts';
import type { WarRecord } from './answer-room.ts';
import { keepHead } from './find-event.ts';
import type { EventBoard } from './make-board.ts';
import type { EventRoom } from './make-room.ts';
import { type EventMeta, metaOf, snapshotRange } from './public-event.ts';
import { readAnswer, readRoom } from './read-answer.ts';

type GovernorWars = z.infer<typeof governorWars>;
type KingdomWar = z.infer<typeof kingdomWar>;
type KingdomWars = z.infer<typeof kingdomWars>;
type AllianceWar = z.infer<typeof allianceWar>;
type AllianceWars = z.infer<typeof allianceWars>;

/** Maximum number of events searched, the newest first. */
const MOST_SEARCHED = 40;

/** What reading results needs. `before` is called before an answer is computed. */
interface Reading {
  env: Env;
  db: Db;
  before: () => Promise<void>;
}

/** Returns what `resultsIn` finds in each public event, newest event first. `game` null searches both games. */
async function warsIn<Result extends object>(
  { db }: Reading,
  game: GameId | null,
  resultsIn: (meta: EventMeta) => Promise<readonly Result[]>,
) {
  const now = Date.now();
  const heads = await shownHeads(db, game, MOST_SEARCHED);
  for (const head of heads) keepHead(head, now);
  const metas = heads.map((head) => metaOf(head, now));
  const found: (readonly Result[])[] = [];
  await forEachAtOnce(metas, async (meta, index) => {
    found[index] = await resultsIn(meta);
  });
  const wars = metas.flatMap((meta, index) => {
    const range = snapshotRange(meta, {});
    const { dashboard_id, kvk_id, name: event, state } = meta;
    return range === null
      ? []
      : (found[index] ?? []).map((result) => ({
          ...result,
          dashboard_id,
          game: meta.game,
          kvk_id,
          event,
          state,
          range,
        }));
  });
  return { wars, more: heads.length === MOST_SEARCHED };
}

/** Returns a governor's results in public events, each from its first to its latest snapshot, newest event first. */
export async function governorWarsOf(reading: Reading, governor_id: number): Promise<GovernorWars> {
  const { wars, more } = await warsIn(reading, null, async (meta) => {
    const record = await readAnswer<WarRecord>(reading.env, meta, { kind: 'record', governor_id }, reading.before);
    return record ? [record] : [];
  });
  return { governor_id, wars, more };
}

/** Returns the keys under which an event has a kingdom: its number, or its domains such as '1206-2'. */
const keysIn = (meta: EventMeta, kingdom: number): string[] =>
  meta.kingdoms.filter((key) => Number.parseInt(key, 10) === kingdom);

/** Returns a kingdom's results in public events, newest event first. */
export async function kingdomWarsOf(reading: Reading, game: GameId, kingdom: number): Promise<KingdomWars> {
  const { wars, more } = await warsIn(reading, game, async (meta): Promise<KingdomWar[]> => {
    const keys = keysIn(meta, kingdom);
    if (keys.length === 0) return [];
    const board = await readAnswer<EventBoard>(reading.env, meta, { kind: 'board' }, reading.before);
    return board ? keys.flatMap((key) => kingdomResult(board, key)) : [];
  });
  return { kingdom, wars, more };
}

function kingdomResult({ kingdoms, camps }: EventBoard, key: string): KingdomWar[] {
  const at = kingdoms.findIndex((each) => each.kingdom === key);
  const own = kingdoms[at];
  if (!own) return [];
  const ranks = ranksOf(Float64Array.from(kingdoms, ({ dkp }) => dkp ?? Number.NaN));
  const { governors: _, power_gain: __, counts: ___, ...result } = own;
  return [
    {
      ...result,
      rank: ranks[at] || null,
      of: kingdoms.length,
      camp_rank: camps.find(({ name }) => name === own.camp)?.rank ?? null,
      camps: camps.length,
    },
  ];
}

/** Returns the results of a kingdom's alliance in public events, newest event first. */
export async function allianceWarsOf(
  reading: Reading,
  game: GameId,
  { kingdom, tag }: { kingdom: number; tag: string },
): Promise<AllianceWars> {
  const { wars, more } = await warsIn(reading, game, async (meta) => {
    const results: AllianceWar[] = [];
    for (const key of keysIn(meta, kingdom)) {
      const room = await readRoom(reading.env, meta, key, reading.before);
      if (room) results.push(...allianceResult(room, tag));
    }
    return results;
  });
  return { kingdom, tag, wars, more };
}

function allianceResult({ kingdom, camp, alliances: all }: EventRoom, tag: string): AllianceWar[] {
  const alliances = all.filter((each) => each.tag !== null);
  const at = alliances.findIndex((each) => each.tag === tag);
  const own = alliances[at];
  if (!own) return [];
  const ranks = ranksOf(Float64Array.from(alliances, ({ dkp }) => dkp ?? Number.NaN));
  return [{ ...own, kingdom, camp, rank: ranks[at] || null, of: alliances.length }];
}
