import { locale } from '../../../domain/language/current.ts';
import { PAGE_DATA, type PageRequest, type RenderedPage } from '../../../domain/service/rendered-page.ts';
import { logError, pathInLog } from '../../errors.ts';

/** How long a page waits for its data, in ms. Without them it is sent with a heading and skeletons. */
const PATIENCE_MS = 300;

/** Messages of failures that this isolate has logged. */
const logged = new Set<string>();
const MOST_LOGGED = 100;

/** Returns the page at an address as markup, or null if it cannot be rendered; the browser then renders it alone. */
export async function renderPublicPage(
  request: Omit<PageRequest, 'patience' | 'locale'>,
): Promise<RenderedPage | null> {
  try {
    // On demand, because most requests are not for pages and the Worker's start should not evaluate React.
    const { renderPage } = await import('../../../dist/pages/render-page.js');
    return await renderPage({ ...request, locale, patience: PATIENCE_MS });
  } catch (error) {
    const message = String(error);
    if (!logged.has(message) && logged.size < MOST_LOGGED) {
      logged.add(message);
      logError({ page: pathInLog(new URL(request.href, 'http://page.invalid').pathname) }, error);
    }
    return null;
  }
}

/** Returns the script element with a page's data, which no browser runs. */
export const dataElement = ({ data }: RenderedPage): string =>
  `<script type="application/json" id="${PAGE_DATA}">${data}</script>`;
