import { globSync } from 'node:fs';
import { join } from 'node:path';
import type { V4WorkerOptions } from 'miniflare';

/** A bundle of wrangler's as Miniflare takes it: the script, and beside it the WebAssembly that it loads. */
export const modulesIn = (folder: string, main: string): Pick<V4WorkerOptions, 'modules' | 'modulesRoot'> => ({
  modules: [
    { type: 'ESModule', path: join(folder, main) },
    ...globSync('*.wasm', { cwd: folder }).map((file) => ({ type: 'CompiledWasm' as const, path: join(folder, file) })),
  ],
  modulesRoot: folder,
});
