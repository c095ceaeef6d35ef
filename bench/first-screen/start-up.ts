import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FOR_A_BUILD } from '../../scripts/build.ts';
import { runNode } from '../../scripts/children.ts';
import { ROOT } from '../../scripts/settings.ts';
import { withFolder } from '../folder.ts';

interface Profile {
  nodes: { id: number; callFrame: { functionName: string } }[];
  samples: number[];
  timeDeltas: number[];
}

/** Returns the ms that an isolate works until it can answer its first request, by wrangler's profile of the start. */
export const startUp = (): Promise<number> =>
  withFolder(async (folder) => {
    const file = join(folder, 'start.cpuprofile');
    const command = ['node_modules/wrangler/bin/wrangler.js', 'check', 'startup', '--args=--env=', `--outfile=${file}`];
    await runNode(command, { cwd: ROOT, env: { ...process.env, ...FOR_A_BUILD } });
    const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(file, 'utf8')) as Profile;
    const idle = new Set(nodes.filter(({ callFrame }) => callFrame.functionName === '(idle)').map(({ id }) => id));
    return samples.reduce((sum, id, at) => sum + (idle.has(id) ? 0 : (timeDeltas[at] ?? 0)), 0) / 1000;
  });
