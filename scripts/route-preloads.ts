import type { Plugin } from 'vite';

/** Routes whose pages visitors land on first; worker/routes/pages.ts writes what they need into the head. */
const ROUTES: Readonly<Record<string, string>> = {
  '/leaderboard': 'leaderboard/index.tsx',
  '/leaderboard/governor': 'leaderboard/governor.tsx',
  '/leaderboard/alliance': 'leaderboard/alliance.tsx',
  '/leaderboard/kingdom': 'leaderboard/kingdom.tsx',
  '/dashboards/$dashboardId': 'dashboards/$dashboardId.tsx',
  '/cod-dashboards/$dashboardId': 'cod-dashboards/$dashboardId.tsx',
};

/**
 * Writes `route-preloads.json`: of each public route the files that it will ask for once the first script has run, so
 * that the page's head can ask for them at once.
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
    const preloads = Object.entries(ROUTES).map(([path, file]) => {
      // The parts of a route that are fetched with it are modules of their own, whatever chunk they are in.
      const lazy = chunks.filter(({ moduleIds }) => moduleIds.some((id) => id.includes(`routes/${file}?tsr-split`)));
      const files = new Set(lazy.flatMap(({ fileName }) => [...filesOf(fileName, new Set())]));
      return [path, [...files].filter((name) => !first.has(name)).map((name) => `/${name}`)];
    });
    this.emitFile({
      type: 'asset',
      fileName: 'route-preloads.json',
      source: JSON.stringify(Object.fromEntries(preloads)),
    });
  },
});
