import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { pagePaths } from '../scripts/route-preloads.ts';

test('the Worker gets every path of the router', () => {
  const tree = readFileSync(new URL('../web/route-tree.gen.ts', import.meta.url), 'utf8');
  // The tree names each route once more, with its full path, in its layout.
  const [, laidOut = ''] = /interface FileRoutesByFullPath \{([^}]*)\}/.exec(tree) ?? [];
  const paths = [...laidOut.matchAll(/'([^']+)':/g)].map(([, path]) => path);
  expect(pagePaths(tree).sort()).toEqual(paths.sort());
  expect(paths).toContain('/players/$id');
  expect(JSON.parse(readFileSync(new URL('../dist/web/pages.json', import.meta.url), 'utf8')).sort()).toEqual(paths);
});
