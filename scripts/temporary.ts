import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
/** More than the tests or any benchmark store. */
const ROOM_BYTES = 6 * 1024 ** 3;

/**
 * A new folder for what nobody keeps, in memory where the machine has a place for that: simulators wait for the disk at
 * every write, which services in the cloud do not.
 */
export const quickFolder = (prefix: string): string => mkdtempSync(join(hasRoom(MEMORY) ? MEMORY : tmpdir(), prefix));

function hasRoom(path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize > ROOM_BYTES;
  } catch {
    // Not a Linux machine.
    return false;
  }
}

/** From here on this process and those that it starts keep what is temporary in such a folder, which goes when it ends. */
export function keepTemporaryInMemory(): void {
  const folder = quickFolder('muster-test-');
  process.env.TMPDIR = folder;
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => process.exit(128 + constants.signals[signal]));
}
