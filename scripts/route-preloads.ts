import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import type { RouteNeeds } from '../worker/gateways/built-web.ts';
import { ROOT } from './settings.ts';

/** The lazily loaded parts of a route are modules of their own, in any chunk. */
const SPLIT = /\/web\/routes\/(.+)\.tsx\?tsr-split/;
/** A class in a style sheet. */
const CLASS = /\.(-?[_a-z][\w-]*)/gi;
const GUARDED = /^(_signed-in|admin)(\/|$)/;

/** Returns a route's path in the router's notation: `_signed-in/orders/index` is `/orders`. */
const pathOf = (file: string): string =>
  `/${file
    .split(/[/.]/)
    .filter((part) => part !== 'index' && !part.startsWith('_'))
    // `governor_.$id` is a page below `governor` without its layout.
    .map((part) => part.replace(/_$/, ''))
    .join('/')}`;

/** Returns a route's file and the layouts around it: `_signed-in`, `_signed-in/account`, `_signed-in/account/keys`. */
const withLayouts = (file: string): string[] =>
  file.split('/').map((_, index, parts) => parts.slice(0, index + 1).join('/'));

/**
 * Writes `route-preloads.json`: for each route, the files it needs after the first script, so that the page's head can
 * preload them; and `page-styles.json`: the classes of each style sheet besides those of every page, from which the
 * Worker knows the styles of a rendered page, also of parts whose scripts load later.
 */
export const writeRoutePreloads = (): Plugin => ({
  name: 'route-preloads',
  generateBundle(_, bundle) {
    const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
    const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
    const filesOf = (name: string, seen: Set<string>): Set<string> => {
      const chunk = byName.get(name);
      if (!chunk || seen.has(name)) return seen;
      seen.add(name);
      for (const css of chunk.viteMetadata?.importedCss ?? []) seen.add(css);
      for (const imported of chunk.imports) filesOf(imported, seen);
      return seen;
    };
    const entry = chunks.find(({ isEntry }) => isEntry);
    const first = filesOf(entry?.fileName ?? '', new Set());
    const chunkOf = new Map<string, string>();
    for (const { fileName, moduleIds } of chunks)
      for (const id of moduleIds) {
        const route = SPLIT.exec(id)?.[1];
        if (route) chunkOf.set(route, fileName);
      }
    const needs: Record<string, RouteNeeds> = {};
    // A layout comes before its index page, which has the same path and needs more, and `/events/new` before
    // `/events/$id`.
    const rank = (route: string) => `${route.includes('$') ? 1 : 0}${route}`;
    for (const route of [...chunkOf.keys()].sort((a, b) => (rank(a) < rank(b) ? -1 : 1))) {
      const files = withLayouts(route).flatMap((each) => [...filesOf(chunkOf.get(each) ?? '', new Set())]);
      needs[pathOf(route)] = {
        files: [...new Set(files)].filter((name) => !first.has(name)).map((name) => `/${name}`),
        guarded: GUARDED.test(route),
      };
    }
    this.emitFile({ type: 'asset', fileName: 'route-preloads.json', source: JSON.stringify(needs) });

    const sheets: Record<string, string[]> = {};
    for (const file of Object.values(bundle)) {
      if (file.type !== 'asset' || !file.fileName.endsWith('.css') || first.has(file.fileName)) continue;
      sheets[`/${file.fileName}`] = [...new Set([...String(file.source).matchAll(CLASS)].map(([, name = '']) => name))];
    }
    this.emitFile({ type: 'asset', fileName: 'page-styles.json', source: JSON.stringify(sheets) });
  },
});

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
