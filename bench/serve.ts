import { execFile } from 'node:child_process';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare, type V4WorkerOptions } from 'miniflare';
import { unstable_getMiniflareWorkerOptions as workerOptionsOf } from 'wrangler';
import { modulesIn } from '../scripts/modules.ts';
import { childrenNamed } from './memory.ts';

/** Runs a benchmark's Worker in workerd without wrangler dev, whose proxy would distort the measurement. */

const ROOT = join(import.meta.dirname, '..');
const PORT = 9100;
const bundleOf = (folder: string) => join(ROOT, 'dist', 'bench', basename(folder));

/** Bundles the Worker of `folder`/wrangler.toml like a deployment. */
export async function build(folder: string): Promise<void> {
  const wrangler = join(ROOT, 'node_modules', 'wrangler', 'bin', 'wrangler.js');
  const options = ['deploy', '--dry-run', '--outdir', bundleOf(folder), '--config', join(folder, 'wrangler.toml')];
  const env = {
    ...process.env,
    WRANGLER_SEND_METRICS: 'false',
    WRANGLER_HIDE_BANNER: 'true',
    WRANGLER_WRITE_LOGS: 'false',
  };
  await promisify(execFile)(process.execPath, [wrangler, ...options], { env });
}

/** Starts Workers in a new workerd with their data in `state`. `pid` is its process. */
export async function inWorkerd(
  state: string,
  port: number,
  workers: V4WorkerOptions[],
  inspectorPort?: number,
): Promise<{ miniflare: Miniflare; pid: number }> {
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      host: '127.0.0.1',
      port,
      ...(inspectorPort === undefined ? {} : { inspectorPort }),
      cf: false,
      log: new Log(LogLevel.WARN),
      resourcePersistencePath: state,
      workers,
    }),
  );
  await miniflare.ready;
  const [pid = Number.NaN] = childrenNamed(process.pid, 'workerd');
  return { miniflare, pid };
}

export interface Served {
  url: string;
  /** The process of workerd. */
  pid: number;
  close(): Promise<void>;
}

/** Serves the bundle of `folder` from a new workerd, with its data in `state`. */
export async function serve(folder: string, state: string): Promise<Served> {
  const { modulesRules: _, ...worker } = workerOptionsOf(join(folder, 'wrangler.toml')).workerOptions;
  const options = { ...worker, ...modulesIn(bundleOf(folder), 'worker.js') } as V4WorkerOptions;
  const { miniflare, pid } = await inWorkerd(state, PORT, [options]);
  return { url: `http://127.0.0.1:${PORT}`, pid, close: () => miniflare.dispose() };
}
