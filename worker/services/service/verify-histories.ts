import { KEPT_DAYS } from '../../../domain/boards/leaderboard.ts';
import { addDays, dayOf, dayStart, HOUR_MS } from '../../../domain/days.ts';
import { GAME_IDS } from '../../../domain/games/games.ts';
import { countDiffering, countStrange } from '../../../domain/history/fit.ts';
import { dayNumber, type History } from '../../../domain/history/history.ts';
import type { Table } from '../../../domain/scans/rows.ts';
import type { Db } from '../../db/open.ts';
import { wholeTable } from '../../files/parquet.ts';
import { storedHistory } from '../../gateways/history-store.ts';
import { openIfStored } from '../../gateways/snapshot-store.ts';
import { type Asked, listedOtherwise, type StoredCapture, scansToPack } from '../../models/kingdoms/directory.ts';
import { compareWithDirectory, packedAfter } from '../../models/service/history-check.ts';
import { historyScan, seenIn } from '../histories/keep-history.ts';

/** Checks packed histories against the directory and against the scans from which they were made. */

/** Kingdom before all others. */
const FIRST: Asked = { game: GAME_IDS[0], kingdom_id: 0 };
const KINGDOMS_AT_ONCE = 100;
/** Scans of a kingdom that a check reads, unless it reads all. */
const SAMPLED = 3;

interface HistoryCheck {
  /** Goes on behind this kingdom. */
  after?: Asked | undefined;
  /** Reads every scan of the kept days. Otherwise it reads some, other ones each day. */
  all?: boolean;
}

/** What was found in a kingdom's history. */
interface CheckedHistory {
  asked: Asked;
  scans: number;
  flaws: string[];
  /** Keys of scans that are missing or cannot be read. */
  unread: string[];
}

/** Yields each packed kingdom, in order, with what does not fit. */
export async function* checkHistories(
  db: Db,
  store: R2Bucket,
  { after = FIRST, all = false }: HistoryCheck,
  now: number,
): AsyncGenerator<CheckedHistory> {
  for (let last = after; ; ) {
    const page = await packedAfter(db, last, KINGDOMS_AT_ONCE);
    for (const asked of page) yield await checkHistory(db, store, asked, all, now);
    const end = page.at(-1);
    if (!end) return;
    last = end;
  }
}

async function checkHistory(db: Db, store: R2Bucket, asked: Asked, all: boolean, now: number): Promise<CheckedHistory> {
  const name = `The packed history of ${asked.game} ${asked.kingdom_id}`;
  const first = dayStart(addDays(dayOf(now), -KEPT_DAYS));
  // Listed first, because a scan is added to the history before it is recorded.
  const stored = await scansToPack(db, asked, first);
  const own = await storedHistory(store, asked).catch(() => null);
  if (!own)
    return {
      asked,
      scans: 0,
      unread: [],
      flaws: [
        `${name} is missing or cannot be read: npm run admin -- rebuild-history ${asked.game} ${asked.kingdom_id}.`,
      ],
    };
  const flaws: string[] = [];
  const { compared, differing } = await compareWithDirectory(db, asked, own, now);
  if (differing > 0) flaws.push(`${name} differs from the directory in ${differing} of ${compared} governors.`);
  const times = new Set(stored.map(({ captured_at }) => captured_at));
  // The snapshot of a newer scan may not be recorded yet.
  const strange = countStrange(
    own,
    dayNumber(first),
    (scan) => scan.kingdom_id !== asked.kingdom_id || times.has(scan.captured_at) || scan.captured_at > now - HOUR_MS,
  );
  if (strange > 0) flaws.push(`${name} has days of ${strange} governors that no stored scan shows.`);
  const homes = new Map<number, History | null>([[asked.kingdom_id, own]]);
  // Scans with the same time are skipped, because the figure kept depends on which arrived first.
  const groups = Map.groupBy(stored, ({ captured_at }) => captured_at);
  const comparable = [...groups.values()].filter((same) => same.length === 1).flat();
  const read = all ? comparable : sampled(comparable, now);
  const unread: string[] = [];
  for (const scan of read) {
    const table = await tableIn(store, scan.key);
    if (!table) {
      unread.push(scan.key);
      continue;
    }
    const found = await differingIn(db, store, { ...asked, ...scan }, table, homes);
    if (found > 0)
      flaws.push(`${name} differs from the scan of ${new Date(scan.captured_at).toISOString()} in ${found} governors.`);
  }
  return { asked, scans: read.length, flaws, unread };
}

/** Returns the scans of every n-th day, other ones each day, so that daily checks come to all of them. */
function sampled(scans: readonly StoredCapture[], now: number): StoredCapture[] {
  const step = Math.max(1, Math.ceil(scans.length / SAMPLED));
  return scans.filter(({ captured_at }) => (dayNumber(captured_at) + dayNumber(now)) % step === 0);
}

async function tableIn(store: R2Bucket, key: string): Promise<Table | null> {
  try {
    const snapshot = await openIfStored(store, key);
    return snapshot && (await wholeTable(snapshot));
  } catch {
    return null;
  }
}

/**
 * Returns how many governors of a scan have another day in the history of the kingdom in which they are known. `homes`
 * has the histories that were read.
 */
async function differingIn(
  db: Db,
  store: R2Bucket,
  scan: Asked & StoredCapture,
  table: Table,
  homes: Map<number, History | null>,
): Promise<number> {
  const { game, kingdom_id } = scan;
  const seen = seenIn(table);
  const shown = seen.map(({ governor_id }) => [governor_id, null, null] as const);
  const listed = await listedOtherwise(db, game, kingdom_id, shown);
  const homeOf = new Map(listed.map((one) => [one.governor_id, one.kingdom_id]));
  let differing = 0;
  for (const [home, theirs] of Map.groupBy(seen, (one) => homeOf.get(one.governor_id) ?? kingdom_id)) {
    if (!homes.has(home)) homes.set(home, await storedHistory(store, { game, kingdom_id: home }).catch(() => null));
    const history = homes.get(home);
    differing += history ? countDiffering(history, historyScan(scan), theirs) : theirs.length;
  }
  return differing;
}
