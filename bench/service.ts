import { join } from 'node:path';
import type { V4WorkerOptions } from 'miniflare';
import { unstable_getMiniflareWorkerOptions as workerOptionsOf } from 'wrangler';
import { modulesIn } from '../scripts/modules.ts';

const ROOT = join(import.meta.dirname, '..');
const SESSION_KEYS = JSON.stringify({ current: 'k1', keys: { k1: Buffer.alloc(32, 1).toString('base64url') } });

/** The service requires assets; no benchmark requests one. */
const noAssets = () => new Response(null, { status: 404 });

/**
 * Returns the service's Worker with the bindings and limits of wrangler.toml and the script `main` in dist/`folder`. It
 * listens on `port` of 127.0.0.1, without the asset router. `vars` replace configured ones.
 */
export function serviceWorker(
  folder: string,
  main: string,
  port: number,
  vars: Record<string, string> = {},
): V4WorkerOptions {
  const { modulesRules: _, ...options } = workerOptionsOf(join(ROOT, 'wrangler.toml')).workerOptions;
  const { assets: __, ...worker } = options as typeof options & { assets?: unknown };
  return {
    ...worker,
    ...modulesIn(join(ROOT, 'dist', folder), main),
    bindings: { ...(worker as V4WorkerOptions).bindings, ENVIRONMENT: 'local', SESSION_KEYS, ...vars },
    serviceBindings: { ASSETS: noAssets },
    unsafeDirectSockets: [{ host: '127.0.0.1', port }],
  } as unknown as V4WorkerOptions;
}
