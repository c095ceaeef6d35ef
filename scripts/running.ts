import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Records which process has a local copy's database open, because two at once lock each other out. */

const fileOf = (stateDir: string): string => join(stateDir, 'running.pid');

/** Returns the process id of the copy that runs in the folder, or null. */
export function runningIn(stateDir: string): number | null {
  const file = fileOf(stateDir);
  const pid = existsSync(file) ? Number(readFileSync(file, 'utf8')) : Number.NaN;
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return null;
  try {
    process.kill(pid, 0);
    return pid;
  } catch {
    // It was killed and left its file behind.
    return null;
  }
}

/** Records that this process has the folder's database open, until it ends. */
export function noteRunning(stateDir: string): void {
  const file = fileOf(stateDir);
  writeFileSync(file, String(process.pid));
  process.once('exit', () => rmSync(file, { force: true }));
}
