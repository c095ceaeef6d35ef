import { keepTemporaryInMemory } from './temporary.ts';
import { inOrder, readAndBuild, vitest } from './tools.ts';

/**
 * `npm test`: lint, types, then every test, in two rows beside each other. Browsers mostly wait for what they look at, so
 * the quick ones run with what they leave of the machine; then what wants a copy of its own.
 */

/** `npm test -- test/worker/orders.test.ts`: one of them. */
const named = process.argv.slice(2);

async function everyTest(): Promise<boolean> {
  if (named.length > 0) return vitest(named);
  const shared = vitest(['--project', 'e2e'], { later: true });
  const quick = await vitest(['--project', '!e2e', '--project', '!copies'], { yields: true });
  const own = await vitest(['--project', 'copies'], { later: true });
  // What the browser tests found is told whatever the others did.
  const browser = await shared;
  return quick && own && browser;
}

keepTemporaryInMemory();
await inOrder([readAndBuild, everyTest], '');
