import { createWriteStream, existsSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { R2Object } from '@cloudflare/workers-types';
import type { Day } from '../../domain/days.ts';
import { GAME_IDS, type GameId } from '../../domain/games/game-names.ts';
import { dayOfKey, scansPrefix } from '../../worker/gateways/snapshot-store.ts';
import { objectsIn } from '../../worker/gateways/stored-objects.ts';
import { forEachAtOnce } from '../../worker/isolate/at-once.ts';
import { pathOf } from './backup.ts';
import type { Platform } from './platform.ts';

/** Which scans to copy; everything that is undefined does not restrict them. */
interface ScanRange {
  game?: GameId | undefined;
  kingdoms?: readonly number[] | undefined;
  /** First and last UTC day. */
  from?: Day | undefined;
  to?: Day | undefined;
}

/** Yields the scans of a range. Lists only the folders of its games and kingdoms. */
async function* scansIn(store: Platform['store'], { game, kingdoms, from, to }: ScanRange): AsyncGenerator<R2Object> {
  for (const of of game ? [game] : GAME_IDS)
    for (const kingdom of kingdoms ?? [undefined])
      for await (const object of objectsIn(store, scansPrefix(of, kingdom))) {
        const day = dayOfKey(object.key);
        if ((!from || day >= from) && (!to || day <= to)) yield object;
      }
}

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
  await forEachAtOnce(scansIn(store, range), async ({ key, size }) => {
    const file = join(folder, pathOf(key));
    scans += 1;
    if (existsSync(file) && statSync(file).size === size) return;
    const object = await store.get(key);
    if (!object) return;
    mkdirSync(dirname(file), { recursive: true });
    // Under another name until it is whole, so that no query reads half a file.
    const part = `${file}.part`;
    await pipeline(object.body as unknown as AsyncIterable<Uint8Array>, createWriteStream(part));
    renameSync(part, file);
    copied += 1;
  });
  return { scans, copied };
}
