import { exact } from '../figures.ts';
import { message, t, words } from '../language/text.ts';
import { money } from '../money/money.ts';
import type { Product } from '../orders/catalogue.ts';

/** Questions and answers, drawn by the page and written by the Worker for clients without scripts. */

interface FaqEntry {
  /** The question's anchor. */
  id: string;
  question: string;
  /** A message with the tags `chat` and `register`, and the values `support`, `prices` and `rule`. */
  answer: string;
}

interface FaqSection {
  id: string;
  title: string;
  entries: readonly FaqEntry[];
}

/** A product at its price of the day. */
type Offered = Pick<Product, 'game' | 'name' | 'price' | 'price_chunk'> & { ready: boolean };

/** Returns a product's price as a sentence. */
export function priceLine({ game, name, price, price_chunk, ready }: Offered): string {
  const values = { product: words(name), price: money(price), chunk: exact(price_chunk ?? 1), game };
  return ready
    ? t(
        '{product}: {price} per {chunk} {game, select, cod {lords} other {governors}}, rounded up to the next hundred, for each {game, select, cod {server} other {kingdom}}.',
        values,
      )
    : t(
        '{product}: {price} per {chunk} {game, select, cod {lords} other {governors}}, rounded up to the next hundred, for each {game, select, cod {server} other {kingdom}} (not on sale yet).',
        values,
      );
}

export const FAQ_TITLE = message('Frequently asked questions');

/** The FAQ in the specification's three sections. External links point at 'start'. */
export const FAQ: readonly FaqSection[] = [
  {
    id: 'start',
    title: message('Functionality'),
    entries: [
      {
        id: 'what',
        question: message('What does Muster do?'),
        answer: message(
          'It counts. You name kingdoms of Rise of Kingdoms or servers of Call of Dragons, bots read their rankings and profiles, and you get a row for each governor or lord: power, killpoints or merits, deads, and kills by tier, with the moment at which they were read.',
        ),
      },
      {
        id: 'which',
        question: message('Which kingdoms can be scanned?'),
        answer: message(
          'Any kingdom. One that is new to us may need a few hours to prepare before its first scan; after that it is as quick as the others.',
        ),
      },
      {
        id: 'duration',
        question: message('How long does a scan take?'),
        answer: message(
          'Most scans finish within 10 minutes. Some large ones take longer. The Orders page shows how far each is, and the bars move as the bots report; you need not keep it open.',
        ),
      },
      {
        id: 'formats',
        question: message('How do I get my results?'),
        answer: message(
          'On a page that sorts by power and killpoints and finds anyone by name, id or alliance tag, and as csv, xlsx or json files. An order of several kingdoms also has one combined table and file.',
        ),
      },
      {
        id: 'unknown',
        question: message('Why do some rows show a question mark?'),
        answer: message(
          'Because the figure was not read. A scan without full profiles reads the ranking list alone, which has no killpoints, deads or kills. Where a profile could not be opened we say so rather than write a zero.',
        ),
      },
    ],
  },
  {
    id: 'pricing',
    title: message('Pricing'),
    entries: [
      {
        id: 'cost',
        question: message('What does a scan cost?'),
        answer: message('{prices}'),
      },
      {
        id: 'balance',
        question: message('How do I pay?'),
        answer: message(
          'From a prepaid balance in US dollars, at least 5 USD per top-up. The order form shows the price, your balance and what remains before you submit, and an order that your balance does not cover is never placed.',
        ),
      },
      {
        id: 'refunds',
        question: message('Are there refunds?'),
        answer: message(
          'No refunds are given: what is on your balance is spent on orders. Top up what you mean to use, and check kingdom numbers before you submit.',
        ),
      },
      {
        id: 'less',
        question: message('What if a kingdom has fewer governors than I ordered, or a scan fails?'),
        answer: message('{rule} You need not ask: your statement names the kingdom of each return.'),
      },
      {
        id: 'twice',
        question: message('I pressed Submit twice. Do I pay twice?'),
        answer: message('No. One filled-in form is one order, however often it is sent, and it is charged once.'),
      },
    ],
  },
  {
    id: 'others',
    title: message('Others'),
    entries: [
      {
        id: 'automation',
        question: message('Will Muster play for me?'),
        answer: message(
          'Never. Nothing that we offer affects gameplay: no farming, no marching, no automation of any kind. We read what the game shows and count it.',
        ),
      },
      {
        id: 'account',
        question: message('How do I get an account?'),
        answer: message(
          'Accounts are given by invitation. Ask for an access code in the <chat>community chat</chat>, then <register>create your account</register>.',
        ),
      },
      {
        id: 'accuracy',
        question: message('How exact are the figures?'),
        answer: message(
          'To the unit. In Rise of Kingdoms the killpoints follow from the kills by tier, so every row is checked against the game’s own arithmetic, and a row that fails is kept and marked.',
        ),
      },
      {
        id: 'help',
        question: message('Something looks wrong. Where do I turn?'),
        answer: message(
          'To the <chat>community chat</chat>, or by mail to {support}. Tell us the order number; it is all we need to find the scan.',
        ),
      },
    ],
  },
];
