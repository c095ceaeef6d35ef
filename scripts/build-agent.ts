import { copyFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build, type Rolldown } from 'vite';
import { ROOT } from './settings.ts';

/**
 * `npm run build:agent [folder]` builds the bots' agent as one file that needs only Node, plus the files to run it
 * elsewhere.
 */

const FILE = 'muster-agent.mjs';
const BESIDE = ['Dockerfile', 'muster-agent.service', 'README.md'];

/** Writes the agent into a folder. Returns the paths of the modules in its file. */
export async function buildAgent(folder: string): Promise<string[]> {
  const built = (await build({
    root: ROOT,
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    ssr: { noExternal: true },
    build: {
      ssr: 'fleet/agent.ts',
      outDir: folder,
      emptyOutDir: false,
      target: 'node22',
      minify: false,
      rolldownOptions: { output: { entryFileNames: FILE, codeSplitting: false } },
    },
  })) as Rolldown.RolldownOutput;
  for (const name of BESIDE) copyFileSync(join(ROOT, 'fleet', name), join(folder, name));
  return built.output.flatMap((part) => (part.type === 'chunk' ? Object.keys(part.modules) : []));
}

if (import.meta.main) {
  const folder = resolve(process.env.INIT_CWD ?? '.', process.argv[2] ?? join(ROOT, 'dist/agent'));
  await buildAgent(folder);
  console.log(`The agent is ${join(folder, FILE)}. README.md next to it says how to run it.`);
}
