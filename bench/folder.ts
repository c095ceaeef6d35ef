import { rmSync } from 'node:fs';
import { quickFolder } from '../scripts/temporary.ts';

/** Runs a benchmark with a folder for its simulators' data, and removes it afterwards. */
export async function withFolder<Result>(use: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = quickFolder('muster-bench-');
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
