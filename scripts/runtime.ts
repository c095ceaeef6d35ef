import { join } from 'node:path';
import type { D1Database } from '@cloudflare/workers-types';
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare, type V4WorkerOptions } from 'miniflare';
import { unstable_readConfig as readConfig, unstable_getMiniflareWorkerOptions as workerOptionsOf } from 'wrangler';
import { modulesIn } from './modules.ts';
import type { Secrets } from './secrets.ts';
import type { SeedStep } from './seed/plan.ts';
import { ROOT, type Settings } from './settings.ts';

/** A running copy of the service: its Worker in workerd, with the bindings of wrangler.toml. */
export interface Runtime {
  address: string;
  /** Returns a handle to the database, which works until workerd restarts. */
  database(): Promise<D1Database>;
  /** Returns handles to all databases of wrangler.toml. */
  databases(): Promise<D1Database[]>;
  /** Runs one step of the seed. */
  seed(step: SeedStep): Promise<void>;
  /** The cron expressions of wrangler.toml. */
  crons: string[];
  close(): Promise<void>;
}

/** Variables that a local copy can do without; they are passed on from the environment if set. */
const OPTIONAL = ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET', 'STRIPE_API_BASE', 'DISCORD_API_BASE'];

/** Returns wrangler.toml's [vars] for a local copy. Environment variables take precedence. */
function varsOf(declared: Record<string, string>, port: number): Record<string, string> {
  const local = {
    ...declared,
    SITE_ORIGIN: `http://localhost:${port}`,
    // The agent takes less than a second per subtask, so a killed one should not hold its lease for long.
    LEASE_SECONDS: '15',
  };
  const set = [...Object.keys(local), ...OPTIONAL].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  });
  return { ...local, ...Object.fromEntries(set), ENVIRONMENT: 'local' };
}

async function seedWith(miniflare: Miniflare, step: SeedStep): Promise<void> {
  const worker = await miniflare.getWorker('seed');
  const answer = await worker.fetch('http://seed/', { method: 'POST', body: JSON.stringify(step) });
  if (!answer.ok) throw new Error(`The seed failed: ${await answer.text()}`);
}

/** Returns the bundle in dist/<name>. */
const bundled = (name: string, main: string) => modulesIn(join(ROOT, 'dist', name), main);

/**
 * Returns the service's Worker with the bindings of wrangler.toml, and the seed's Worker on the same database and
 * bucket.
 */
function workersOf(config: string, port: number, { SESSION_KEYS }: Secrets): V4WorkerOptions[] {
  const { modulesRules: _, bindings, ...worker } = workerOptionsOf(config).workerOptions;
  const { compatibilityDate, compatibilityFlags, d1Databases, r2Buckets } = worker;
  const declared = (bindings ?? {}) as Record<string, string>;
  const service = {
    ...worker,
    ...bundled('worker', 'index.js'),
    bindings: { ...varsOf(declared, port), SESSION_KEYS },
  };
  const stores = { compatibilityDate, compatibilityFlags, d1Databases, r2Buckets };
  return [service as V4WorkerOptions, { name: 'seed', ...stores, ...bundled('seed', 'worker.js') } as V4WorkerOptions];
}

/**
 * Serves dist/worker and dist/web on 127.0.0.1. A crashed workerd restarts on the same port and state. The state is
 * where `wrangler … --local --persist-to <STATE_DIR>` expects it. With an `inspectorPort`, its isolates can be
 * inspected.
 */
export async function openRuntime(
  { port, stateDir }: Settings,
  secrets: Secrets,
  inspectorPort?: number,
): Promise<Runtime> {
  const config = join(ROOT, 'wrangler.toml');
  const { triggers, d1_databases } = readConfig({ config });
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      host: '127.0.0.1',
      port,
      ...(inspectorPort === undefined ? {} : { inspectorPort }),
      cf: false,
      log: new Log(LogLevel.WARN),
      resourcePersistencePath: join(stateDir, 'v3'),
      handleStructuredLogs: ({ level, message }) => {
        // A local copy sends no mails, so the log shows them.
        if (level === 'error' || level === 'warn' || message.startsWith('Mail to '))
          process.stderr.write(`${message}\n`);
      },
      workers: workersOf(config, port, secrets),
    }),
  );
  await miniflare.ready;
  return {
    address: `http://127.0.0.1:${port}`,
    database: () => miniflare.getD1Database('DB'),
    databases: () =>
      Promise.all(d1_databases.map(({ binding }: { binding: string }) => miniflare.getD1Database(binding))),
    seed: (step) => seedWith(miniflare, step),
    crons: triggers.crons ?? [],
    close: () => miniflare.dispose(),
  };
}
