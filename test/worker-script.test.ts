import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

/** Characters of the Worker's script. Each takes a byte of the 128 MB of every isolate (docs/decisions/memory.md). */
const BAR = 3_800_000;

test('the Worker’s script takes a byte a character in memory, and has few enough', () => {
  const script = readFileSync(resolve(import.meta.dirname, '../dist/worker/index.js'), 'utf8');
  expect(script.length).toBeLessThan(BAR);
  // One such character makes V8 keep the whole script in two bytes each. In patterns, write it as an escape.
  expect(script.match(/.{0,30}[^\0-\u00ff].{0,30}/g)).toBeNull();
});
