import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { Problem } from './settings.ts';

const running = new Set<ChildProcess>();

/** Ends a process and everything it started. Synchronous, so that it works while this process exits. */
function end(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It had already ended.
  }
}

process.on('exit', () => running.forEach(end));

/** Starts a Node program in a process group of its own, which ends with this process in any case. */
export function startNode(args: string[], options: SpawnOptions): ChildProcess {
  const child = spawn(process.execPath, args, { ...options, detached: true });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** Runs a Node program to its end. If it fails, rejects with a problem that contains all its output. */
export function runNode(args: string[], options: SpawnOptions): Promise<void> {
  const child = startNode(args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (output += chunk));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0 ? resolve() : reject(new Problem(`${args.join(' ')} failed.\n${output}`)),
    );
  });
}
