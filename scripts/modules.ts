import { globSync } from 'node:fs';
import { join } from 'node:path';
import type { V4WorkerOptions } from 'miniflare';

/** Returns wrangler's bundle in Miniflare's format: the script and the WebAssembly files that it loads. */
export const modulesIn = (folder: string, main: string): Pick<V4WorkerOptions, 'modules' | 'modulesRoot'> => ({
  modules: [
    { type: 'ESModule', path: join(folder, main) },
    ...globSync('*.wasm', { cwd: folder }).map((file) => ({ type: 'CompiledWasm' as const, path: join(folder, file) })),
  ],
  modulesRoot: folder,
});
