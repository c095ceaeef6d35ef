import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { ROOT } from './settings.ts';

/** Returns the paths of the web's screens in the router's notation (`/players/$id`), from its generated tree. */
export function pagePaths(routeTree: string): string[] {
  const [, paths = ''] = /^ {2}fullPaths:\s*((?:\|?\s*'[^']*'\s*)+)/m.exec(routeTree) ?? [];
  return [...paths.matchAll(/'([^']*)'/g)].map(([, path = '']) => path);
}

/** Writes `pages.json`, from which the Worker knows the valid page paths (worker/gateways/built-web.ts). */
export const writePagePaths = (): Plugin => ({
  name: 'page-paths',
  generateBundle() {
    const paths = pagePaths(readFileSync(join(ROOT, 'web', 'route-tree.gen.ts'), 'utf8'));
    if (!paths.includes('/')) this.error('web/route-tree.gen.ts names no paths.');
    this.emitFile({ type: 'asset', fileName: 'pages.json', source: JSON.stringify(paths) });
  },
});
