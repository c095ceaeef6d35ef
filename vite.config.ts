import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { writeCardFonts } from './scripts/card-fonts.ts';
import { writePageHeaders } from './scripts/page-headers.ts';
import { writeRoutePreloads } from './scripts/route-preloads.ts';

export default defineConfig({
  root: 'web',
  plugins: [
    tanstackRouter({
      target: 'react',
      autoCodeSplitting: true,
      routesDirectory: 'routes',
      generatedRouteTree: 'route-tree.gen.ts',
      routeFileIgnorePattern: '\\.module\\.css$',
      quoteStyle: 'single',
      semicolons: true,
      addExtensions: true,
    }),
    react(),
    writePageHeaders(process.env),
    writeRoutePreloads(),
    writeCardFonts(),
  ],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    sourcemap: true,
    // The domain is pure: a page that takes a table of words from it need not load zod for the schemas beside it.
    rolldownOptions: { treeshake: { moduleSideEffects: [{ test: /\/domain\//, sideEffects: false }] } },
  },
  server: {
    host: '127.0.0.1',
    proxy: { '/v1': { target: process.env.API ?? 'http://127.0.0.1:8787', ws: true } },
  },
});
