import { nameOr } from '../../domain/figures.ts';
import { locale } from '../../domain/language/current.ts';
import { LANGUAGES, LOCALES, localPath, pictureIn, SOURCE_LOCALE } from '../../domain/language/locales.ts';
import { t } from '../../domain/language/text.ts';
import { CARD_HEIGHT, CARD_WIDTH } from '../files/card.ts';
import { escaped, plain } from '../files/plain-text.ts';
import type { BoardSet } from '../gateways/board-store.ts';
import { cardPath } from './cards.ts';

/** Heads of public pages, for link previews, search engines and the page's own script. */

const SITE = 'Muster';

/** Returns the title of a page as tabs and previews show it. */
export const onSite = (title: string): string => t('{title} · Muster', { title });

const LONGEST = 60;
/** Shortens a name to one line for a title. Falls back to `otherwise` if it is invisible. */
export const titled = (name: string, otherwise: string): string =>
  nameOr([...plain(name)].slice(0, LONGEST).join('').trim(), otherwise);

/**
 * Path of a response to preload, and whether the script sends cookies with its call. If this differs from the script's
 * call, the browser fetches it twice.
 */
export interface Preload {
  path: string;
  cookies?: true;
}

export interface Head {
  title: string;
  description: string;
  /** The board shown in the image; without one, the service's own image. */
  card?: BoardSet | null;
  /** Path of another image. */
  picture?: string;
  /** Visible only to people with the link: not cached on the way and not indexed. */
  unlisted?: true;
  /** Sent with its content, rendered from the web's components. `version` changes with that content. */
  rendered?: { version: string };
  /** How long caches keep the page, in s, if not as long as others. */
  seconds?: number;
  /** Tags of what the page shows (worker/gateways/workers-cache.ts). */
  tags?: readonly string[];
  /** Path of the page's JSON Feed. */
  feed?: string;
  /** Structured data for search engines (schema.org). */
  structured?: object;
  /** Query parameters that identify a separate page, with their values. All others only change the view. */
  telling?: Readonly<Record<string, string>>;
}

const property = (name: string, content: string) => `<meta property="${name}" content="${escaped(content)}">`;
const named = (name: string, content: string) => `<meta name="${name}" content="${escaped(content)}">`;

/** Returns the element that preloads a response of the API at `base`. */
export function preloadTag({ path, cookies }: Preload, base: string): string {
  const mode = cookies ? 'use-credentials' : 'anonymous';
  return `<link rel="preload" as="fetch" crossorigin="${mode}" href="${escaped(base + path)}">`;
}

/** Returns the path of a page without sorting and searching, and without a language. */
function canonicalPath(url: URL, telling: Readonly<Record<string, string>>): { path: string; search: string } {
  const kept = new URLSearchParams([...url.searchParams].filter(([name, value]) => telling[name] === value));
  return { path: url.pathname.replace(/(.)\/$/, '$1'), search: kept.size > 0 ? `?${kept}` : '' };
}

/** Returns a public page's address in each language, and in none for readers of others. */
export const alternates = (site: string, path: string): { language: string; address: string }[] =>
  ([...LOCALES, 'x-default'] as const).map((language) => ({
    language,
    address: site + localPath(language === 'x-default' ? SOURCE_LOCALE : language, path),
  }));

/** Returns the tags of a head for the page at `url` of the service at `site`. */
export function tagsOf(
  { title, description, card = null, picture = cardPath(card), unlisted, telling = {}, feed, structured }: Head,
  url: URL,
  site: string,
): string {
  const { path, search } = canonicalPath(url, telling);
  const canonical = site + localPath(locale(), path) + search;
  const image = site + pictureIn(locale(), picture);
  const tags = [
    `<link rel="canonical" href="${escaped(canonical)}">`,
    property('og:site_name', SITE),
    property('og:type', 'website'),
    property('og:title', title),
    property('og:description', description),
    property('og:url', canonical),
    property('og:image', image),
    property('og:image:type', 'image/png'),
    property('og:image:width', String(CARD_WIDTH)),
    property('og:image:height', String(CARD_HEIGHT)),
    property('og:image:alt', title),
    named('twitter:card', 'summary_large_image'),
    named('twitter:image', image),
  ];
  if (!unlisted)
    for (const { language, address } of alternates(site, path))
      tags.push(`<link rel="alternate" hreflang="${language}" href="${escaped(address + search)}">`);
  if (feed) tags.push(`<link rel="alternate" type="application/feed+json" href="${escaped(site + feed)}">`);
  if (unlisted) tags.push(named('robots', 'noindex'));
  // No browser runs it, so the policy against inline scripts allows it.
  if (structured)
    tags.push(`<script type="application/ld+json">${JSON.stringify(structured).replaceAll('<', '\\u003c')}</script>`);
  return tags.join('');
}

/** Writes title, description and tags of a head into the page while it is sent. */
export function writeHead(rewriter: HTMLRewriter, { title, description }: Head, tags: string): void {
  rewriter
    .on('title', { element: (element) => void element.setInnerContent(title) })
    .on('meta[name="description"]', {
      element: (element) => void element.setAttribute('content', escaped(description)),
    })
    .on('head', { element: (element) => void element.append(tags, { html: true }) });
}

/** Writes the current language into the page while it is sent. */
export const writeLanguage = (rewriter: HTMLRewriter): HTMLRewriter =>
  rewriter.on('html', {
    element(element) {
      element.setAttribute('lang', locale());
      element.setAttribute('dir', LANGUAGES[locale()].dir);
    },
  });
