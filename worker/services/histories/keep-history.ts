import { KEPT_DAYS } from '../../../domain/boards/leaderboard.ts';
import { GAMES } from '../../../domain/games/games.ts';
import {
  addLines,
  addScan,
  dropBefore,
  type History,
  type HistoryScan,
  type Seen,
} from '../../../domain/history/history.ts';
import { isFileTime } from '../../../domain/scans/file-time.ts';
import { numbersOf, orderBy, type Table } from '../../../domain/scans/rows.ts';
import type { Db } from '../../db/open.ts';
import { changeHistory, storedHistory } from '../../gateways/history-store.ts';
import { CONNECTIONS, forEachAtOnce } from '../../isolate/at-once.ts';
import { type Elsewhere, lastSeenElsewhere, unpack } from '../../models/kingdoms/directory.ts';

/** A scan of a kingdom as its history has it. */
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
  const oldest = Math.max(...days) - KEPT_DAYS;
  if (Math.min(...days) < oldest - SLACK_DAYS) dropBefore(history, oldest);
}

/** Histories of origins read at once. The kingdom's own history and the directory are read meanwhile. */
const ORIGINS_AT_ONCE = CONNECTIONS - 2;

/**
 * Adds a scan to the histories of the kingdoms in which its governors live. A governor who came from another kingdom
 * brings their line along; one who was seen in another kingdom since has this scan added to their line there. Written
 * before the directory, so that a line exists wherever the directory points. Idempotent.
 */
export async function keepHistory(db: Db, store: R2Bucket, table: Table, kept: KeptScan): Promise<void> {
  const { game } = table;
  const scan = historyScan(kept);
  const seen = seenIn(table);
  const finding = lastSeenElsewhere(
    db,
    game,
    kept.kingdom_id,
    seen.map(({ governor_id }) => governor_id),
  ).then(async (elsewhere) => {
    const came = byKingdom(elsewhere.filter(({ captured_at }) => captured_at < scan.captured_at));
    const went = byKingdom(elsewhere.filter(({ captured_at }) => captured_at >= scan.captured_at));
    return { went, origins: await originsOf(store, game, came) };
  });
  // If the history cannot be read, nobody awaits this.
  finding.catch(() => undefined);
  let left: Awaited<typeof finding>['went'] = new Map();
  await changeHistory(store, { game, kingdom_id: kept.kingdom_id }, async (history, isOther) => {
    if (isOther) await unpack(db, [{ game, kingdom_id: kept.kingdom_id }]);
    const { went, origins } = await finding;
    left = went;
    const gone = new Set([...went.values()].flat());
    const stayed = gone.size === 0 ? seen : seen.filter(({ governor_id }) => !gone.has(governor_id));
    let changed = addScan(history, scan, stayed);
    for (const [origin, governors] of origins) if (addLines(history, origin, governors)) changed = true;
    if (changed) trim(history);
    return changed;
  });
  for (const [kingdom_id, governors] of left) {
    const gone = new Set(governors);
    const theirs = seen.filter(({ governor_id }) => gone.has(governor_id));
    await changeHistory(store, { game, kingdom_id }, async (history, isOther) => {
      if (isOther) await unpack(db, [{ game, kingdom_id }]);
      return addScan(history, scan, theirs);
    });
  }
}

function byKingdom(elsewhere: readonly Elsewhere[]): Map<number, number[]> {
  const groups = Map.groupBy(elsewhere, ({ kingdom_id }) => kingdom_id);
  return new Map([...groups].map(([kingdom, each]) => [kingdom, each.map(({ governor_id }) => governor_id)]));
}

/** Returns the histories of the kingdoms from which governors came, with only those governors' lines in memory. */
async function originsOf(store: R2Bucket, game: Table['game'], came: ReadonlyMap<number, number[]>) {
  const origins: [History, number[]][] = [];
  const read = async ([kingdom_id, governors]: [number, number[]]): Promise<void> => {
    const history = await storedHistory(store, { game, kingdom_id });
    if (history) origins.push([onlyLines(history, governors), governors]);
  };
  await forEachAtOnce(came, read, { lanes: ORIGINS_AT_ONCE });
  return origins;
}

function onlyLines({ scans, lines }: History, governors: readonly number[]): History {
  const kept = governors.flatMap((id) => {
    const line = lines.get(id);
    return line ? [[id, { ...line, older: line.older.slice() }] as const] : [];
  });
  return { scans, lines: new Map(kept) };
}
