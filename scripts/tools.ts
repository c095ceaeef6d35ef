import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';

/** Runs the tools behind npm's commands: linter, compiler, tests. */

export interface Way {
  env?: Record<string, string>;
  /** Prints the output only at the end, so that it does not mix with parallel output. */
  later?: boolean;
  /** Runs at lower priority. */
  yields?: boolean;
}

const WINDOWS = process.platform === 'win32';

const LETS_OTHERS_FIRST = constants.priority.PRIORITY_BELOW_NORMAL;

/** Runs a tool to its end. Returns whether it succeeded. */
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

/** Runs tests, and returns what failed in them as text, or '' if all passed. */
export async function failuresOf(title: string, args: readonly string[], way: Way = {}): Promise<string> {
  const file = join(tmpdir(), `${title} failed`);
  const reporters = ['--reporter=default', '--reporter=./scripts/failed-tests.ts'];
  if (await vitest([...args, ...reporters], { ...way, env: { ...way.env, FAILED_TESTS: file } })) return '';
  return (existsSync(file) && readFileSync(file, 'utf8')) || `${title} ended with an error, see above.\n`;
}

export const build = (): Promise<boolean> => run(process.execPath, ['scripts/build.ts']);

/** Runs lint and types in parallel with the build, which some tests need because they read what visitors receive. */
export async function readAndBuild(): Promise<boolean> {
  const lint = [
    run(tool('biome'), ['check', '--error-on-warnings', '.']),
    run(process.execPath, ['scripts/patterns.ts']),
  ];
  return (await Promise.all([...lint, run(tool('tsc'), ['-b']), build()])).every(Boolean);
}

/** Runs steps one after the other until one fails, prints the total time, and exits with the outcome. */
export async function inOrder(steps: readonly (() => Promise<boolean>)[], what: string): Promise<never> {
  const began = Date.now();
  let well = true;
  for (const step of steps) well &&= await step();
  console.log(`\n${Math.round((Date.now() - began) / 1000)} s${what}.`);
  process.exit(well ? 0 : 1);
}
