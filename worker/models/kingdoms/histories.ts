import { DAY_MS, type Day, dayOf, dayStart } from '../../../domain/days.ts';
import type { KingdomHistory } from '../../../domain/history/between.ts';
import { type History, scanOf } from '../../../domain/history/history.ts';
import { type Entry, entriesOf, figureOf } from '../../../domain/history/line.ts';
import type { GovernorDay } from '../../../domain/scans/profile.ts';
import type { Db } from '../../db/open.ts';
import { type Histories, storedHistory, storedLine } from '../../gateways/history-store.ts';
import { type Asked, allPacked, departedFrom } from './directory.ts';

/**
 * The packed histories as other models read them. Each reading function returns null as long as some kingdom is not
 * packed, or if the setting says so; then the tables answer.
 */

/** A governor's day with the scan that gave it. */
export interface ScannedGovernorDay extends GovernorDay {
  captured_at: number;
  by_file: boolean;
}

export const dayOfNumber = (day: number): Day => dayOf(day * DAY_MS);
export const numberOfDay = (day: Day): number => dayStart(day) / DAY_MS;

/** Returns the histories to read from, or null if the tables must answer. */
export const readable = async (db: Db, histories: Histories): Promise<Histories> =>
  histories && (await allPacked(db)) ? histories : null;

/** Returns a kingdom's history, or null if the tables must answer. */
export async function kingdomHistory(db: Db, histories: Histories, asked: Asked): Promise<KingdomHistory | null> {
  if (!histories) return null;
  const [packed, history, departed] = await Promise.all([
    allPacked(db),
    storedHistory(histories, asked),
    departedFrom(db, [asked]),
  ]);
  return packed && history ? { kingdom_id: asked.kingdom_id, history, departed: departed(asked) } : null;
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

/** Returns a governor's days from `from` on, oldest first, or null if the tables must answer. */
export async function packedDays(
  histories: Histories,
  asked: Asked,
  governor: number,
  from: Day,
): Promise<ScannedGovernorDay[] | null> {
  const history = histories && (await storedLine(histories, asked, governor));
  return history && daysIn(history, governor, from);
}
