import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { type BuildOptions, defineConfig } from 'vite';
import { writeCardFonts } from './scripts/card-fonts.ts';
import { chunkName, chunkOf, fetchedAhead } from './scripts/chunks.ts';
import { limitParts, scriptsLast } from './scripts/loading.ts';
import { buildCatalogues, catalogueName, withoutCatalogues } from './scripts/messages/plugin.ts';
import { reactAsText } from './scripts/react-as-text.ts';
import { renderedRoutesOnly } from './scripts/rendered-routes.ts';
import { writePagePaths, writeRoutePreloads } from './scripts/route-preloads.ts';

/**
 * The domain has no side effects, so a page that uses a table of words does not load zod for the schemas in the same
 * file.
 */
const treeshake = { moduleSideEffects: [{ test: /\/domain\//, sideEffects: false }] };

const FOR_BROWSERS: BuildOptions = {
  outDir: '../dist/web',
  emptyOutDir: true,
  sourcemap: true,
  // Every browser that runs the code knows modulepreload.
  modulePreload: { polyfill: false, resolveDependencies: fetchedAhead },
  rolldownOptions: {
    treeshake,
    output: {
      chunkFileNames: (chunk) => catalogueName(chunk) ?? chunkName(chunk),
      assetFileNames: 'assets/[hash][extname]',
      codeSplitting: { includeDependenciesRecursively: false, groups: [{ name: chunkOf }] },
    },
  },
};

/** `vite build --ssr`: renders public pages (web/server.tsx). One file, which the Worker's bundle contains. */
const FOR_THE_WORKER: BuildOptions = {
  outDir: '../dist/pages',
  emptyOutDir: true,
  copyPublicDir: false,
  minify: true,
  rolldownOptions: {
    treeshake,
    output: { entryFileNames: 'render-page.js', assetFileNames: 'assets/[hash][extname]', codeSplitting: false },
  },
};

const WORKER_CONDITIONS = ['workerd', 'worker', 'module', 'import', 'production', 'default'];

export default defineConfig(({ isSsrBuild }) => ({
  root: 'web',
  plugins: [
    tanstackRouter({
      target: 'react',
      autoCodeSplitting: true,
      codeSplittingOptions: { defaultBehavior: [['loader', 'component', 'errorComponent', 'notFoundComponent']] },
      routesDirectory: 'routes',
      generatedRouteTree: 'route-tree.gen.ts',
      routeFileIgnorePattern: '\\.module\\.css$',
      quoteStyle: 'single',
      semicolons: true,
      addExtensions: true,
    }),
    react(),
    limitParts(),
    ...(isSsrBuild
      ? [renderedRoutesOnly(), withoutCatalogues(), reactAsText()]
      : [buildCatalogues(), writeRoutePreloads(), writePagePaths(), writeCardFonts(), scriptsLast()]),
  ],
  build: isSsrBuild ? FOR_THE_WORKER : FOR_BROWSERS,
  // The Worker's bundle contains everything that it needs.
  ssr: { noExternal: true, target: 'webworker', resolve: { conditions: WORKER_CONDITIONS } },
  define: isSsrBuild ? { 'process.env.NODE_ENV': '"production"' } : {},
  // React has the hook itself by now.
  resolve: { alias: { 'use-sync-external-store/shim': 'use-sync-external-store' } },
  css: { modules: { generateScopedName: '[hash:base64:5]' } },
  server: {
    host: '127.0.0.1',
    proxy: { '/v1': { target: process.env.API ?? 'http://127.0.0.1:8787', ws: true } },
  },
}));
