import { DAY_MS, type Day, dayOf, dayStart } from '../../../domain/days.ts';
import type { GameId } from '../../../domain/games/games.ts';
import type { KingdomHistory } from '../../../domain/history/between.ts';
import { type History, scanOf } from '../../../domain/history/history.ts';
import { type Entry, entriesOf, figureOf, isUntold } from '../../../domain/history/line.ts';
import { knownIn } from '../../../domain/history/present.ts';
import type { GovernorDay } from '../../../domain/scans/profile.ts';
import type { Db } from '../../db/open.ts';
import { changeHistory, storedHistory, unstoredHistory } from '../../gateways/history-store.ts';
import { forEachAtOnce, together } from '../../isolate/at-once.ts';
import { type Asked, departedFrom, unpack } from './directory.ts';
import { addTableRows } from './table-rows.ts';

/** The packed histories as other models read them. */

/** A governor's day with the scan that gave it. */
export interface ScannedGovernorDay extends GovernorDay {
  captured_at: number;
  by_file: boolean;
}

/** A governor who moved at a time. */
interface Passing {
  id: number;
  /** Null if unknown. */
  power: number | null;
  time: number;
}

export const dayOfNumber = (day: number): Day => dayOf(day * DAY_MS);
export const numberOfDay = (day: Day): number => dayStart(day) / DAY_MS;

/** Returns a kingdom's history, with what only tables have of its governors if the file is of an earlier release. */
export async function knownHistory(db: Db, store: R2Bucket, asked: Asked): Promise<History> {
  const history = (await storedHistory(store, asked)) ?? unstoredHistory();
  if (!history.stated) await addTableRows(db, asked, history);
  return history;
}

/**
 * Changes a kingdom's history like `changeHistory`. A file that another release wrote is packed again afterwards, because
 * it may lack what scans showed since.
 */
export const changeKnown = (
  db: Db,
  store: R2Bucket,
  asked: Asked,
  change: (history: History) => Promise<boolean> | boolean,
): Promise<void> =>
  changeHistory(store, asked, async (history, isOther) => {
    const isMoved = !history.stated && (await addTableRows(db, asked, history));
    if (isOther || isMoved) await unpack(db, [asked]);
    return (await change(history)) || isMoved;
  });

/** Returns a kingdom's history with those who left it; empty if none is stored. */
export async function kingdomHistory(db: Db, store: R2Bucket, asked: Asked): Promise<KingdomHistory> {
  const [history, departed] = await together([knownHistory(db, store, asked), departedFrom(db, [asked])]);
  return { kingdom_id: asked.kingdom_id, history, departed: departed(asked) };
}

const governorDay = (history: History, entry: Entry): ScannedGovernorDay => {
  const { kingdom_id, captured_at, by_file } = scanOf(history, entry);
  return {
    day: dayOfNumber(entry.day),
    kingdom_id,
    rank: entry.values[5] as number,
    power: entry.values[0] as number,
    score: figureOf(entry, 'score'),
    deads: figureOf(entry, 'deads'),
    t4: figureOf(entry, 't4'),
    t5: figureOf(entry, 't5'),
    captured_at,
    by_file,
  };
};

/** Returns a governor's days from `from` on, oldest first. */
export function daysIn(history: History, governor: number, from: Day): ScannedGovernorDay[] {
  const line = history.lines.get(governor);
  const first = numberOfDay(from);
  const days: ScannedGovernorDay[] = [];
  for (const [entry] of line ? entriesOf(line) : []) {
    if (entry.day < first) break;
    if (!isUntold(entry)) days.push(governorDay(history, entry));
  }
  return days.reverse();
}

/**
 * Returns the newest power of governors who are spread over kingdoms, by id, without those whom no history has. Reads each
 * kingdom once. `read` are histories that the caller has already.
 */
export async function powersOf(
  db: Db,
  store: R2Bucket,
  game: GameId,
  governors: readonly { id: number; kingdom_id: number }[],
  read: ReadonlyMap<number, History> = new Map(),
): Promise<ReadonlyMap<number, number>> {
  const powers = new Map<number, number>();
  const look = async ([kingdom_id, theirs]: [number, { id: number }[]]): Promise<void> => {
    const history = read.get(kingdom_id) ?? (await knownHistory(db, store, { game, kingdom_id }));
    for (const { id } of theirs) {
      const known = knownIn({ history }, id);
      if (known) powers.set(id, known.power);
    }
  };
  await forEachAtOnce(
    Map.groupBy(governors, ({ kingdom_id }) => kingdom_id),
    look,
  );
  return powers;
}

/** Orders those who moved: newest first, and of those at the same time the strongest, unknown power last. */
export const newestFirst = (a: Passing, b: Passing): number =>
  b.time - a.time || (b.power ?? -1) - (a.power ?? -1) || a.id - b.id;
