import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { R2Bucket } from '@cloudflare/workers-types';
import { getPlatformProxy, unstable_readConfig as readConfig, type Unstable_Config } from 'wrangler';
import { type Databases, type Db, openDb } from '../../worker/db/open.ts';
import { runningIn } from '../running.ts';
import { Problem, ROOT } from '../settings.ts';

/** Bindings of databases: the service's own, and those of the games whose directory has one. */
export const DATABASES: ReadonlySet<string> = new Set<keyof Databases>(['DB', 'DIRECTORY_ROK', 'DIRECTORY_COD']);

/** Where the commands work: a local copy's folder, or with `remote` the account that wrangler is signed in to. */
export interface Target {
  remote: boolean;
  /** Name of the environment; the top one if undefined. */
  environment: string | undefined;
  /** The local copy's folder. */
  stateDir: string;
  /** wrangler.toml, or a file that replaces it. */
  config: string;
}

/** Database and buckets of a target. */
export interface Platform {
  db: Db;
  store: R2Bucket;
  /** The bucket of backups. */
  backup: R2Bucket;
  /** Describes them for people. */
  name: string;
  close(): Promise<void>;
}

/** Opens the databases and buckets of wrangler.toml, locally or (through wrangler's remote bindings) in the account. */
export async function openPlatform({ remote, environment, stateDir, config }: Target): Promise<Platform> {
  const pid = remote ? null : runningIn(stateDir);
  if (pid !== null) throw new Problem(`The copy in ${stateDir} is running (process ${pid}): stop it first.`);
  const { d1_databases, r2_buckets, compatibility_date }: Unstable_Config = readConfig({
    config,
    ...(environment && { env: environment }),
  });
  const databases = d1_databases.filter(({ binding }) => DATABASES.has(binding));
  const database = databases.find(({ binding }) => binding === 'DB');
  const bucket = r2_buckets.find(({ binding }) => binding === 'STORE');
  const backup = r2_buckets.find(({ binding }) => binding === 'BACKUP');
  if (!database || !bucket || !backup) throw new Problem(`${config} has no binding DB, STORE or BACKUP.`);
  if (remote && databases.some(({ database_id }) => /^0{8}-/.test(database_id ?? '')))
    throw new Problem(`${config} still has its placeholder as database_id: run \`npx wrangler d1 create\` first.`);
  // A configuration with only these bindings, so that the rest of the Worker does not start.
  const folder = mkdtempSync(join(tmpdir(), 'muster-admin-'));
  const file = join(folder, 'wrangler.json');
  writeFileSync(
    file,
    JSON.stringify({
      name: 'muster-admin',
      compatibility_date,
      d1_databases: databases.map(({ binding, database_id, database_name }) => ({
        ...{ binding, database_id, database_name, remote },
      })),
      r2_buckets: [
        { binding: 'STORE', bucket_name: bucket.bucket_name, remote },
        { binding: 'BACKUP', bucket_name: backup.bucket_name, remote },
      ],
    }),
  );
  const proxy = await getPlatformProxy<Databases & { STORE: R2Bucket; BACKUP: R2Bucket }>({
    configPath: file,
    envFiles: [],
    persist: { path: join(stateDir, 'v3') },
    remoteBindings: remote,
  });
  return {
    db: openDb(proxy.env),
    store: proxy.env.STORE,
    backup: proxy.env.BACKUP,
    name: remote
      ? `the database ${database.database_name} and the bucket ${bucket.bucket_name}`
      : `the copy in ${stateDir}`,
    async close() {
      await proxy.dispose();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The service's configuration file. */
export const CONFIG = join(ROOT, 'wrangler.toml');
