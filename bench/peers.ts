import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sized } from './quick.ts';
import { type Bar, median, milliseconds, printTable, times } from './report.ts';

/** Measures our work next to other programs and next to the bare work, each in a process of its own. */

const ROUNDS = sized(3, 1);
/** Their versions. Installed into a folder at run time, because only benchmarks and a proof need them. */
const PEERS = {
  '@duckdb/node-api': '1.5.6-r.1',
  hucre: '1.0.0',
  papaparse: '5.5.3',
  'parquet-wasm': '0.8.0',
  udsv: '0.7.3',
  xlsx: '0.18.5',
} as const;
type Peer = keyof typeof PEERS;

const run = promisify(execFile);

/** Installs peers into `folder`. */
export async function installPeers(folder: string, names = Object.keys(PEERS) as Peer[]): Promise<void> {
  const wanted = names.map((name) => `${name}@${PEERS[name]}`);
  await run('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', ...wanted]);
}

/** Loads a peer that `installPeers` has put into `folder`. */
export const peerIn = (folder: string, name: string) => createRequire(join(folder, 'package.json'))(name);

/** Runs `warm`, which compiles the code, then `act`, and prints the processor time of the latter. */
export async function doOnce(warm: () => unknown, act: () => unknown): Promise<void> {
  await warm();
  const before = process.cpuUsage();
  await act();
  const { user, system } = process.cpuUsage(before);
  console.log((user + system) / 1000);
}

/** A piece of work, and the names of the jobs that do it. */
export interface Work {
  what: string;
  ours: string;
  /** Job with only the unavoidable part of the work, such as compression. */
  bare: string;
  peers: readonly string[];
  /** Jobs → how many times their processor time is to be of ours. */
  goals: Readonly<Record<string, number>>;
  /** Heap limit of our process in MB. */
  heap?: number;
}

/**
 * Measures each job by `script`, in turns so that other load of the machine affects all alike. Prints a table and
 * returns the bars. The script's arguments are the job and `args`.
 */
export async function compare(works: readonly Work[], script: string, args: readonly string[]): Promise<Bar[]> {
  const lines: Record<string, string>[] = [];
  const bars: Bar[] = [];
  for (const { what, ours, bare, peers, goals, heap } of works) {
    const jobs = [ours, bare, ...peers];
    const rounds = new Map<string, number[]>(jobs.map((job) => [job, []]));
    for (let round = 0; round < ROUNDS; round++)
      for (const job of jobs) {
        const limits = job === ours && heap !== undefined ? [`--max-old-space-size=${heap}`] : [];
        const { stdout } = await run(process.execPath, [...limits, script, job, ...args]);
        rounds.get(job)?.push(Number(stdout));
      }
    const taken = (job: string) => median(rounds.get(job) ?? []);
    const mine = taken(ours);
    lines.push({
      'processor time': what,
      Muster: milliseconds(mine),
      'bare work': `${milliseconds(taken(bare))} (${bare})`,
      'peers, and their time to ours': peers
        .map((peer) => `${peer} ${milliseconds(taken(peer))} (${times(taken(peer) / mine)})`)
        .join(', '),
    });
    for (const [peer, wanted] of Object.entries(goals))
      bars.push({ what: `${what}, ${peer}’s work to ours`, reached: taken(peer) / mine, wanted });
  }
  printTable(lines);
  return bars;
}
