import { KEPT_DAYS, UNSEEN_DAYS } from '../../../domain/boards/leaderboard.ts';
import { GAMES } from '../../../domain/games/games.ts';
import {
  addLines,
  addScan,
  dropBefore,
  type History,
  type HistoryScan,
  leaveAlliances,
  type Seen,
  seenAt,
} from '../../../domain/history/history.ts';
import { type Shown, shownIn, stateOf } from '../../../domain/history/state.ts';
import { isFileTime } from '../../../domain/scans/file-time.ts';
import { numbersOf, orderBy, type Table } from '../../../domain/scans/rows.ts';
import type { Db } from '../../db/open.ts';
import { CONNECTIONS, forEachAtOnce } from '../../isolate/at-once.ts';
import {
  type Asked,
  type DirectoryChange,
  type ListedOtherwise,
  listedOtherwise,
  type ShownGovernor,
} from '../../models/kingdoms/directory.ts';
import { changeKnown, knownHistory } from '../../models/kingdoms/histories.ts';
import { digestAtOnce, digestedBefore } from '../../models/scans/digest.ts';
import type { ScanChanges } from '../../models/scans/snapshots.ts';

/** The part of a scan that a history records. */
export interface KeptScan {
  kingdom_id: number;
  captured_at: number;
  source: string;
}

/** Returns the figures of each governor in a scan, with their ranks by power. */
export function seenIn(table: Table): Seen[] {
  const { id, power, score, deads, tiers } = GAMES[table.game].roles;
  const ids = numbersOf(table, id);
  const columns = [power, score, deads, tiers[3], tiers[4]].map((key) => numbersOf(table, key));
  return Array.from(orderBy(table, power), (row, index) => ({
    governor_id: ids[row] as number,
    values: [...columns.map((column) => column[row] as number), index + 1],
    row,
  }));
}

export const historyScan = ({ kingdom_id, captured_at, source }: KeptScan): HistoryScan => ({
  kingdom_id,
  captured_at,
  by_file: isFileTime(source),
});

/** Old days are dropped this many days late, because it rewrites every line. */
const SLACK_DAYS = 8;

function trim(history: History): void {
  const days = [...history.scans.keys()];
  const newest = Math.max(...days);
  if (newest < history.trimmed + SLACK_DAYS || Math.min(...days) >= newest - KEPT_DAYS - SLACK_DAYS) return;
  dropBefore(history, newest - KEPT_DAYS, newest - UNSEEN_DAYS);
  history.trimmed = newest;
}

/** Histories of origins read at once, beside the kingdom’s own history and what its digest depends on. */
const ORIGINS_AT_ONCE = CONNECTIONS - 2;

/** Returns governors with the names and alliances that a scan shows, as the directory is asked for them. */
const shownGovernors = (seen: readonly Seen[], { names, tags }: Shown): ShownGovernor[] =>
  seen.map(({ governor_id, row = 0 }) => [governor_id, names && (names[row] ?? ''), tags && (tags[row] ?? '')]);

/**
 * Adds a scan to the histories of the kingdoms in which its governors live. A governor who came from another kingdom
 * brings their line along; one who was seen in another kingdom since has this scan added to their line there. Written
 * before the directory, so that a line exists wherever the directory points. Idempotent. Returns what else the scan
 * changes.
 */
export async function keepHistory(db: Db, store: R2Bucket, table: Table, kept: KeptScan): Promise<ScanChanges> {
  const { game } = table;
  const { kingdom_id, captured_at } = kept;
  const scan = historyScan(kept);
  const seen = seenIn(table);
  const shown = shownIn(table);
  const finding = listedOtherwise(db, game, kingdom_id, shownGovernors(seen, shown)).then(async (listed) => ({
    listed,
    ...(await cameAndWent(db, store, { game, kingdom_id }, scan, listed)),
  }));
  const comparing = digestedBefore(db, { game, kingdom_id, captured_at });
  // If the history cannot be read, nobody awaits these.
  for (const each of [finding, comparing]) each.catch(() => undefined);
  let changes: ScanChanges = { directory: [], digested: null, packed_at: null };
  await changeKnown(db, store, { game, kingdom_id }, async (history) => {
    const { listed, went, origins } = await finding;
    const gone = new Set([...went.values()].flat());
    const stayed = gone.size === 0 ? seen : seen.filter(({ governor_id }) => !gone.has(governor_id));
    let changed = false;
    for (const [origin, governors] of origins) {
      if (addLines(history, origin, governors)) changed = true;
      if (!shown.tags) leaveAlliances(history, governors);
    }
    if (addScan(history, scan, stayed, shown)) changed = true;
    // A scan that never reached the directory may have left a line here.
    for (const id of gone) if (history.lines.delete(id)) changed = true;
    const directory = directoryChanges(history, scan, listed, gone);
    const before = await comparing;
    // Search has nothing but names. It may still lack a governor who came from a kingdom that waits for its digest.
    const isNamed = directory.every(({ isHere, isRenamed }) => isHere && !isRenamed);
    const digested = isNamed ? digestAtOnce({ kingdom_id, history }, table, captured_at, before) : null;
    changes = { directory, digested, packed_at: before.packed_at };
    if (changed) trim(history);
    return changed;
  });
  const { went } = await finding;
  for (const [home, governors] of went) {
    const gone = new Set(governors);
    const theirs = seen.filter(({ governor_id }) => gone.has(governor_id));
    await changeKnown(db, store, { game, kingdom_id: home }, (history) => addScan(history, scan, theirs, shown));
  }
  return changes;
}

/** Returns what a scan changes in the directory. Governors whom a later scan showed are left out. */
function directoryChanges(
  history: History,
  scan: HistoryScan,
  listed: readonly ListedOtherwise[],
  gone: ReadonlySet<number>,
): DirectoryChange[] {
  return listed.flatMap(({ governor_id, kingdom_id, name: known }) => {
    const line = history.lines.get(governor_id);
    if (!line || gone.has(governor_id) || seenAt(history, line) > scan.captured_at) return [];
    const { name, alliance_tag } = stateOf(line.state, history.columns);
    const power = line.newest.values[0] as number;
    const isHere = kingdom_id === scan.kingdom_id;
    return { governor_id, name, alliance_tag, power, isHere, isRenamed: name !== known };
  });
}

/**
 * Divides the governors that the directory has in other kingdoms into those who came with this scan (`origins`, with
 * their histories) and those who were seen there since (`went`, by kingdom). The line there decides, because the
 * directory only knows when its entry last changed.
 */
async function cameAndWent(
  db: Db,
  store: R2Bucket,
  { game, kingdom_id }: Asked,
  { captured_at }: HistoryScan,
  listed: readonly ListedOtherwise[],
): Promise<{ origins: [History, number[]][]; went: Map<number, number[]> }> {
  const elsewhere = Map.groupBy(
    listed.filter(({ kingdom_id: home }) => home !== null && home !== kingdom_id),
    ({ kingdom_id: home }) => home as number,
  );
  const origins: [History, number[]][] = [];
  const went = new Map<number, number[]>();
  const read = async ([home, governors]: [number, ListedOtherwise[]]): Promise<void> => {
    const history = await knownHistory(db, store, { game, kingdom_id: home });
    const hasSeen = ({ governor_id, captured_at: changed_at }: ListedOtherwise) => {
      const line = history.lines.get(governor_id);
      return Math.max(changed_at ?? 0, line ? seenAt(history, line) : 0) >= captured_at;
    };
    const [stayed, came] = [true, false].map((isThere) =>
      governors.filter((each) => hasSeen(each) === isThere).map(({ governor_id }) => governor_id),
    ) as [number[], number[]];
    if (stayed.length > 0) went.set(home, stayed);
    if (came.length > 0) origins.push([onlyLines(history, came), came]);
  };
  await forEachAtOnce(elsewhere, read, { lanes: ORIGINS_AT_ONCE });
  return { origins, went };
}

function onlyLines(history: History, governors: readonly number[]): History {
  const kept = governors.flatMap((id) => {
    const line = history.lines.get(id);
    return line ? [[id, { ...line, older: line.older.slice(), state: line.state.slice() }] as const] : [];
  });
  return { ...history, lines: new Map(kept) };
}
