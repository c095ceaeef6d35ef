import { KEPT_DAYS } from '../../../domain/boards/leaderboard.ts';
import { addDays, dayOf, dayStart, HOUR_MS } from '../../../domain/days.ts';
import {
  addScan,
  dayNumber,
  emptyHistory,
  type History,
  type HistoryScan,
  mergeState,
  replaceScans,
  scanOf,
} from '../../../domain/history/history.ts';
import { NOTHING } from '../../../domain/history/line.ts';
import { profileOf, shownIn, stateOf } from '../../../domain/history/state.ts';
import type { Db } from '../../db/open.ts';
import { wholeTable } from '../../files/parquet.ts';
import { storedHistory } from '../../gateways/history-store.ts';
import { openIfStored } from '../../gateways/snapshot-store.ts';
import {
  type Asked,
  directoryStatements,
  listedOtherwise,
  notePacked,
  PACKING,
  type StoredCapture,
  scansToPack,
  unpack,
  unpacked,
} from '../../models/kingdoms/directory.ts';
import { changeKnown } from '../../models/kingdoms/histories.ts';
import { recordDay } from '../../models/scans/snapshots.ts';
import { compareWithDirectory } from '../../models/service/history-check.ts';
import { runIsolated } from '../service/one-by-one.ts';
import { historyScan, seenIn } from './keep-history.ts';

/** Makes packed histories from the stored scans, which are the truth. */

/**
 * Adds a stored scan to the histories in `made`: each governor's figures to the kingdom where they are known now. Stores
 * its totals if its day has none.
 */
async function replay(db: Db, store: R2Bucket, asked: Asked, scan: StoredCapture, made: Map<number, History>) {
  const { game, kingdom_id } = asked;
  const snapshot = await openIfStored(store, scan.key);
  if (!snapshot) return;
  const table = await wholeTable(snapshot);
  if (!scan.has_day) await recordDay(db, table, { ...asked, ...scan });
  const seen = seenIn(table);
  const shown = shownIn(table);
  const listed = await listedOtherwise(
    db,
    game,
    kingdom_id,
    seen.map(({ governor_id }) => [governor_id, null, null]),
  );
  const homes = new Map(listed.map((one) => [one.governor_id, one.kingdom_id]));
  const kept = historyScan({ ...scan, kingdom_id });
  for (const [home, theirs] of Map.groupBy(seen, ({ governor_id }) => homes.get(governor_id) ?? kingdom_id)) {
    const history = made.get(home) ?? emptyHistory();
    made.set(home, history);
    addScan(history, kept, theirs, shown);
  }
}

/**
 * Returns the states whose profile no replayed scan read, for example because it is older than the kept days. Empties
 * the others, because their scan may have been recalled.
 */
function keptStates(stored: History, isKept: (scan: HistoryScan) => boolean): Map<number, Uint8Array> {
  const kept = new Map<number, Uint8Array>();
  for (const [governor, line] of stored.lines) {
    const { profile_at } = profileOf(line.state);
    const scans = profile_at === null ? [] : (stored.scans.get(dayNumber(profile_at)) ?? []);
    const scan = scans.find(({ captured_at }) => captured_at === profile_at);
    if (scan && !isKept(scan)) line.state = NOTHING;
    else kept.set(governor, line.state);
  }
  return kept;
}

/**
 * Enters governors of a history into the directory that lacks them, because the scan that last changed their entry was
 * recalled. The kingdoms of those whom it had moved are packed again.
 */
async function listAgain(db: Db, { game, kingdom_id }: Asked, history: History): Promise<void> {
  const ids = [...history.lines.keys()];
  const listed = await listedOtherwise(
    db,
    game,
    kingdom_id,
    ids.map((id) => [id, null, null]),
  );
  const lacking = listed.flatMap(({ governor_id, kingdom_id: home }) => {
    const line = home === null && history.lines.get(governor_id);
    return line ? [{ governor_id, line, scan: scanOf(history, line.newest) }] : [];
  });
  for (const [scan, governors] of Map.groupBy(lacking, (one) => one.scan)) {
    const changes = governors.map(({ governor_id, line }) => {
      const { name, alliance_tag } = stateOf(line.state, history.columns);
      const power = line.newest.values[0] as number;
      return { governor_id, name, alliance_tag, power, isHere: false, isRenamed: true };
    });
    if (scan.kingdom_id !== kingdom_id) await unpack(db, [{ game, kingdom_id: scan.kingdom_id }]);
    await db.directory(game).batch(directoryStatements(db, { game, ...scan }, changes));
  }
}

/**
 * Makes a kingdom's history again from its scans of the kept days, also in the lines of governors who moved on. Keeps
 * what scans after `settled` showed, because their snapshots may not be recorded yet, and what was last known before
 * the kept days. Idempotent, and safe while scans come in: starts again if an older scan was recorded meanwhile. One that
 * is recorded afterwards, but was in the history before, has the kingdom packed again (`recordSnapshot`).
 */
export async function packKingdom(
  db: Db,
  store: R2Bucket,
  asked: Asked,
  now: number,
  settled = now - HOUR_MS,
): Promise<void> {
  const { game, kingdom_id } = asked;
  const since = dayStart(addDays(dayOf(now), -KEPT_DAYS));
  const scans = await scansToPack(db, asked, since);
  const made = new Map([[kingdom_id, emptyHistory()]]);
  for (const scan of scans) {
    await replay(db, store, asked, scan, made);
    // Lets requests of a local copy in, because its storage runs in the same process.
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  const isKept = (scan: HistoryScan) =>
    scan.kingdom_id !== kingdom_id || scan.captured_at > settled || scan.captured_at < since;
  let packed = emptyHistory();
  for (const [home, history] of made)
    await changeKnown(db, store, { game, kingdom_id: home }, async (stored) => {
      if (home === kingdom_id) packed = stored;
      const kept = keptStates(stored, isKept);
      const { changed: isReplaced, incomplete } = replaceScans(stored, kingdom_id, history, isKept);
      let changed = isReplaced;
      // Before the change is written, so that it is not forgotten.
      if (incomplete.size > 0)
        await unpack(
          db,
          [...incomplete].map((other) => ({ game, kingdom_id: other })),
        );
      for (const [governor, state] of kept)
        if (mergeState(stored, governor, 0, { state, seen_at: 0, columns: stored.columns })) changed = true;
      return changed;
    });
  await listAgain(db, asked, packed);
  const keys = scans.map(({ key }) => key);
  if (await notePacked(db, asked, { keys, since, settled })) return;
  const listed = await scansToPack(db, asked, since);
  if (listed.some(({ key, captured_at }) => captured_at <= settled && !keys.includes(key)))
    await packKingdom(db, store, asked, now, settled);
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
