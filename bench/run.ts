import { spawnSync } from 'node:child_process';
import { available } from './available.ts';

/**
 * `npm run bench` runs every benchmark, `npm run bench -- files` the named ones, `--quick` their short form. Each of
 * several runs in a process of its own, so that heap limits and memory do not carry over.
 */

const wanted = process.argv.slice(2);
const named = wanted.filter((name) => name !== '--quick');
if (named.length < wanted.length) process.env.BENCH_QUICK = '1';
const unknown = named.filter((name) => !(name in available));
if (unknown.length > 0) {
  console.error(`No benchmark ${unknown.join(', ')}. There are: ${Object.keys(available).join(', ')}.`);
  process.exit(1);
}
const names = named.length > 0 ? named : Object.keys(available);
if (names.length === 1) await available[names[0] ?? '']?.();
else
  for (const name of names) {
    console.log(`\n${name}`);
    const { status } = spawnSync(process.execPath, [import.meta.filename, name], { stdio: 'inherit' });
    if (status !== 0) process.exitCode = 1;
  }
