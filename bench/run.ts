import { spawnSync } from 'node:child_process';

/**
 * `npm run bench` runs every benchmark, `npm run bench -- files` the named ones, `--quick` their short form, in which a
 * missed bar does not fail. Each of several runs in a process of its own, so that heap limits and memory do not carry
 * over.
 */

/** All benchmarks by name. Each prints its own tables. */
const available: Readonly<Record<string, () => Promise<void>>> = {
  admin: async () => (await import('./admin/bench.ts')).run(),
  boards: async () => (await import('./boards/bench.ts')).serving(),
  'board-building': async () => (await import('./boards/bench.ts')).building(),
  contract: async () => (await import('./contract/bench.ts')).run(),
  search: async () => (await import('./boards/bench.ts')).searching(),
  files: async () => (await import('./files/bench.ts')).run(),
  'large-orders': async () => (await import('./large-orders/bench.ts')).run(),
  'own-scans': async () => (await import('./own-scans/bench.ts')).run(),
  events: async () => (await import('./events/bench.ts')).run(),
  compare: async () => (await import('./compare/bench.ts')).run(),
  import: async () => (await import('./import/bench.ts')).measure(),
  digests: async () => (await import('./hand-in/digests.ts')).digests(),
  schedules: async () => (await import('./hand-in/schedules.ts')).schedules(),
  fleet: async () => (await import('./hand-in/overload.ts')).fleet(),
  scale: async () => (await import('./scale/bench.ts')).run(),
  trips: async () => (await import('./trips/bench.ts')).run(),
  'first-screen': async () => (await import('./first-screen/bench.ts')).run(),
  'hand-in': async () => (await import('./hand-in/bench.ts')).run(),
};

/** Only a benchmark that hangs takes longer: the long forms take minutes, the short ones about one on a small machine. */
const MOST_MS = 20 * 60_000;

/** Runs one benchmark in a process of its own. Returns whether it succeeded. */
function ran(name: string): boolean {
  const began = Date.now();
  console.log(`\n${name}`);
  const { status, error } = spawnSync(process.execPath, [import.meta.filename, name], {
    stdio: 'inherit',
    timeout: MOST_MS,
  });
  const seconds = Math.round((Date.now() - began) / 1000);
  console.log(status === 0 ? `${name}: ${seconds} s` : `${name} failed after ${seconds} s. ${error?.message ?? ''}`);
  return status === 0;
}

const wanted = process.argv.slice(2);
const named = wanted.filter((name) => name !== '--quick');
if (named.length < wanted.length) process.env.BENCH_QUICK = '1';
const unknown = named.filter((name) => !(name in available));
if (unknown.length > 0) {
  console.error(`No benchmark ${unknown.join(', ')}. There are: ${Object.keys(available).join(', ')}.`);
  process.exit(1);
}
const names = named.length > 0 ? named : Object.keys(available);
if (names.length === 1) await available[names[0] ?? '']?.();
else {
  const failed = names.filter((name) => !ran(name));
  if (failed.length > 0) console.error(`\nFailed: ${failed.join(', ')}.`);
  process.exitCode = failed.length === 0 ? 0 : 1;
}
