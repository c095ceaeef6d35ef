import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const text = readFileSync(join(ROOT, 'docs/security.md'), 'utf8');

/** The tests that the last cells of the tables name: a file each time, and titles of it. */
function named(): { file: string; title: string }[] {
  const cells = text.split('\n').flatMap((line) => (line.startsWith('| ') ? [line.split('|').at(-2) ?? ''] : []));
  return cells.flatMap((cell) => {
    let file = '';
    return [...cell.matchAll(/([\w/-]+\.test\.ts)|'([^']+)'/g)].flatMap(([, path, title]) => {
      if (path) file = path.includes('/') ? path : `test/worker/${path}`;
      return [{ file, title: title ?? '' }];
    });
  });
}

test('every test that docs/security.md names exists', () => {
  const files = new Set(globSync('test/**/*.test.ts', { cwd: ROOT }));
  const wanted = named();
  expect(wanted.length).toBeGreaterThan(80);
  const missing = wanted.filter(({ file, title }) => {
    if (!files.has(file)) return true;
    const source = readFileSync(join(ROOT, file), 'utf8');
    // A title may be a string, in a table of cases, or in a template.
    return title !== '' && !source.includes(title);
  });
  expect(missing).toEqual([]);
});
