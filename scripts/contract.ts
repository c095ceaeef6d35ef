import { writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { gzipped } from '../worker/files/gzip.ts';
import { ROOT } from './settings.ts';

/**
 * Writes the start of the API description, with all calls, into the built web. It stops before the last brace, because
 * each copy adds its own part when it serves the file (worker/routes/contract.ts).
 */

// Stubs for modules that exist only inside workerd. The routes are inspected, not run.
registerHooks({
  resolve: (name, context, next) =>
    name.startsWith('cloudflare:') || name.endsWith('.wasm')
      ? { url: 'data:text/javascript,export default null; export const cache = null', shortCircuit: true }
      : next(name, context),
});
const [{ app }, { describeCalls }] = await Promise.all([
  import('../worker/app.ts'),
  import('../worker/openapi/describe.ts'),
]);
const text = JSON.stringify(describeCalls(app.routes)).slice(0, -1);
writeFileSync(join(ROOT, 'dist', 'web', 'contract.json.gz'), gzipped([new TextEncoder().encode(text)]));
