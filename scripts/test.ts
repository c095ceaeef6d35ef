import { keepTemporaryInMemory } from './temporary.ts';
import { inOrder, readAndBuild, vitest } from './tools.ts';

/**
 * `npm test` runs lint, types, then every test but the long ones (`npm run proof`). The browser tests, which mostly
 * wait, run in parallel with the quick tests, which have a lower priority.
 */

/** Runs the named tests only: `npm test -- test/worker/orders.test.ts`. */
const named = process.argv.slice(2);

async function everyTest(): Promise<boolean> {
  if (named.length > 0) return vitest(named);
  const browser = vitest(['--project', 'e2e'], { later: true });
  const quick = vitest(['--project', '!e2e'], { yields: true });
  return (await Promise.all([quick, browser])).every(Boolean);
}

keepTemporaryInMemory();
await inOrder([readAndBuild, everyTest], '');
