/** Every benchmark by its name; each prints its own tables. */
export const available: Readonly<Record<string, () => Promise<void>>> = {
  files: async () => (await import('./files/bench.ts')).run(),
};
