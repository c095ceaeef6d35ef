import { globSync, readFileSync } from 'node:fs';
import { forEachAtOnce } from '../worker/isolate/at-once.ts';
import { keepTemporaryInMemory } from './temporary.ts';
import { build, failuresOf, run } from './tools.ts';

/**
 * `npm run proof` runs what takes too long for every test run: whole copies that are killed repeatedly, every page in
 * both colour schemes, orders of a thousand kingdoms, thousands of malformed files, and calls of growing size. Two lanes
 * run side by side, because each mostly waits: for orders, kills and pages.
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

/** They fill the machine or measure it, so nothing runs beside them. */
const ALONE = ['load', 'live-bots', 'smoothness'].map((name) => `test/proof/${name}.test.ts`);

const PROOFS = { env: { PROOFS: '1' } };

/** Runs a part of the proofs. Returns what failed as text, or ''. */
type Part = () => Promise<string>;

const proofs =
  (title: string, args: readonly string[]): Part =>
  () =>
    failuresOf(title, args, PROOFS);

const program =
  (title: string, ...args: string[]): Part =>
  async () =>
    (await run(process.execPath, args, PROOFS)) ? '' : `${title} ended with an error, see above.\n`;

/** Proofs that start copies of their own wait for these most of the time; the others share one and wait for a browser. */
const hasOwnCopies = (file: string): boolean => /\b(startService|openCopy)\(/.test(readFileSync(file, 'utf8'));

function everyPart(): Part[] {
  const beside = globSync('test/proof/*.test.ts')
    .sort()
    .filter((file) => !ALONE.includes(file));
  const inTests = (title: string, files: readonly string[]) => proofs(title, ['--project', 'e2e', ...files]);
  return [
    inTests(
      'Proofs that share a copy',
      beside.filter((file) => !hasOwnCopies(file)),
    ),
    inTests('Proofs with copies of their own', beside.filter(hasOwnCopies)),
    proofs('Proofs in workerd', ['--project', 'worker']),
    program('Malformed files', BENT_HEAP, 'test/proof/import-fuzz.ts', ...BENT_FILES),
    program('Files in two forms', 'test/proof/usual-forms.ts', ...FORMS),
    program('Growing calls', 'test/proof/growing-fuzz.ts', FUZZ_CALLS),
  ];
}

/** Runs the named tests only: `npm run proof -- test/proof/production.test.ts`. */
const named = process.argv.slice(2);

keepTemporaryInMemory();
const began = Date.now();
if (!(await build())) process.exit(1);
const failures: string[] = [];
if (named.length > 0) failures.push(await failuresOf('Proofs', named, PROOFS));
else {
  await forEachAtOnce(everyPart(), async (part) => void failures.push(await part()), { lanes: 2 });
  failures.push(await failuresOf('Proofs alone', ['--project', 'e2e', ...ALONE], PROOFS));
}
console.log(`\n${failures.join('')}${Math.round((Date.now() - began) / 1000)} s.`);
process.exit(failures.every((text) => text === '') ? 0 : 1);
