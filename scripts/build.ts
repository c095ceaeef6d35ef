import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runNode } from './children.ts';
import { ROOT } from './settings.ts';

interface Part {
  name: 'web' | 'pages' | 'contract' | 'worker' | 'seed';
  /** The part's inputs: files and globs, relative to the clone's top folder. */
  sources: string[];
  result: string;
  command: string[];
}

// An absolute folder, because wrangler resolves a relative one against its configuration's folder.
const bundle = (name: string): string[] => [
  'node_modules/wrangler/bin/wrangler.js',
  'deploy',
  '--dry-run',
  // The top environment; wrangler warns if none is given.
  '--env=',
  '--outdir',
  join(ROOT, 'dist', name),
];

const WORKER_SOURCES = [
  ...['worker/**/*.ts', 'durable-objects/**/*.ts', 'scan-files/**/*.ts', 'domain/**/*.ts'],
  'package-lock.json',
];

const WEB_SOURCES = [
  ...['web/**/*', 'domain/**/*.ts', 'docs/recipes.md', 'vite.config.ts', 'scripts/**/*.ts'],
  'package-lock.json',
];

const PARTS: readonly [web: Part, pages: Part, contract: Part, worker: Part, seed: Part] = [
  {
    name: 'web',
    // The scripts include the build's own plugins.
    sources: WEB_SOURCES,
    result: 'dist/web/index.html',
    command: ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'error'],
  },
  {
    name: 'pages',
    sources: WEB_SOURCES,
    result: 'dist/pages/render-page.js',
    command: ['node_modules/vite/bin/vite.js', 'build', '--ssr', 'server.tsx', '--logLevel', 'error'],
  },
  {
    name: 'contract',
    sources: [...WORKER_SOURCES, 'scripts/contract.ts'],
    result: 'dist/web/contract.json.gz',
    command: ['scripts/contract.ts'],
  },
  {
    name: 'worker',
    sources: [...WORKER_SOURCES, 'dist/pages/render-page.js', 'wrangler.toml'],
    result: 'dist/worker/index.js',
    command: bundle('worker'),
  },
  {
    name: 'seed',
    sources: [
      ...['scripts/seed/*', 'fleet/sources/**/*.ts', 'worker/**/*.ts', 'scan-files/**/*.ts', 'domain/**/*.ts'],
      'package-lock.json',
    ],
    result: 'dist/seed/worker.js',
    command: [...bundle('seed'), '--config', 'scripts/seed/wrangler.toml'],
  },
];

/** Keeps wrangler quiet and offline; in `.env` these would become bindings. */
export const FOR_A_BUILD = {
  // Test runs set NODE_ENV=test, with which React would be built for development.
  NODE_ENV: 'production',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  WRANGLER_SEND_METRICS: 'false',
  WRANGLER_HIDE_BANNER: 'true',
  WRANGLER_WRITE_LOGS: 'false',
};

function fingerprint({ sources }: Part): string {
  const hash = createHash('sha256');
  for (const path of globSync(sources, { cwd: ROOT }).sort()) {
    const file = join(ROOT, path);
    if (statSync(file).isFile()) hash.update(`${path}\0`).update(readFileSync(file));
  }
  return hash.digest('hex');
}

async function buildPart(part: Part): Promise<void> {
  const stamp = join(ROOT, 'dist', `${part.name}.built`);
  const built = existsSync(stamp) && existsSync(join(ROOT, part.result)) && readFileSync(stamp, 'utf8');
  if (built === fingerprint(part)) return;
  await runNode(part.command, { cwd: ROOT, env: { ...process.env, ...FOR_A_BUILD } });
  // Computed afterwards, because the web build writes the route tree, which is one of its sources.
  writeFileSync(stamp, fingerprint(part));
}

/** A build takes seconds. An older lock was left by a killed build. */
const STALE_LOCK_MS = 120_000;

/** Runs `work` under a lock, because two copies may start from one clone at once: one builds, the other waits. */
async function locked(work: () => Promise<void>): Promise<void> {
  const lock = join(ROOT, 'dist', 'build.lock');
  mkdirSync(join(ROOT, 'dist', 'web'), { recursive: true });
  for (;;) {
    try {
      mkdirSync(lock);
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const age = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? 0);
    if (age > STALE_LOCK_MS) rmSync(lock, { recursive: true, force: true });
    else await sleep(100);
  }
  const unlock = () => rmSync(lock, { recursive: true, force: true });
  process.once('exit', unlock);
  try {
    await work();
  } finally {
    process.off('exit', unlock);
    unlock();
  }
}

/** Builds the web into dist/web and the Worker into dist/worker if their sources changed since the last build. */
export const build = (): Promise<void> =>
  locked(async () => {
    const [web, pages, contract, worker, seed] = PARTS;
    // After the web, whose build empties the folder of assets, and before the Worker, because wrangler reads it.
    await Promise.all([
      buildPart(web).then(() => Promise.all([buildPart(pages), buildPart(contract)])),
      buildPart(seed),
    ]);
    await buildPart(worker);
  });

if (import.meta.main) await build();
