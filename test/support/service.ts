import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const ROOT = resolve(import.meta.dirname, '../..');

/** A copy of the service, started as `npm start` starts it, with a state folder of its own. */
export interface Service {
  address: string;
  stateDir: string;
  /** Its output so far. */
  output(): string;
  /** Process ids of everything it runs, by what they are. */
  processes(): { start: number; workerd: number[]; agent: number[] };
  /** Ends it as Ctrl-C does and answers the exit code; the state stays. */
  stop(signal?: 'SIGINT' | 'SIGTERM'): Promise<number | null>;
  /** Kills everything at once, as a power cut does; the state stays. */
  kill(): Promise<void>;
  /** Starts it again on the same port and state; of another release if its folder is given. */
  start(root?: string): Promise<void>;
  /** Ends it and reads its whole state; answers what does not fit in it. */
  verify(): Promise<string[]>;
  /** Stops the service if it runs, and deletes its state. */
  remove(): Promise<void>;
}

/** A port that was free a moment ago. */
export const freePort = (): Promise<number> =>
  new Promise((done, fail) => {
    const probe = createServer()
      .once('error', fail)
      .listen(0, '127.0.0.1', () => {
        const address = probe.address();
        probe.close(() => done(typeof address === 'object' && address ? address.port : 0));
      });
  });

/** Process ids of the children of a process whose command holds `word`. */
function childrenOf(parent: number, word: string): number[] {
  const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat=,args='], { encoding: 'utf8' });
  return table
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(
      ([, ppid, stat, ...args]) => Number(ppid) === parent && !stat?.startsWith('Z') && args.join(' ').includes(word),
    )
    .map(([pid]) => Number(pid));
}

/** True while a process is there and is no zombie. */
export const isAlive = (pid: number): boolean => {
  try {
    const stat = execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    return stat !== '' && !stat.startsWith('Z');
  } catch {
    return false;
  }
};

/** What `npm run admin -- verify` finds in a copy's state. */
export function flawsOf(stateDir: string): string[] {
  const { stdout, stderr } = spawnSync(process.execPath, ['scripts/admin.ts', 'verify'], {
    cwd: ROOT,
    env: { ...process.env, STATE_DIR: stateDir },
    encoding: 'utf8',
  });
  if (stdout.trim().endsWith('Everything fits.')) return [];
  return stderr.trim().split('\n');
}

/**
 * Starts a copy of the service on a free port and waits until it says that it is ready. `settings` go into its
 * environment: SCANS_DIR, READY_PRODUCTS, LEASE_SECONDS, PACE_MS (of the agent), … `release` is another release's folder.
 */
export async function startService(settings: Record<string, string> = {}, release = ROOT): Promise<Service> {
  const port = await freePort();
  const stateDir = mkdtempSync(join(tmpdir(), 'muster-'));
  let child: ChildProcess | null = null;
  let printed = '';

  const ended = (process: ChildProcess): Promise<number | null> =>
    process.exitCode !== null || process.signalCode !== null
      ? Promise.resolve(process.exitCode)
      : new Promise((done) => process.once('exit', done));

  function launch(root: string): ChildProcess {
    const { INIT_CWD: _, SCANS_DIR: __, ...env } = process.env;
    const started = spawn(process.execPath, ['scripts/start.ts'], {
      cwd: root,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...env, PORT: String(port), STATE_DIR: stateDir, ...settings },
    });
    for (const stream of [started.stdout, started.stderr])
      stream?.on('data', (chunk: Buffer) => {
        printed += chunk;
      });
    return started;
  }

  const service: Service = {
    address: `http://127.0.0.1:${port}`,
    stateDir,
    output: () => printed,
    processes() {
      const start = child?.pid ?? 0;
      return { start, workerd: childrenOf(start, 'workerd serve'), agent: childrenOf(start, 'fleet/agent.ts') };
    },
    async start(root = ROOT) {
      printed = '';
      child = launch(root);
      while (!printed.includes('Muster is ready')) {
        if (child.exitCode !== null || child.signalCode !== null) throw new Error(`It did not start:\n${printed}`);
        await sleep(50);
      }
    },
    async stop(signal = 'SIGINT') {
      if (!child) return null;
      const running = child;
      child = null;
      running.kill(signal);
      return ended(running);
    },
    async kill() {
      if (!child) return;
      const running = child;
      const { start, workerd, agent } = service.processes();
      child = null;
      for (const pid of [start, ...workerd, ...agent]) process.kill(pid, 'SIGKILL');
      await ended(running);
    },
    async verify() {
      await service.stop();
      return flawsOf(stateDir);
    },
    async remove() {
      await service.stop();
      rmSync(stateDir, { recursive: true, force: true });
    },
  };
  try {
    await service.start(release);
  } catch (error) {
    await service.remove();
    throw error;
  }
  return service;
}
