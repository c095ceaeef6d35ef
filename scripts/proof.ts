import { spawn } from 'node:child_process';
import { join } from 'node:path';

/**
 * `npm run proof`: what takes too long for every run of the tests. Whole copies that are killed again and again, every
 * page in both colour schemes, orders of a thousand kingdoms, calls that grow until somebody notices.
 */

/** Calls of the growing fuzz: about two minutes of a small machine. */
const FUZZ_CALLS = '5000';

const run = (command: string, args: readonly string[]): Promise<boolean> =>
  new Promise((done) => {
    const child = spawn(command, args, {
      stdio: 'inherit',
      env: { ...process.env, PROOFS: '1' },
      shell: process.platform === 'win32',
    });
    child.once('exit', (code) => done(code === 0));
  });

/** `npm run proof -- test/proof/production.test.ts`: one of them. */
const named = process.argv.slice(2);
const proofs = [
  () => run(process.execPath, ['scripts/build.ts']),
  () => run(join('node_modules', '.bin', 'vitest'), ['run', ...named]),
  ...(named.length > 0 ? [] : [() => run(process.execPath, ['test/proof/growing-fuzz.ts', FUZZ_CALLS])]),
];
let failed = 0;
for (const proof of proofs) if (!(await proof())) failed += 1;
process.exit(failed === 0 ? 0 : 1);
