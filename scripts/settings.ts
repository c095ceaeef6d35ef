import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';

/** The clone's top folder, as an absolute path. */
export const ROOT = resolve(import.meta.dirname, '..');

/** What a copy of the service is started with. */
export interface Settings {
  port: number;
  /** Database, objects, buckets and secrets of this copy (absolute). */
  stateDir: string;
  /** A folder of scan files for the agent (absolute); null: the simulated world. */
  scansDir: string | null;
}

/** Something that whoever starts the service can put right: shown as one sentence, without a stack. */
export class Problem extends Error {}

/** Reads PORT (8787), STATE_DIR (.state) and SCANS_DIR; relative folders count from where the command was called. */
export function settingsOf(env: NodeJS.ProcessEnv): Settings {
  const port = Number(env.PORT || 8787);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new Problem(`PORT is no port: ${env.PORT}`);
  // npm changes into the clone; INIT_CWD is where its user stands.
  const here = env.INIT_CWD ?? process.cwd();
  const stateDir = env.STATE_DIR ? resolve(here, env.STATE_DIR) : resolve(ROOT, '.state');
  mkdirSync(stateDir, { recursive: true });
  return { port, stateDir, scansDir: env.SCANS_DIR ? resolve(here, env.SCANS_DIR) : null };
}
