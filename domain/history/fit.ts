import { dayNumber, type History, type HistoryScan, profileScan, type Seen, scanOf } from './history.ts';
import { DAY_FIGURES, type DayFigure, type Entry, entriesOf, figureOf, hasProfile, isUntold } from './line.ts';

/** Compares a history with the scans from which it was made. */

const STANDING: readonly DayFigure[] = ['power', 'rank'];
const PROFILE: readonly DayFigure[] = ['score', 'deads', 't4', 't5'];

/**
 * Returns whether an entry has the figures of a governor's row. Figures that a later scan of the day gave are not
 * compared.
 */
function isOfScan(history: History, entry: Entry, { captured_at }: HistoryScan, { values }: Seen): boolean {
  const told = (figure: DayFigure): number | null => {
    const value = values[DAY_FIGURES.indexOf(figure)] as number;
    return Number.isNaN(value) ? null : value;
  };
  const agrees = (figures: readonly DayFigure[], scan: number): boolean => {
    const { captured_at: given_at } = scanOf(history, { day: entry.day, scan });
    // A later scan of the day gave these figures.
    if (given_at !== captured_at) return given_at > captured_at;
    return figures.every((figure) => figureOf(entry, figure) === told(figure));
  };
  if (!agrees(STANDING, entry.scan)) return false;
  if (PROFILE.every((figure) => told(figure) === null)) return true;
  return hasProfile(entry) && agrees(PROFILE, profileScan(entry));
}

/** Returns how many governors' days are missing or differ from what a scan shows of them. */
export function countDiffering(history: History, scan: HistoryScan, seen: readonly Seen[]): number {
  const day = dayNumber(scan.captured_at);
  return seen.filter((one) => {
    const line = history.lines.get(one.governor_id);
    for (const [entry] of line ? entriesOf(line) : []) {
      if (entry.day > day) continue;
      return entry.day < day || isUntold(entry) || !isOfScan(history, entry, scan, one);
    }
    return true;
  }).length;
}

/** Returns how many governors have days since `first` from scans that fail the test. */
export function countStrange(history: History, first: number, isKnown: (scan: HistoryScan) => boolean): number {
  const scans = [...history.scans].flatMap(([day, all]) => (day < first ? [] : all));
  if (scans.every(isKnown)) return 0;
  let count = 0;
  for (const line of history.lines.values())
    for (const [entry] of entriesOf(line)) {
      if (entry.day < first) break;
      const given = [entry.scan, profileScan(entry)].map((scan) => scanOf(history, { day: entry.day, scan }));
      if (isUntold(entry) || given.every(isKnown)) continue;
      count++;
      break;
    }
  return count;
}
