import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { PAY_RULE } from '../../domain/orders/pay-rule.ts';
import { CHAT_INVITE, SUPPORT_EMAIL } from '../contact.ts';
import { PriceAnswer } from './-price-answer.tsx';

interface Entry {
  /** The anchor of the question. */
  id: string;
  question: string;
  answer: ReactNode;
}

interface Section {
  id: string;
  title: string;
  entries: readonly Entry[];
}

/** The FAQ in the specification's three sections; links from outside point at 'start'. */
export const FAQ: readonly Section[] = [
  {
    id: 'start',
    title: 'Functionality',
    entries: [
      {
        id: 'what',
        question: 'What does Muster do?',
        answer:
          'It counts. You name kingdoms of Rise of Kingdoms or servers of Call of Dragons, bots read their rankings and profiles, and you get a row for each governor or lord: power, killpoints or merits, deads, and kills by tier, with the moment at which they were read.',
      },
      {
        id: 'which',
        question: 'Which kingdoms can be scanned?',
        answer:
          'Any kingdom. One that is new to us may need a few hours to prepare before its first scan; after that it is as quick as the others.',
      },
      {
        id: 'duration',
        question: 'How long does a scan take?',
        answer:
          'Most scans finish within 10 minutes. Some large ones take longer. The Orders page shows how far each is, and the bars move as the bots report; you need not keep it open.',
      },
      {
        id: 'formats',
        question: 'How do I get my results?',
        answer:
          'On a page that sorts by power and killpoints and finds anyone by name, id or alliance tag, and as csv, xlsx or json files. An order of several kingdoms also has one combined table and file.',
      },
      {
        id: 'unknown',
        question: 'Why do some rows show a question mark?',
        answer:
          'Because the figure was not read. A scan without full profiles reads the ranking list alone, which has no killpoints, deads or kills. Where a profile could not be opened we say so rather than write a zero.',
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
        answer: <PriceAnswer />,
      },
      {
        id: 'balance',
        question: 'How do I pay?',
        answer:
          'From a prepaid balance in US dollars, 5 USD at the least per top-up. The order form shows the price, your balance and what remains before you submit, and an order that your balance does not cover is never placed.',
      },
      {
        id: 'refunds',
        question: 'Are there refunds?',
        answer:
          'No refunds are given: what is on your balance is spent on orders. Top up what you mean to use, and check kingdom numbers before you submit.',
      },
      {
        id: 'less',
        question: 'What if a kingdom has fewer governors than I ordered, or a scan fails?',
        answer: `${PAY_RULE} You need not ask: your statement names the kingdom of each return.`,
      },
      {
        id: 'twice',
        question: 'I pressed Submit twice. Do I pay twice?',
        answer: 'No. One filled-in form is one order, however often it is sent, and it is charged once.',
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
        answer:
          'Never. Nothing that we offer affects gameplay: no farming, no marching, no automation of any kind. We read what the game shows and count it.',
      },
      {
        id: 'account',
        question: 'How do I get an account?',
        answer: (
          <>
            Accounts are given by invitation. Ask for an access code in the <a href={CHAT_INVITE}>community chat</a>,
            then <Link to="/register">create your account</Link>.
          </>
        ),
      },
      {
        id: 'accuracy',
        question: 'How exact are the figures?',
        answer:
          'To the unit. In Rise of Kingdoms the killpoints follow from the kills by tier, so every row is checked against the game’s own arithmetic, and a row that fails is kept and marked.',
      },
      {
        id: 'help',
        question: 'Something looks wrong. Where do I turn?',
        answer: (
          <>
            To the <a href={CHAT_INVITE}>community chat</a>, or by mail to{' '}
            <a href={`mailto:${SUPPORT_EMAIL}`}>{SUPPORT_EMAIL}</a>. Tell us the order number; it is all we need to find
            the scan.
          </>
        ),
      },
    ],
  },
];
