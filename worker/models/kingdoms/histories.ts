import { DAY_MS, type Day, dayOf, dayStart } from '../../../domain/days.ts';
import type { GameId } from '../../../domain/games/games.ts';
import type { KingdomHistory } from '../../../domain/history/between.ts';
import { emptyHistory, type History, scanOf } from '../../../domain/history/history.ts';
import { type Entry, entriesOf, figureOf } from '../../../domain/history/line.ts';
import type { GovernorDay } from '../../../domain/scans/profile.ts';
import type { Db } from '../../db/open.ts';
import { storedHistory, storedLine } from '../../gateways/history-store.ts';
import { type Asked, departedFrom } from './directory.ts';

/** The packed histories as other models read them. */

/** A governor's day with the scan that gave it. */
export interface ScannedGovernorDay extends GovernorDay {
  captured_at: number;
  by_file: boolean;
}

export const dayOfNumber = (day: number): Day => dayOf(day * DAY_MS);
export const numberOfDay = (day: Day): number => dayStart(day) / DAY_MS;

/** Returns a kingdom's history, which is empty if none is stored. */
export async function kingdomHistory(db: Db, store: R2Bucket, asked: Asked): Promise<KingdomHistory> {
  const [history, departed] = await Promise.all([storedHistory(store, asked), departedFrom(db, [asked])]);
  return { kingdom_id: asked.kingdom_id, history: history ?? emptyHistory(), departed: departed(asked) };
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
    days.push(governorDay(history, entry));
  }
  return days.reverse();
}

/**
 * Returns a governor's days from `from` on, oldest first. Reads the kingdoms in turn until one has the governor's line.
 */
export async function governorDays(
  store: R2Bucket,
  game: GameId,
  governor: number,
  kingdoms: Iterable<number>,
  from: Day,
): Promise<ScannedGovernorDay[]> {
  for (const kingdom_id of kingdoms) {
    const history = await storedLine(store, { game, kingdom_id }, governor);
    if (history) return daysIn(history, governor, from);
  }
  return [];
}
