import { keepTemporaryInMemory } from './temporary.ts';
import { inOrder, readAndBuild, vitest } from './tools.ts';

/**
 * `npm test` runs lint, types, then every test in three parallel rows. Browser tests mostly wait, so the quick tests run
 * beside them at lower priority.
 */

/** Runs the named tests only: `npm test -- test/worker/orders.test.ts`. */
const named = process.argv.slice(2);

async function everyTest(): Promise<boolean> {
  if (named.length > 0) return vitest(named);
  // All rows report, even if one fails.
  const rows = await Promise.all([
    vitest(['--project', 'e2e'], { later: true }),
    vitest(['--project', 'copies'], { later: true }),
    vitest(['--project', '!e2e', '--project', '!copies'], { yields: true }),
  ]);
  return rows.every(Boolean);
}

keepTemporaryInMemory();
await inOrder([readAndBuild, everyTest], '');
