import type { D1Migration } from '@cloudflare/vitest-plugin';
import type { Env as Bindings } from '../../worker/env.ts';

/** What `env` and `exports` of `cloudflare:workers` are inside a worker test. */
declare global {
  namespace Cloudflare {
    interface Env extends Bindings {
      TEST_MIGRATIONS: D1Migration[];
      REAL_SCANS: string;
      OTHER_DB: D1Database;
      OTHER_ROK: D1Database;
      OTHER_COD: D1Database;
      OTHER_STORE: R2Bucket;
    }
    interface GlobalProps {
      mainModule: typeof import('../../worker/index.ts');
      durableNamespaces: 'OrderProgress' | 'UserSockets';
    }
  }
}
