import { keepTemporaryInMemory } from './temporary.ts';
import { inOrder, readAndBuild, vitest } from './tools.ts';

/**
 * `npm test` runs lint, types, then every test. The browser tests, which mostly wait, run in parallel with the quick
 * tests at lower priority. Tests that need a copy of their own come last.
 */

/** Runs the named tests only: `npm test -- test/worker/orders.test.ts`. */
const named = process.argv.slice(2);

async function everyTest(): Promise<boolean> {
  if (named.length > 0) return vitest(named);
  const shared = vitest(['--project', 'e2e'], { later: true });
  const quick = await vitest(['--project', '!e2e', '--project', '!copies'], { yields: true });
  const own = await vitest(['--project', 'copies'], { later: true });
  // The browser tests report even if the others failed.
  const browser = await shared;
  return quick && own && browser;
}

keepTemporaryInMemory();
await inOrder([readAndBuild, everyTest], '');
