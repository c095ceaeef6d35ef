import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Day } from '../../domain/days.ts';
import type { GameId } from '../../domain/games/game-names.ts';
import { partOfKey, SCANS_PREFIX } from '../../worker/gateways/snapshot-store.ts';
import { eachObject, objectsIn, pathOf, writeTo } from './backup.ts';
import type { Platform } from './platform.ts';

/** Which scans to copy; everything that is undefined does not restrict them. */
export interface ScanRange {
  game?: GameId | undefined;
  /** First and last UTC day. */
  from?: Day | undefined;
  to?: Day | undefined;
}

const includes = ({ game, from, to }: ScanRange, key: string): boolean => {
  const part = partOfKey(key);
  return (!game || part.game === game) && (!from || part.day >= from) && (!to || part.day <= to);
};

/**
 * Copies the Parquet files of scans into a folder, under their keys, so that query engines find the same partitions
 * there. Files that the folder already has are not copied again. Returns how many it has now and how many are new.
 */
export async function copyScans(
  { store }: Pick<Platform, 'store'>,
  folder: string,
  range: ScanRange,
): Promise<{ scans: number; copied: number }> {
  let [scans, copied] = [0, 0];
  await eachObject(objectsIn(store, SCANS_PREFIX), async ({ key, size }) => {
    if (!includes(range, key)) return;
    const path = pathOf(key);
    const file = join(folder, path);
    scans += 1;
    if (existsSync(file) && statSync(file).size === size) return;
    const object = await store.get(key);
    if (!object) return;
    writeTo(folder, path, new Uint8Array(await object.arrayBuffer()));
    copied += 1;
  });
  return { scans, copied };
}
