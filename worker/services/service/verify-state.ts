import { gunzipSync } from 'node:zlib';
import { BOARD_IDS, type BoardManifest, ROWS_PER_PAGE } from '../../../domain/boards/leaderboard.ts';
import { GAME_IDS } from '../../../domain/games/games.ts';
import type { Db } from '../../db/open.ts';
import { type BoardPart, type BoardSet, boardKey, readBoardManifest } from '../../gateways/board-store.ts';
import { openStored } from '../../gateways/snapshot-store.ts';
import { objectsIn } from '../../gateways/stored-objects.ts';
import { forEachAtOnce } from '../../isolate/at-once.ts';
import { flawsOfDatabase, ownedFolders, type SnapshotEntry, snapshotsAfter } from '../../models/service/state-check.ts';
import { checkHistories } from './verify-histories.ts';

/** Checks the whole state, database and bucket, and reports inconsistencies. */

interface Verified {
  flaws: string[];
  snapshots: number;
  objects: number;
  boards: number;
}

const SNAPSHOTS_AT_ONCE = 100;
const READ_AT_ONCE = 4;

/** Folders of derived objects, which are recreated if missing, and of incoming files. */
const MADE_AGAIN = ['exports/', 'sums/', 'answers/', 'arriving/'];

/** Reads all rows of a snapshot. Returns what is wrong, or null. */
async function flawOfSnapshot(store: R2Bucket, { key, rows, bytes }: SnapshotEntry, size: number | undefined) {
  if (size === undefined) return `The snapshot ${key} has a row and no object.`;
  if (size !== bytes) return `The snapshot ${key} has ${size} bytes instead of ${bytes}.`;
  try {
    let count = 0;
    const snapshot = await openStored(store, key);
    for await (const table of snapshot.groups()) count += table.count;
    return count === rows ? null : `The snapshot ${key} has ${count} rows instead of ${rows}.`;
  } catch (error) {
    return `The snapshot ${key} cannot be read: ${(error as Error).message}`;
  }
}

async function checkSnapshots(db: Db, store: R2Bucket, keys: ReadonlyMap<string, number>, known: Set<string>) {
  const flaws: string[] = [];
  let count = 0;
  for (let after = ''; ; ) {
    const page = await snapshotsAfter(db, after, SNAPSHOTS_AT_ONCE);
    const check = async (entry: SnapshotEntry): Promise<void> => {
      const flaw = await flawOfSnapshot(store, entry, keys.get(entry.key));
      if (flaw) flaws.push(flaw);
      known.add(entry.key);
    };
    await forEachAtOnce(page, check, { lanes: READ_AT_ONCE });
    count += page.length;
    const last = page.at(-1);
    if (!last) return { flaws, count };
    after = last.key;
  }
}

/** Returns the sets of objects in the boards' manifest. */
const setsIn = (manifest: BoardManifest): (BoardSet & { total: number })[] =>
  GAME_IDS.flatMap((game) =>
    Object.entries(manifest[game].days).flatMap(([day, { boards }]) =>
      BOARD_IDS.flatMap((board) => {
        const published = boards[board];
        return published ? [{ game, board, day, version: published.version, total: published.total }] : [];
      }),
    ),
  );

async function flawsOfBoard(store: R2Bucket, set: BoardSet & { total: number }, keys: ReadonlyMap<string, number>) {
  const pages = Math.max(1, Math.ceil(set.total / ROWS_PER_PAGE));
  const parts: BoardPart[] = ['all', 'ranks', ...Array.from({ length: pages }, (_, page) => `page-${page}` as const)];
  const lacking = parts.find((part) => !keys.has(boardKey(set, part)));
  const name = `The board ${set.game} ${set.board} of ${set.day}`;
  if (lacking) return [`${name} lacks ${lacking}, which its manifest names.`];
  const object = await store.get(boardKey(set, 'ranks'));
  const ranks = object ? (JSON.parse(gunzipSync(await object.arrayBuffer()).toString()) as unknown[]) : [];
  return ranks.length === set.total ? [] : [`${name} has ${ranks.length} rows instead of ${set.total}.`];
}

/** Returns objects in the bucket that nothing refers to. */
function strays(
  keys: Iterable<string>,
  known: ReadonlySet<string>,
  boards: ReadonlySet<string>,
  owned: ReadonlySet<string>,
): string[] {
  const folderOf = (key: string): string => key.slice(0, key.lastIndexOf('/'));
  // A rebuilt board's earlier versions stay until its day is deleted.
  const days = new Set([...boards].map(folderOf));
  return [...keys].filter((key) => {
    if (known.has(key) || MADE_AGAIN.some((folder) => key.startsWith(folder))) return false;
    if (key === 'boards/manifest.json') return false;
    const parts = key.split('/');
    if (owned.has(parts.slice(0, 2).join('/')) || owned.has(parts.slice(0, 3).join('/'))) return false;
    return !(key.startsWith('boards/') && days.has(folderOf(folderOf(key))));
  });
}

const MOST_TOLD = 20;

/**
 * Checks the database against its rules (worker/models/service/state-check.ts), snapshots against the bucket, packed
 * histories against the directory and some of their scans, and boards against their manifest. On a running service,
 * work in progress may show up.
 */
export async function verifyState(db: Db, store: R2Bucket, now = Date.now()): Promise<Verified> {
  const flaws = await flawsOfDatabase(db, now);
  const keys = new Map<string, number>();
  for await (const { key, size } of objectsIn(store)) keys.set(key, size);
  const known = new Set<string>();
  const snapshots = await checkSnapshots(db, store, keys, known);
  flaws.push(...snapshots.flaws);
  for await (const checked of checkHistories(db, store, {}, now)) flaws.push(...checked.flaws);
  const sets = setsIn((await readBoardManifest(store)).manifest);
  for (const set of sets) flaws.push(...(await flawsOfBoard(store, set, keys)));
  const folders = new Set(sets.map((set) => boardKey(set, 'all')).map((key) => key.slice(0, key.lastIndexOf('/'))));
  const found = strays(keys.keys(), known, folders, await ownedFolders(db));
  flaws.push(...found.slice(0, MOST_TOLD).map((key) => `The object ${key} belongs to nothing that is known.`));
  if (found.length > MOST_TOLD) flaws.push(`${found.length - MOST_TOLD} more objects belong to nothing.`);
  return { flaws, snapshots: snapshots.count, objects: keys.size, boards: sets.length };
}
