import { join } from 'node:path';
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from 'miniflare';
import { unstable_readConfig as readConfig, unstable_getMiniflareWorkerOptions as workerOptionsOf } from 'wrangler';
import type { Env } from '../worker/env.ts';
import type { Secrets } from './secrets.ts';
import { ROOT, type Settings } from './settings.ts';

/** A running copy of the service: its Worker in workerd, with the bindings of wrangler.toml. */
export interface Runtime {
  address: string;
  bindings: Pick<Env, 'DB' | 'STORE'>;
  /** The cron expressions of wrangler.toml. */
  crons: string[];
}

/** The agent takes less than a second for a subtask, so one that was killed need not hold its lease for long. */
const LOCAL_VARS: Record<string, string> = { LEASE_SECONDS: '15' };

/** A name of wrangler.toml's [vars] that is set in the environment wins over what stands there. */
function vars(declared: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries({ ...declared, ...LOCAL_VARS }).map(([name, value]) => [name, process.env[name] ?? value]),
  );
}

/**
 * Serves dist/worker and dist/web on 127.0.0.1. workerd is started again where it crashes, on the same port and state.
 * The state lies where `wrangler … --local --persist-to <STATE_DIR>` looks for it.
 */
export async function openRuntime({ port, stateDir }: Settings, secrets: Secrets): Promise<Runtime> {
  const config = join(ROOT, 'wrangler.toml');
  const { workerOptions } = workerOptionsOf(config);
  const { modulesRules: _, bindings, ...worker } = workerOptions;
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      host: '127.0.0.1',
      port,
      cf: false,
      log: new Log(LogLevel.WARN),
      resourcePersistencePath: join(stateDir, 'v3'),
      unsafeTriggerHandlers: true,
      handleStructuredLogs: ({ level, message }) => {
        if (level === 'error' || level === 'warn') process.stderr.write(`${message}\n`);
      },
      workers: [
        {
          ...worker,
          bindings: { ...vars((bindings ?? {}) as Record<string, string>), SESSION_KEYS: secrets.SESSION_KEYS },
          modules: [{ type: 'ESModule', path: join(ROOT, 'dist/worker/index.js') }],
          modulesRoot: join(ROOT, 'dist/worker'),
        },
      ],
    }),
  );
  await miniflare.ready;
  return {
    address: `http://127.0.0.1:${port}`,
    bindings: await miniflare.getBindings<Pick<Env, 'DB' | 'STORE'>>(),
    crons: readConfig({ config }).triggers.crons ?? [],
  };
}
