import { build, run, vitest } from './tools.ts';

/**
 * `npm run proof` runs what takes too long for every test run: whole copies that are killed repeatedly, every page in
 * both colour schemes, orders of a thousand kingdoms, thousands of malformed files, and calls of growing size.
 */

/**
 * Number of malformed files (BENT_FILES=10000 for a night), their seed, and the reader's heap limit in MB, above which
 * the process ends.
 */
const BENT_FILES = [process.env.BENT_FILES ?? '3000', '7'];
const BENT_HEAP = '--max-old-space-size=96';
/** Number of files that are read in two forms, and their seed. */
const FORMS = ['10000', '7'];
/** Calls of the growing fuzz test, about a minute on a small machine; FUZZ_CALLS=100000 for a night. */
const FUZZ_CALLS = process.env.FUZZ_CALLS ?? '2500';

/** Runs the named tests only: `npm run proof -- test/proof/production.test.ts`. */
const named = process.argv.slice(2);
const PROOFS = { env: { PROOFS: '1' } };
const steps = [
  build,
  () => vitest(named, PROOFS),
  ...(named.length > 0
    ? []
    : [
        () => run(process.execPath, [BENT_HEAP, 'test/proof/import-fuzz.ts', ...BENT_FILES], PROOFS),
        () => run(process.execPath, ['test/proof/usual-forms.ts', ...FORMS], PROOFS),
        () => run(process.execPath, ['test/proof/growing-fuzz.ts', FUZZ_CALLS], PROOFS),
      ]),
];
let failed = 0;
for (const step of steps) if (!(await step())) failed += 1;
process.exit(failed === 0 ? 0 : 1);
