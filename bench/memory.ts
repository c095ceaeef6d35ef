import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** Reads a memory figure of a process from Linux, in bytes; NaN on other systems. */

const field = (pid: number, name: string): number => {
  try {
    const match = readFileSync(`/proc/${pid}/status`, 'utf8').match(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm'));
    return match ? Number(match[1]) * 1024 : Number.NaN;
  } catch {
    return Number.NaN;
  }
};

/** Resident memory in bytes. */
export const resident = (pid: number): number => field(pid, 'VmRSS');

/** Peak resident memory in bytes, since the process started or since `forgetPeak`. */
export const peak = (pid: number): number => field(pid, 'VmHWM');

/** Processor time in ms, including all threads, with a resolution of 10 ms. */
export function processorTime(pid: number): number {
  if (process.platform !== 'linux') return Number.NaN;
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** How long the process's first thread has waited for a processor, in ms: the time that other processes took from it. */
export function queuedTime(pid: number): number {
  if (process.platform !== 'linux') return 0;
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
}

/** Resets the peak to the current memory. */
export function forgetPeak(pid: number): void {
  if (process.platform === 'linux') writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

/** Returns the processes named `name` whose parent is `parent`. */
export function childrenNamed(parent: number, name: string): number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
    .filter((pid) => {
      try {
        const [, comm, ppid] = readFileSync(`/proc/${pid}/stat`, 'utf8').match(/\((.*)\) \S (\d+)/) ?? [];
        return comm === name && Number(ppid) === parent;
      } catch {
        return false;
      }
    });
}
