import { isReady } from '../../domain/orders/catalogue.ts';
import { FAQ, FAQ_TITLE, type FaqPart, priceLines } from '../../domain/service/faq.ts';
import { COLUMNS, codeWords, WELCOME, WELCOME_LINE } from '../../domain/service/welcome.ts';
import type { Env } from '../env.ts';
import { escaped } from './plain-text.ts';

/** Static content of a page until its script renders, and for visitors without scripts. */

type Settings = Pick<Env, 'CHAT_INVITE' | 'SUPPORT_EMAIL' | 'READY_PRODUCTS'>;

const box = (html: string, look = ''): string => `<div class="early${look && ` ${look}`}">${html}</div>`;

/** Returns a page's heading and the line below it. */
export const headingHtml = (heading: string, line: string): string =>
  box(`<h1>${escaped(heading)}</h1><p>${escaped(line)}</p>`);

const link = (href: string, text: string): string => `<a href="${escaped(href)}">${escaped(text)}</a>`;

const pricesHtml = ({ READY_PRODUCTS }: Settings): string =>
  priceLines((product) => isReady(product, READY_PRODUCTS))
    .map((line) => `<p>${escaped(line)}</p>`)
    .join('');

/** Returns the home page's content: what the service is, for whom, links and prices. */
export function homeHtml(settings: Settings): string {
  const { CHAT_INVITE, SUPPORT_EMAIL } = settings;
  const code = codeWords(CHAT_INVITE, SUPPORT_EMAIL);
  return box(
    [
      `<h1>${WELCOME}</h1>`,
      `<p>${WELCOME_LINE}</p>`,
      `<p>${link('/register', 'Create account')} · ${link('/login', 'Login')} · ${link('/leaderboard', 'Leaderboards')} · ${link('/maps', 'Events')} · ${link('/faq', 'FAQ')}</p>`,
      `<p>${code.before}${link(code.href, code.text)}.</p>`,
      ...Object.entries(COLUMNS).map(([title, text]) => `<h2>${title}</h2><p>${escaped(text)}</p>`),
      `<h2>Pricing</h2>${pricesHtml(settings)}`,
    ].join(''),
    // In its final size, so that the page's largest text renders first.
    'opening',
  );
}

function partHtml(part: FaqPart, { CHAT_INVITE, SUPPORT_EMAIL, READY_PRODUCTS }: Settings): string {
  if (typeof part === 'string') return escaped(part);
  if ('prices' in part) return escaped(priceLines((product) => isReady(product, READY_PRODUCTS)).join(' '));
  switch (part.to) {
    case 'register':
      return link('/register', part.text);
    case 'chat':
      return link(CHAT_INVITE, part.text);
    case 'support':
      return link(`mailto:${SUPPORT_EMAIL}`, SUPPORT_EMAIL);
  }
}

/** Returns all questions and answers. */
export const faqHtml = (settings: Settings): string =>
  box(
    `<h1>${FAQ_TITLE}</h1>${FAQ.map(
      ({ title, entries }) =>
        `<h2>${escaped(title)}</h2>${entries
          .map(
            ({ question, answer }) =>
              `<h3>${escaped(question)}</h3><p>${answer.map((part) => partHtml(part, settings)).join('')}</p>`,
          )
          .join('')}`,
    ).join('')}`,
  );
