import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare, type V4WorkerOptions } from 'miniflare';
import { unstable_getMiniflareWorkerOptions as workerOptionsOf } from 'wrangler';
import { modulesIn } from '../../scripts/modules.ts';
import { ROOT } from '../../scripts/settings.ts';

/** Simulates a deployment on this machine: the built Worker in its own workerd, behind https. */
export interface Deployment {
  address: string;
  /** Fires a cron trigger as the platform does. */
  cron(expression: string): Promise<string>;
  /** Mails that the Worker passed to the platform. */
  mails(): Promise<{ to: string; subject: string; text: string }[]>;
  close(): Promise<void>;
}

/** Replaces the platform's mail service, which takes an object and returns nothing. */
const RECORDER = `
  import { WorkerEntrypoint } from 'cloudflare:workers';
  const mails = [];
  export class Mail extends WorkerEntrypoint {
    async send(mail) { mails.push(mail); }
  }
  export default { fetch: () => Response.json(mails) };
`;

/** wrangler.toml as an operator adapts it to this address. */
export function configurationFor(folder: string, port: number): string {
  const text = readFileSync(join(ROOT, 'wrangler.toml'), 'utf8')
    .replaceAll('https://muster.example', `https://localhost:${port}`)
    .replaceAll('muster.example', 'muster.test')
    .replaceAll('00000000-0000-0000-0000', '3f1c9a52-0000-0000-0000')
    .replace('migrations_dir = "migrations"', `migrations_dir = "${join(ROOT, 'migrations')}"`)
    .replace('main = "worker/index.ts"', `main = "${join(ROOT, 'worker/index.ts')}"`)
    .replace('directory = "dist/web"', `directory = "${join(ROOT, 'dist/web')}"`);
  const file = join(folder, 'wrangler.toml');
  writeFileSync(file, text);
  return file;
}

/**
 * Serves dist/worker with this configuration and these secrets. The state is where wrangler's local commands expect it.
 */
export async function deploy(
  config: string,
  { port, stateDir, secrets }: { port: number; stateDir: string; secrets: Record<string, string> },
): Promise<Deployment> {
  const {
    modulesRules: _,
    bindings,
    email: __,
    ...worker
  } = workerOptionsOf(config).workerOptions as V4WorkerOptions & {
    modulesRules?: unknown;
    email?: unknown;
    bindings?: Record<string, string>;
  };
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      host: '127.0.0.1',
      port,
      https: true,
      cf: false,
      log: new Log(LogLevel.ERROR),
      resourcePersistencePath: join(stateDir, 'v3'),
      workers: [
        {
          ...worker,
          ...modulesIn(join(ROOT, 'dist/worker'), 'index.js'),
          bindings: { ...bindings, ...secrets },
          serviceBindings: { EMAIL: { name: 'recorder', entrypoint: 'Mail' } },
        } as V4WorkerOptions,
        { name: 'recorder', modules: true, script: RECORDER, compatibilityDate: '2026-10-01' } as V4WorkerOptions,
      ],
    }),
  );
  await miniflare.ready;
  return {
    address: `https://localhost:${port}`,
    async cron(expression) {
      const service = await miniflare.getWorker();
      return (await service.scheduled({ cron: expression, scheduledTime: new Date() })).outcome;
    },
    async mails() {
      const recorder = await miniflare.getWorker('recorder');
      return (await (await recorder.fetch('http://recorder/')).json()) as never;
    },
    close: () => miniflare.dispose(),
  };
}

const QUIET = {
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  WRANGLER_SEND_METRICS: 'false',
  WRANGLER_HIDE_BANNER: 'true',
  WRANGLER_WRITE_LOGS: 'false',
};

/** Runs a wrangler command and returns its whole output. */
export function wrangler(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(ROOT, 'node_modules/wrangler/bin/wrangler.js'), ...args],
    { cwd: ROOT, encoding: 'utf8', env: { ...process.env, ...QUIET } },
  );
  if (status !== 0) throw new Error(`wrangler ${args.join(' ')} failed:\n${stdout}${stderr}`);
  return stdout + stderr;
}

/** Runs `npm run admin -- …` on a state folder and returns its output. */
export const admin = (stateDir: string, config: string, ...args: string[]): string =>
  execFileSync(process.execPath, ['scripts/admin.ts', ...args, '--config', config], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...process.env, ...QUIET, STATE_DIR: stateDir },
  });
