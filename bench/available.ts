/** All benchmarks by name. Each prints its own tables. */
export const available: Readonly<Record<string, () => Promise<void>>> = {
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
  scale: async () => (await import('./scale/bench.ts')).run(),
  trips: async () => (await import('./trips/bench.ts')).run(),
  'first-screen': async () => (await import('./first-screen/bench.ts')).run(),
  'hand-in': async () => (await import('./hand-in/bench.ts')).run(),
};
