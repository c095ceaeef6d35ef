import type { D1Migration } from '@cloudflare/vitest-plugin';
import type { Env as Bindings } from '../../worker/env.ts';

/** What `env` and `exports` of `cloudflare:workers` are inside a worker test. */
declare global {
  namespace Cloudflare {
    interface Env extends Bindings {
      TEST_MIGRATIONS: D1Migration[];
      REAL_SCANS: string;
      /** A limiter of 2 calls in 10 seconds, which a test can afford to reach and to outlast. */
      QUICK_LIMIT: RateLimit;
    }
    interface GlobalProps {
      mainModule: typeof import('../../worker/index.ts');
      durableNamespaces: 'OrderProgress';
    }
  }
}
