import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** What Linux accounts to a process; NaN on other systems. */

const field = (pid: number, name: string): number => {
  try {
    const match = readFileSync(`/proc/${pid}/status`, 'utf8').match(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm'));
    return match ? Number(match[1]) * 1024 : Number.NaN;
  } catch {
    return Number.NaN;
  }
};

/** Bytes in memory now. */
export const resident = (pid: number): number => field(pid, 'VmRSS');

/** The most bytes in memory since the process began, or since `forgetPeak`. */
export const peak = (pid: number): number => field(pid, 'VmHWM');

/** Milliseconds of processor that it has used, its helpers' included; counted in hundredths of a second. */
export function processorTime(pid: number): number {
  if (process.platform !== 'linux') return Number.NaN;
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Makes the peak start again from what is in memory now. */
export function forgetPeak(pid: number): void {
  if (process.platform === 'linux') writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

/** Processes named `name` that process `parent` started. */
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
