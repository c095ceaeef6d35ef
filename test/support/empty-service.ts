import type { D1Database } from '@cloudflare/workers-types';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import type { Platform } from '../../scripts/admin/platform.ts';
import { migrate } from '../../scripts/migrate.ts';
import { openDb } from '../../worker/db/open.ts';

/** Databases and buckets as the operator's commands see them, without an agent or visitors. */
export interface EmptyService extends Platform {
  miniflare: Miniflare;
  d1: D1Database;
}

/**
 * Opens migrated, empty databases and two empty buckets. `directories` are bindings of games whose directory lies apart;
 * `script` is a Worker beside them. Without a `folder`, nothing is stored on disk. The caller disposes of Miniflare.
 */
export async function openEmpty(
  name: string,
  {
    directories = [],
    script = 'export default {}',
    folder,
  }: { directories?: readonly ('DIRECTORY_ROK' | 'DIRECTORY_COD')[]; script?: string; folder?: string } = {},
): Promise<EmptyService> {
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script,
      compatibilityDate: '2026-10-01',
      compatibilityFlags: ['nodejs_compat'],
      d1Databases: ['DB', ...directories],
      r2Buckets: ['STORE', 'BACKUP'],
      ...(folder && { resourcePersistencePath: folder }),
    }),
  );
  const databases = new Map<string, D1Database>();
  for (const binding of ['DB', ...directories]) {
    const d1 = await miniflare.getD1Database(binding);
    await migrate(d1);
    databases.set(binding, d1);
  }
  return {
    miniflare,
    d1: databases.get('DB') as D1Database,
    db: openDb(Object.fromEntries(databases) as never),
    store: (await miniflare.getR2Bucket('STORE')) as never,
    backup: (await miniflare.getR2Bucket('BACKUP')) as never,
    name,
    close: async () => undefined,
  };
}
