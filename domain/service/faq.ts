import { exact } from '../figures.ts';
import { GAME_NAMES } from '../games/game-names.ts';
import { formatCents } from '../money/money.ts';
import { PRODUCTS, type Product } from '../orders/catalogue.ts';
import { PAY_RULE } from '../orders/pay-rule.ts';

/** Questions and answers, drawn by the page and written by the Worker for clients without scripts. */

/** Part of an answer: text, a link, or the products for sale. */
export type FaqPart = string | { to: 'chat' | 'register'; text: string } | { to: 'support' } | { prices: true };

export interface FaqEntry {
  /** The question's anchor. */
  id: string;
  question: string;
  answer: readonly FaqPart[];
}

export interface FaqSection {
  id: string;
  title: string;
  entries: readonly FaqEntry[];
}

/** Returns a product's price as a sentence. `ready` tells whether it is on sale; null if not known yet. */
export function priceLine({ game, name, price, price_chunk, governors }: Product, ready: boolean | null): string {
  const cost = `$${formatCents(price)} per ${exact(price_chunk ?? 1)} ${governors}`;
  return `${name}: ${cost}, rounded up to the next hundred, for each ${GAME_NAMES[game].kingdom.one}${ready === false ? ' (not on sale yet)' : ''}.`;
}

/** Returns the prices of all products. */
export const priceLines = (isReady: (product: Product) => boolean | null): string[] =>
  PRODUCTS.map((product) => priceLine(product, isReady(product)));

export const FAQ_TITLE = 'Frequently asked questions';

/** The FAQ in the specification's three sections. External links point at 'start'. */
export const FAQ: readonly FaqSection[] = [
  {
    id: 'start',
    title: 'Functionality',
    entries: [
      {
        id: 'what',
        question: 'What does Muster do?',
        answer: [
          'It counts. You name kingdoms of Rise of Kingdoms or servers of Call of Dragons, bots read their rankings and profiles, and you get a row for each governor or lord: power, killpoints or merits, deads, and kills by tier, with the moment at which they were read.',
        ],
      },
      {
        id: 'which',
        question: 'Which kingdoms can be scanned?',
        answer: [
          'Any kingdom. One that is new to us may need a few hours to prepare before its first scan; after that it is as quick as the others.',
        ],
      },
      {
        id: 'duration',
        question: 'How long does a scan take?',
        answer: [
          'Most scans finish within 10 minutes. Some large ones take longer. The Orders page shows how far each is, and the bars move as the bots report; you need not keep it open.',
        ],
      },
      {
        id: 'formats',
        question: 'How do I get my results?',
        answer: [
          'On a page that sorts by power and killpoints and finds anyone by name, id or alliance tag, and as csv, xlsx or json files. An order of several kingdoms also has one combined table and file.',
        ],
      },
      {
        id: 'unknown',
        question: 'Why do some rows show a question mark?',
        answer: [
          'Because the figure was not read. A scan without full profiles reads the ranking list alone, which has no killpoints, deads or kills. Where a profile could not be opened we say so rather than write a zero.',
        ],
      },
    ],
  },
  {
    id: 'pricing',
    title: 'Pricing',
    entries: [
      {
        id: 'cost',
        question: 'What does a scan cost?',
        answer: [{ prices: true }],
      },
      {
        id: 'balance',
        question: 'How do I pay?',
        answer: [
          'From a prepaid balance in US dollars, at least 5 USD per top-up. The order form shows the price, your balance and what remains before you submit, and an order that your balance does not cover is never placed.',
        ],
      },
      {
        id: 'refunds',
        question: 'Are there refunds?',
        answer: [
          'No refunds are given: what is on your balance is spent on orders. Top up what you mean to use, and check kingdom numbers before you submit.',
        ],
      },
      {
        id: 'less',
        question: 'What if a kingdom has fewer governors than I ordered, or a scan fails?',
        answer: [`${PAY_RULE} You need not ask: your statement names the kingdom of each return.`],
      },
      {
        id: 'twice',
        question: 'I pressed Submit twice. Do I pay twice?',
        answer: ['No. One filled-in form is one order, however often it is sent, and it is charged once.'],
      },
    ],
  },
  {
    id: 'others',
    title: 'Others',
    entries: [
      {
        id: 'automation',
        question: 'Will Muster play for me?',
        answer: [
          'Never. Nothing that we offer affects gameplay: no farming, no marching, no automation of any kind. We read what the game shows and count it.',
        ],
      },
      {
        id: 'account',
        question: 'How do I get an account?',
        answer: [
          'Accounts are given by invitation. Ask for an access code in the ',
          { to: 'chat', text: 'community chat' },
          ', then ',
          { to: 'register', text: 'create your account' },
          '.',
        ],
      },
      {
        id: 'accuracy',
        question: 'How exact are the figures?',
        answer: [
          'To the unit. In Rise of Kingdoms the killpoints follow from the kills by tier, so every row is checked against the game’s own arithmetic, and a row that fails is kept and marked.',
        ],
      },
      {
        id: 'help',
        question: 'Something looks wrong. Where do I turn?',
        answer: [
          'To the ',
          { to: 'chat', text: 'community chat' },
          ', or by mail to ',
          { to: 'support' },
          '. Tell us the order number; it is all we need to find the scan.',
        ],
      },
    ],
  },
];
