import type { Locale } from '../language/locales.ts';
import type { Catalogue } from '../language/text.ts';
import type { PageSettings } from './page-settings.ts';

/** Input for rendering a page in the Worker (web/server.tsx). */
export interface PageRequest {
  /** Path and query, without a language. */
  href: string;
  /** The language of the current request. The page is a bundle of its own, with its own state. */
  locale: () => Locale;
  /** The language's messages; none for English. */
  catalogue?: Catalogue | undefined;
  settings: PageSettings;
  /** Answers a public read of the API without a network. */
  ask: (path: string) => Promise<Response>;
  /** How long to wait for data, in ms. Later data is left to the browser. */
  patience: number;
}

export interface RenderedPage {
  /** Content of the page's root element. */
  html: string;
  /** The answers that the page shows, for a script element (page-data.ts). */
  data: string;
  /** False if some data was late, and the page shows skeletons instead. */
  whole: boolean;
}

export type RenderPage = (request: PageRequest) => Promise<RenderedPage>;

/** Attribute of rendered elements with the style that the browser applies. */
export const LATE_STYLE = 'data-late-style';

/** Id of the script element with the data of a rendered page. */
export const PAGE_DATA = 'page-data';
