import { available } from './available.ts';

/** `npm run bench` runs every benchmark, `npm run bench -- files` the named ones. */

const named = process.argv.slice(2);
const unknown = named.filter((name) => !(name in available));
if (unknown.length > 0) {
  console.error(`No benchmark ${unknown.join(', ')}. There are: ${Object.keys(available).join(', ')}.`);
  process.exit(1);
}
for (const name of named.length > 0 ? named : Object.keys(available)) {
  console.log(`\n${name}`);
  await available[name]?.();
}
