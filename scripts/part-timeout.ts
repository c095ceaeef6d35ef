import type { Plugin } from 'vite';

const HELPER = 'vite/preload-helper';
const EXPORT = 'export const __vitePreload =';

/** Applies the timeout of web/new-version.ts to every dynamic import of the web. */
export const limitParts = (): Plugin => ({
  name: 'limit-parts',
  transform(code, id) {
    if (!id.includes(HELPER)) return;
    if (!code.includes(EXPORT)) throw new Error(`${id} does not export what it did: see scripts/part-timeout.ts.`);
    return [
      `import { inTime } from '/new-version.ts';`,
      code.replace(EXPORT, 'const load ='),
      'export const __vitePreload = (...part) => inTime(load(...part));',
    ].join('\n');
  },
});
