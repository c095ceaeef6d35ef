import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
/** More than the tests or any benchmark store. */
const ROOM_BYTES = 6 * 1024 ** 3;

/**
 * Creates a temporary folder, in memory if the machine has room. Simulators wait for the disk on every write, unlike
 * services in the cloud.
 */
export const quickFolder = (prefix: string): string => mkdtempSync(join(hasRoom(MEMORY) ? MEMORY : tmpdir(), prefix));

function hasRoom(path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize > ROOM_BYTES;
  } catch {
    // This machine is not Linux.
    return false;
  }
}

/** Makes this process and its children keep temporary files in such a folder, which is deleted at the end. */
export function keepTemporaryInMemory(): void {
  const folder = quickFolder('muster-test-');
  process.env.TMPDIR = folder;
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => process.exit(128 + constants.signals[signal]));
}
