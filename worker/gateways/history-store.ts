import type { GameId } from '../../domain/games/games.ts';
import { historyBytes, readHistory } from '../../domain/history/file.ts';
import { emptyHistory, type History } from '../../domain/history/history.ts';

/** Packed histories of kingdoms in R2, one object each, beside the snapshots from which they are made. */

export interface HistoryName {
  game: GameId;
  kingdom_id: number;
}

/** Folder of all packed histories. */
export const HISTORY_FOLDER = 'kingdom-histories/';

/** Returns the key of a kingdom's history. */
export const historyKey = ({ game, kingdom_id }: HistoryName): string =>
  `${HISTORY_FOLDER}game=${game}/kingdom=${kingdom_id}.bin`;

/** Returns a kingdom's history; null if it has none, or one of another version. */
export async function storedHistory(store: R2Bucket, name: HistoryName): Promise<History | null> {
  const object = await store.get(historyKey(name));
  return object && readHistory(new Uint8Array(await object.arrayBuffer()));
}

/** Two digests of a kingdom at once are rare, so more conflicts in a row than this are a fault. */
const ATTEMPTS = 8;

/** Returns the history of a kingdom that has no file, or one of another version. */
export const unstoredHistory = (): History => ({ ...emptyHistory(), stated: false });

/**
 * Changes a kingdom's history: reads it, lets `change` alter it, and writes it unless another writer was faster; then
 * it starts over. Writes nothing if `change` returns false. If the file is of another version, the history starts empty
 * and `isOther` is true.
 */
export async function changeHistory(
  store: R2Bucket,
  name: HistoryName,
  change: (history: History, isOther: boolean) => Promise<boolean> | boolean,
): Promise<void> {
  const key = historyKey(name);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const object = await store.get(key);
    const known = object && readHistory(new Uint8Array(await object.arrayBuffer()));
    const history = known ?? unstoredHistory();
    if (!(await change(history, object !== null && known === null))) return;
    const onlyIf: R2Conditional = object ? { etagMatches: object.etag } : { etagDoesNotMatch: '*' };
    if (await store.put(key, historyBytes(history), { onlyIf })) return;
  }
  throw new Error(`${key} was changed by others ${ATTEMPTS} times in a row`);
}
