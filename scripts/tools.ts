import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';

/** The tools that npm's commands run: the linter, the compiler, the tests. */

export interface Way {
  env?: Record<string, string>;
  /** Says what it has to say once it has ended, so that it does not talk into what runs beside it. */
  later?: boolean;
  /** Gives way to what runs beside it. */
  yields?: boolean;
}

const WINDOWS = process.platform === 'win32';

const LETS_OTHERS_FIRST = constants.priority.PRIORITY_BELOW_NORMAL;

/** Runs a tool to its end; answers whether it ended well. */
export function run(command: string, args: readonly string[], { env, later, yields }: Way = {}): Promise<boolean> {
  const child = spawn(command, args, {
    stdio: later ? ['ignore', 'pipe', 'pipe'] : 'inherit',
    env: { ...process.env, ...(later && process.stdout.isTTY && { FORCE_COLOR: '1' }), ...env },
    shell: WINDOWS,
  });
  if (yields && child.pid !== undefined) setPriority(child.pid, LETS_OTHERS_FIRST);
  const said: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => said.push(chunk));
  return new Promise((done) => {
    child.once('error', () => done(false));
    child.once('close', (code) => {
      process.stdout.write(Buffer.concat(said));
      done(code === 0);
    });
  });
}

const tool = (name: string): string => join('node_modules', '.bin', name);

export const vitest = (args: readonly string[], way?: Way): Promise<boolean> =>
  run(tool('vitest'), ['run', ...args], way);

export const build = (): Promise<boolean> => run(process.execPath, ['scripts/build.ts']);

/** What reads the source without running it, and beside it the build: some tests read what a visitor is sent. */
export async function readAndBuild(): Promise<boolean> {
  const lint = [
    run(tool('biome'), ['check', '--error-on-warnings', '.']),
    run(process.execPath, ['scripts/patterns.ts']),
  ];
  return (await Promise.all([...lint, run(tool('tsc'), ['-b']), build()])).every(Boolean);
}

/** Runs steps one after the other until one fails, tells how long all took, and ends this process with the outcome. */
export async function inOrder(steps: readonly (() => Promise<boolean>)[], what: string): Promise<never> {
  const began = Date.now();
  let well = true;
  for (const step of steps) well &&= await step();
  console.log(`\n${Math.round((Date.now() - began) / 1000)} s${what}.`);
  process.exit(well ? 0 : 1);
}
