import type { Context } from 'hono';
import { locale } from '../../domain/language/current.ts';
import type { Catalogue } from '../../domain/language/text.ts';
import type { RenderedPage } from '../../domain/service/rendered-page.ts';
import { pageSettings } from '../configuration/page-settings.ts';
import { stylesOf } from '../gateways/built-web.ts';
import { LruCache } from '../isolate/lru-cache.ts';
import type { AppEnv } from '../middleware/session.ts';
import { dataElement, renderPublicPage } from '../services/service/render-page.ts';
import type { Head } from './page-head.ts';

/** The content of public pages, rendered from the web's components. */

/** How long a rendered page is used again, in ms. A new build, version or setting is another page. */
const RENDERED_MS = 60_000;
const RENDERED_BYTES = 4 * 1024 * 1024;

/** A public page's content with the style sheets that it needs besides those of its route. */
export interface Drawn {
  page: RenderedPage;
  styles: readonly string[];
}

const drawn = new LruCache<Drawn & { until: number }>(RENDERED_BYTES);

/** Returns the content of a public page, or null if the page has none or it cannot be rendered. */
export async function drawnFor(
  context: Context<AppEnv>,
  {
    url,
    build,
    linked,
    catalogue,
    rendered,
    unlisted,
  }: {
    url: URL;
    build: string;
    /** Style sheets that the page links anyway. */
    linked: readonly string[];
    catalogue: Catalogue | undefined;
  } & Pick<Head, 'rendered' | 'unlisted'>,
): Promise<Drawn | null> {
  if (!rendered) return null;
  const { env, var: variables } = context;
  const href = url.pathname + url.search;
  const settings = pageSettings(env);
  const name = [locale(), href, build, rendered.version, env.READY_PRODUCTS, ...Object.values(settings)].join('\n');
  const now = Date.now();
  const known = drawn.get(name);
  if (known && now < known.until && known.until - now <= RENDERED_MS) return known;
  const page = await renderPublicPage({ href, catalogue, settings, ask: variables.ask });
  if (!page) return null;
  const made = { page, styles: await stylesOf(env, url.origin, page.html, linked), until: now + RENDERED_MS };
  // Whoever shared an unlisted page can end its link at any time. Strings take two bytes a character.
  if (page.whole && !unlisted) drawn.put(name, made, 2 * (page.html.length + page.data.length));
  return made;
}

/** Writes a rendered page with its data into the built page. */
export const writePage = (rewriter: HTMLRewriter, page: RenderedPage): HTMLRewriter =>
  rewriter
    .on('#root', {
      element(element) {
        element.setInnerContent(page.html, { html: true });
        // Without all data, the browser draws the page again.
        if (page.whole) element.after(dataElement(page), { html: true });
      },
    })
    .on('noscript', { element: (element) => void element.remove() });
