import { CARD_HEIGHT, CARD_WIDTH } from '../files/card.ts';
import { escaped } from '../files/plain-text.ts';
import type { BoardSet } from '../gateways/board-store.ts';
import { cardPath } from './cards.ts';

/** What a public page says of itself in its head: to those who follow a link, to search engines, and to its own script. */

export const SITE = 'Muster';

/** Path of an answer, and whether the page's script sends cookies with its call: asked for otherwise, it would be fetched twice. */
export interface Preload {
  path: string;
  cookies?: true;
}

export interface Head {
  title: string;
  description: string;
  /** The board whose first rows the picture shows; the service's own picture where there is none. */
  card?: BoardSet | null;
  /** Path of another picture. */
  picture?: string;
  /** Seen by whoever was given its address: kept by nobody on the way, found by no search engine. */
  unlisted?: true;
  /** Answers that the page paints first. */
  preloads?: readonly Preload[];
  /** Markup that stands on the page until its script draws it (worker/files/early-page.ts). */
  early?: string;
  /** Query parameters that make another page of this path, with their values here; others are only another look at it. */
  telling?: Readonly<Record<string, string>>;
}

const property = (name: string, content: string) => `<meta property="${name}" content="${escaped(content)}">`;
const named = (name: string, content: string) => `<meta name="${name}" content="${escaped(content)}">`;

export const preloadTag = ({ path, cookies }: Preload): string =>
  `<link rel="preload" as="fetch" crossorigin="${cookies ? 'use-credentials' : 'anonymous'}" href="${escaped(path)}">`;

/** The one address of a page, whatever a visitor has sorted or searched there. */
function canonicalOf(site: string, url: URL, telling: Readonly<Record<string, string>>): string {
  const kept = new URLSearchParams([...url.searchParams].filter(([name, value]) => telling[name] === value));
  return site + url.pathname.replace(/(.)\/$/, '$1') + (kept.size > 0 ? `?${kept}` : '');
}

/** The tags of a head, at the address `url` of the service at `site`. */
export function tagsOf(
  { title, description, card = null, picture = cardPath(card), unlisted, telling = {} }: Head,
  url: URL,
  site: string,
): string {
  const canonical = canonicalOf(site, url, telling);
  const tags = [
    `<link rel="canonical" href="${escaped(canonical)}">`,
    property('og:site_name', SITE),
    property('og:type', 'website'),
    property('og:title', title),
    property('og:description', description),
    property('og:url', canonical),
    property('og:image', site + picture),
    property('og:image:type', 'image/png'),
    property('og:image:width', String(CARD_WIDTH)),
    property('og:image:height', String(CARD_HEIGHT)),
    property('og:image:alt', title),
    named('twitter:card', 'summary_large_image'),
    named('twitter:image', site + picture),
  ];
  if (unlisted) tags.push(named('robots', 'noindex'));
  return tags.join('');
}

/** Writes title, description, tags and early markup of a head into the page on its way out. */
export function writeHead(rewriter: HTMLRewriter, { title, description, early }: Head, tags: string): void {
  rewriter
    .on('title', { element: (element) => void element.setInnerContent(title) })
    .on('meta[name="description"]', {
      element: (element) => void element.setAttribute('content', escaped(description)),
    })
    .on('head', { element: (element) => void element.append(tags, { html: true }) });
  if (early) rewriter.on('#root', { element: (element) => void element.setInnerContent(early, { html: true }) });
}
