import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keepTemporaryInMemory } from './temporary.ts';
import { inOrder, readAndBuild, vitest, type Way } from './tools.ts';

/**
 * `npm test` runs lint, types, then every test but the long ones (`npm run proof`). The browser tests, which mostly
 * wait, run in parallel with the quick tests, which have a lower priority.
 */

/** Runs the named tests only: `npm test -- test/worker/orders.test.ts`. */
const named = process.argv.slice(2);

/** Runs tests, and returns what failed in them as text, or '' if all passed. */
async function failuresOf(title: string, args: readonly string[], way: Way = {}): Promise<string> {
  const file = join(tmpdir(), `${title} failed`);
  const reporters = ['--reporter=default', '--reporter=./scripts/failed-tests.ts'];
  if (await vitest([...args, ...reporters], { ...way, env: { FAILED_TESTS: file } })) return '';
  return (existsSync(file) && readFileSync(file, 'utf8')) || `${title} ended with an error, see above.\n`;
}

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
