import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { writeCardFonts } from './scripts/card-fonts.ts';
import { chunkName, chunkOf, fetchedAhead } from './scripts/chunks.ts';
import { preloadLatinFont, waitForLatinAlone } from './scripts/fonts.ts';
import { writePagePaths } from './scripts/page-paths.ts';
import { limitParts } from './scripts/part-timeout.ts';
import { writeRoutePreloads } from './scripts/route-preloads.ts';

export default defineConfig({
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
    writeRoutePreloads(),
    writePagePaths(),
    writeCardFonts(),
    preloadLatinFont(),
    waitForLatinAlone(),
  ],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    sourcemap: true,
    // Every browser that runs the code knows modulepreload.
    modulePreload: { polyfill: false, resolveDependencies: fetchedAhead },
    // The domain is pure: a page that takes a table of words from it need not load zod for the schemas beside it.
    rolldownOptions: {
      treeshake: { moduleSideEffects: [{ test: /\/domain\//, sideEffects: false }] },
      output: {
        chunkFileNames: chunkName,
        assetFileNames: 'assets/[hash][extname]',
        codeSplitting: { includeDependenciesRecursively: false, groups: [{ name: chunkOf }] },
      },
    },
  },
  // React has the hook itself by now.
  resolve: { alias: { 'use-sync-external-store/shim': 'use-sync-external-store' } },
  css: { modules: { generateScopedName: '[hash:base64:5]' } },
  server: {
    host: '127.0.0.1',
    proxy: { '/v1': { target: process.env.API ?? 'http://127.0.0.1:8787', ws: true } },
  },
});
