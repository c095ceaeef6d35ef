import type { Plugin } from 'vite';

/** Routes that the Worker renders (worker/routes/pages.ts). */
const RENDERED =
  /^(index|faq|eula|maps|imprint|privacy|removal|recipes|leaderboard\/(index|(governor|alliance|kingdom)(_\.[\w$.]+)?)|(cod-)?dashboards\/\$dashboardId(_\.kingdoms\.\$kingdom)?|(reports\/)?shared\/\$token)$/;
/** The lazily loaded parts of a route are modules of their own. */
const SPLIT = /\/web\/routes\/(.+)\.tsx\?tsr-split/;

/** Modules that only event handlers and effects import, so rendering never loads them. Their packages are large. */
const FOR_BROWSERS =
  /\/web\/(components\/(search-dialog\.tsx|results\/dialogs\.ts)|ui\/toast-list\.tsx|chart\/draw-lines\.ts)$/;

/** Leaves the screens of other routes and parts for browsers out of the Worker's bundle. */
export const renderedRoutesOnly = (): Plugin => ({
  name: 'rendered-routes',
  enforce: 'pre',
  load(id) {
    if (FOR_BROWSERS.test(id)) return 'export {};';
    const route = SPLIT.exec(id)?.[1];
    if (!route || RENDERED.test(route)) return null;
    const missing = `() => { throw new Error('The Worker does not render ${route}.'); }`;
    return ['component', 'loader', 'errorComponent', 'notFoundComponent']
      .map((name) => `export const ${name} = ${missing};`)
      .join('\n');
  },
});
