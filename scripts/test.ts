import { keepTemporaryInMemory } from './temporary.ts';
import { failuresOf, inOrder, readAndBuild } from './tools.ts';

/**
 * `npm test` runs lint, types, then every test but the long ones (`npm run proof`). The browser tests, which mostly
 * wait, run in parallel with the quick tests, which have a lower priority.
 */

/** Runs the named tests only: `npm test -- test/worker/orders.test.ts`. */
const named = process.argv.slice(2);

/** Prints the failures of both suites last, because a log is often cut to its end. */
async function everyTest(): Promise<boolean> {
  const quick = ['Quick tests', ['--project', '!e2e'], { yields: true }] as const;
  const browser = ['Browser tests', ['--project', 'e2e'], { later: true }] as const;
  const failures =
    named.length > 0
      ? [await failuresOf('Tests', named)]
      : await Promise.all([failuresOf(...quick), failuresOf(...browser)]);
  process.stdout.write(`\n${failures.join('')}`);
  return failures.every((text) => text === '');
}

keepTemporaryInMemory();
await inOrder([readAndBuild, everyTest], '');
