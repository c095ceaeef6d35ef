import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';

/** The clone's top folder, as an absolute path. */
export const ROOT = resolve(import.meta.dirname, '..');

/** Settings of a copy of the service. */
export interface Settings {
  port: number;
  /** Database, objects, buckets and secrets of this copy (absolute path). */
  stateDir: string;
  /** A folder of scan files for the agent (absolute path); null for the simulated world. */
  scansDir: string | null;
}

/** A problem that the operator can fix, shown as one sentence without a stack trace. */
export class Problem extends Error {}

/** Flags that choose what a command works on. */
const TARGET_FLAGS = ['env', 'remote', 'config'];

/** Refuses a call whose flags npm took for its own, because the command would work on another target than was named. */
function refuseLostFlags(env: NodeJS.ProcessEnv): void {
  const lost = TARGET_FLAGS.find((flag) => env[`npm_config_${flag}`] !== undefined);
  if (lost)
    throw new Problem(
      `npm kept --${lost} for itself: write -- before the flags, as in \`npm run ${env.npm_lifecycle_event ?? 'deploy'} -- --${lost} …\`.`,
    );
}

/**
 * Runs an operator's command. Prints a Problem or an unknown option as one sentence, and any other error with its stack
 * trace.
 */
export async function runCommand(main: () => Promise<void> | void): Promise<void> {
  try {
    refuseLostFlags(process.env);
    await main();
  } catch (error) {
    const isTold = error instanceof Problem || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS');
    console.error(isTold ? (error as Error).message : error);
    process.exitCode = 1;
  }
}

/** Reads PORT (8787), STATE_DIR (.state) and SCANS_DIR. Relative folders are resolved against the caller's folder. */
export function settingsOf(env: NodeJS.ProcessEnv): Settings {
  const port = Number(env.PORT || 8787);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new Problem(`PORT is not a port number: ${env.PORT}`);
  // npm changes into the clone; INIT_CWD is the caller's folder.
  const here = env.INIT_CWD ?? process.cwd();
  const stateDir = env.STATE_DIR ? resolve(here, env.STATE_DIR) : resolve(ROOT, '.state');
  mkdirSync(stateDir, { recursive: true });
  return { port, stateDir, scansDir: env.SCANS_DIR ? resolve(here, env.SCANS_DIR) : null };
}
