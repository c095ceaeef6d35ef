import { inOrder, readAndBuild, vitest } from './tools.ts';

/**
 * `npm test`: lint, types, then every test. Those of whole copies and browsers mostly wait for what they look at, so the
 * others run beside them, with what is left of the machine.
 */

/** `npm test -- test/worker/orders.test.ts`: one of them. */
const named = process.argv.slice(2);

async function everyTest(): Promise<boolean> {
  if (named.length > 0) return vitest(named);
  const copies = vitest(['--project', 'e2e'], { later: true });
  const others = vitest(['--project', '!e2e'], { yields: true });
  return (await Promise.all([copies, others])).every(Boolean);
}

await inOrder([readAndBuild, everyTest], '');
