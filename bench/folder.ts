import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
/** More than any benchmark stores. */
const ROOM_BYTES = 6 * 1024 ** 3;

/**
 * Runs a benchmark with a folder for what its simulators store, and removes it afterwards. In memory where the machine
 * has a place for that: simulators wait for the disk at every write, which services in the cloud do not.
 */
export async function withFolder<Result>(use: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(hasRoom(MEMORY) ? MEMORY : tmpdir(), 'muster-bench-'));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function hasRoom(path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize > ROOM_BYTES;
  } catch {
    // Not a Linux machine.
    return false;
  }
}
