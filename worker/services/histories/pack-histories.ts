import { KEPT_DAYS } from '../../../domain/boards/leaderboard.ts';
import { addDays, dayOf, dayStart, HOUR_MS } from '../../../domain/days.ts';
import { GAMES } from '../../../domain/games/games.ts';
import {
  addLines,
  addScan,
  emptyHistory,
  type History,
  type HistoryScan,
  keepScans,
} from '../../../domain/history/history.ts';
import type { Db } from '../../db/open.ts';
import { wholeTable } from '../../files/parquet.ts';
import { changeHistory, storedHistory } from '../../gateways/history-store.ts';
import { openIfStored } from '../../gateways/snapshot-store.ts';
import {
  type Asked,
  lastSeenElsewhere,
  notePacked,
  PACKING,
  type StoredCapture,
  scansToPack,
  unpacked,
} from '../../models/kingdoms/directory.ts';
import { compareWithDirectory } from '../../models/service/history-check.ts';
import { runIsolated } from '../service/one-by-one.ts';
import { historyScan, seenIn } from './keep-history.ts';

/** Makes packed histories from the stored scans, which are the truth. */

/** Adds a scan's figures to the history of each kingdom in which its governors are known, all in memory. */
async function replay(db: Db, store: R2Bucket, asked: Asked, scan: StoredCapture, made: Map<number, History>) {
  const { game, kingdom_id } = asked;
  const snapshot = await openIfStored(store, scan.key);
  if (!snapshot) return;
  const { id, power, score, deads, tiers } = GAMES[game].roles;
  const seen = seenIn(await wholeTable(snapshot, [id, power, score, deads, ...tiers]));
  const ids = seen.map(({ governor_id }) => governor_id);
  const elsewhere = await lastSeenElsewhere(db, game, kingdom_id, ids);
  const homes = new Map(elsewhere.map((one) => [one.governor_id, one.kingdom_id]));
  const kept = historyScan({ ...scan, kingdom_id });
  for (const [home, theirs] of Map.groupBy(seen, ({ governor_id }) => homes.get(governor_id) ?? kingdom_id)) {
    const history = made.get(home) ?? emptyHistory();
    made.set(home, history);
    addScan(history, kept, theirs);
  }
}

/**
 * Makes a kingdom's history again from its scans of the kept days, also in the lines of governors who moved on. What
 * scans after `settled` showed stays, because their snapshots may be about to be recorded. Idempotent, and safe while
 * scans come in.
 */
export async function packKingdom(
  db: Db,
  store: R2Bucket,
  asked: Asked,
  now: number,
  settled = now - HOUR_MS,
): Promise<void> {
  const { game, kingdom_id } = asked;
  const scans = await scansToPack(db, asked, dayStart(addDays(dayOf(now), -KEPT_DAYS)));
  const made = new Map([[kingdom_id, emptyHistory()]]);
  for (const scan of scans) {
    await replay(db, store, asked, scan, made);
    // A local copy has its storage in the same process. Unless this waits for a timer, requests wait until all is packed.
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  const isKept = (scan: HistoryScan) => scan.kingdom_id !== kingdom_id || scan.captured_at > settled;
  for (const [home, history] of made)
    await changeHistory(store, { game, kingdom_id: home }, (stored) => {
      const dropped = keepScans(stored, isKept);
      return addLines(stored, history, history.lines.keys()) || dropped;
    });
  await notePacked(db, asked, now);
}

const subjectOf = ({ game, kingdom_id }: Asked): string => `${game} ${kingdom_id}`;

/** Packs all kingdoms whose history is not packed and compares each with the directory. `tell` hears of each. */
export async function rebuildHistories(
  db: Db,
  store: R2Bucket,
  tell: (asked: Asked, told: { compared: number; differing: number }) => void,
  now = Date.now(),
): Promise<{ packed: number; differing: number }> {
  const packed: Asked[] = [];
  for (let rows = await unpacked(db, now); rows.length > 0; rows = await unpacked(db, now))
    for (const asked of rows) {
      await packKingdom(db, store, asked, now);
      packed.push(asked);
    }
  let differing = 0;
  // Compared last, because packing a kingdom adds days to governors who have moved on.
  for (const asked of packed) {
    const history = await storedHistory(store, asked);
    if (!history) throw new Error(`the history of ${subjectOf(asked)} was not stored`);
    const told = await compareWithDirectory(db, asked, history, now);
    differing += told.differing;
    tell(asked, told);
  }
  return { packed: packed.length, differing };
}

/** Packs kingdoms whose history is not packed. Returns how many were tried; 0 if all are done or in backoff. */
export async function packHistories(db: Db, store: R2Bucket, now: number, until: number): Promise<number> {
  let tried = 0;
  for (const asked of await unpacked(db, now)) {
    if (Date.now() > until) break;
    await runIsolated(db, { job: PACKING, subject: subjectOf(asked) }, () => packKingdom(db, store, asked, now), now);
    tried += 1;
  }
  return tried;
}
