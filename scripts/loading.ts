import type { Plugin } from 'vite';

const SCRIPT = /^ *<script type="module"[^>]*><\/script>\n?/gm;

/** Moves the page's script behind its content, because styles come first and share a phone's connection with it. */
export const scriptsLast = (): Plugin => ({
  name: 'scripts-last',
  transformIndexHtml: {
    order: 'post',
    handler(html) {
      const scripts = html.match(SCRIPT) ?? [];
      if (scripts.length === 0) throw new Error('The built page has no script.');
      return html.replace(SCRIPT, '').replace(/^ *<\/body>/m, (end) => scripts.join('') + end);
    },
  },
});

const HELPER = 'vite/preload-helper';
const EXPORT = 'export const __vitePreload =';

/** Applies the timeout of web/new-version.ts to every dynamic import of the web. */
export const limitParts = (): Plugin => ({
  name: 'limit-parts',
  transform(code, id) {
    if (!id.includes(HELPER)) return;
    if (!code.includes(EXPORT)) throw new Error(`${id} does not export what it did: see scripts/loading.ts.`);
    return [
      `import { inTime } from '/new-version.ts';`,
      code.replace(EXPORT, 'const load ='),
      'export const __vitePreload = (...part) => inTime(load(...part));',
    ].join('\n');
  },
});
