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
