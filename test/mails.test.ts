import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type FinishedOrder, finishedText } from '../domain/accounts/finished-order.ts';
import { WEBHOOK_CHANNELS, WEBHOOKS } from '../domain/accounts/webhooks.ts';
import { type EventNews, newsText } from '../domain/events/event-news.ts';
import { takeLocaleFrom } from '../domain/language/current.ts';
import { FORMATS } from '../domain/language/format-table.ts';
import { LANGUAGES, LOCALES, type Locale } from '../domain/language/locales.ts';
import { type Part, parseMessage } from '../domain/language/message.ts';
import { addressIn } from '../domain/language/public-paths.ts';
import { addCatalogue, keyOf } from '../domain/language/text.ts';
import { readCatalogue, TRANSLATED } from '../scripts/messages/catalogues.ts';
import { extractMessages } from '../scripts/messages/extract.ts';
import { htmlOf } from '../worker/gateways/mail.ts';
import * as userMails from '../worker/models/messages/user-mails.ts';
import * as mails from '../worker/services/messages/mail-texts.ts';

/** Mails and messages, each in each language. */

let current: Locale = 'en';
takeLocaleFrom(() => current);

const SITE = 'https://muster.test';
const TO = { username: 'Zoë_1', email: 'zoe@mail.example' };
const ORDER: FinishedOrder = {
  order_id: 4711,
  item_count: 12,
  done_count: 11,
  items: [
    { name: 'K 1001', flaw: null },
    { name: 'K 1002', flaw: 'K.O.' },
  ],
  address: `${SITE}/order/4711?all=true`,
};
/** News in the current language. */
const newsOf = (): EventNews => ({
  title: 'KvK 7',
  scan: '12:00',
  sentences: Array.from({ length: 17 }, (_, index) => `K ${index}`),
  address: `${SITE}${addressIn(current, '/dashboards/7?end=1')}`,
  settings: `${SITE}/account/notifications`,
});

/** Makes each kind in the current language. */
const KINDS: Readonly<Record<string, () => { subject: string; text: string }>> = {
  verification: () => mails.verifyMail(SITE, TO, 'id', 't'),
  'a taken address': () => mails.takenMail(SITE, TO.email, 'r'),
  reset: () => mails.resetMail(SITE, TO, 'id', 't'),
  'a changed password': () => mails.passwordChangedMail(SITE, TO, 'r'),
  'a new address': () => mails.changeEmailMail(SITE, TO, 'new@mail.example', 'id', 't'),
  'a change of address': () => mails.changeAskedMail(SITE, TO, 'new@mail.example', 'id', 't'),
  'a changed address': () => mails.emailChangedMail(TO, 'new@mail.example', 'r'),
  'two-factor on': () => mails.twoFactorMail(TO, true, 'r'),
  'two-factor off': () => mails.twoFactorMail(TO, false, 'r'),
  'a new key': () => mails.keyMadeMail(SITE, TO, { name: 'bot', scopes: ['read'] }, 'r'),
  'a deleted account': () => mails.deletedMail(TO, 'r'),
  'a missed run': () => userMails.missedRunMail({ schedule: { id: 5, next_at: 1 }, due_at: 0 }, 'K.O.', false),
  'a paused schedule': () => userMails.missedRunMail({ schedule: { id: 5, next_at: 1 }, due_at: 0 }, 'K.O.', true),
  'a low balance': () => userMails.lowBalanceMail({ balance_cents: 199, threshold_cents: 1000 }, SITE),
  'an undelivered order': () => userMails.undeliveredMail({ order_id: 4711, username: TO.username }, SITE),
  'an answered report': () => userMails.answeredMail({ order_id: 4711, message: 'K.O.' }, 'K 1'),
  'a removed second factor': () => userMails.factorRemovedMail(),
  'mails switched off': () => ({ subject: '', text: userMails.mailsOffText('K.O.') }),
  'a finished order': () => userMails.finishedMail(4711, finishedText(ORDER)),
  'news of an event': () => userMails.changedMail('KvK 7', newsText(newsOf())),
  ...Object.fromEntries(
    WEBHOOK_CHANNELS.flatMap((channel) => [
      [`${channel} switched off`, () => userMails.switchedOffMail(channel, 'K.O.')],
      [`${channel} of a finished order`, () => ({ subject: '', text: WEBHOOKS[channel].finished(ORDER) })],
      [`${channel} of an event`, () => ({ subject: '', text: WEBHOOKS[channel].changed(newsOf()) })],
    ]),
  ),
};

function inLocale<Made>(language: Locale, make: () => Made): Made {
  current = language;
  try {
    return make();
  } finally {
    current = 'en';
  }
}

const linksIn = (text: string): string[] => text.match(/https:\/\/\S+/g) ?? [];

/** Returns a link to a page of everybody in a language. */
function linkIn(language: Locale, link: string): string {
  const { origin, pathname, search } = new URL(link);
  return origin + addressIn(language, pathname) + search;
}

/** Texts that are the same in every language: links, and what the fixtures name. */
const SAME =
  /https:\/\/\S+|Zoë_1|\S+@mail\.example|KvK 7|K \d+|K\\?\.O\\?\.|Discord|#?\d[\d:,.]*|Muster|UTC|read|bot|Jan|[\s*#:\\.,-]/g;

for (const language of TRANSLATED) {
  const known = [...readCatalogue(language)].filter(([, { text }]) => text !== '');
  const messages = Object.fromEntries(known.map(([english, { text }]) => [keyOf(english), text]));
  addCatalogue(language, { messages, format: FORMATS[language as keyof typeof FORMATS] });
}

describe.each(Object.keys(KINDS))('%s', (kind) => {
  const make = KINDS[kind] as (typeof KINDS)[string];

  test.each(LOCALES)('leads to the same pages in %s', (language) => {
    const [english, own] = [make(), inLocale(language, make)];
    expect(linksIn(own.text)).toEqual(linksIn(english.text).map((link) => linkIn(language, link)));
    const html = htmlOf(own.text, language, SITE);
    expect(html).toContain(`<html lang="${language}" dir="${LANGUAGES[language].dir}">`);
    for (const link of linksIn(own.text)) expect(html).toContain(`href="${link.replaceAll('&', '&#38;')}"`);
  });
});

test('every kind of mail to a user is among them, and is written here', () => {
  const here = ['worker/services/messages/mail-texts.ts', 'worker/models/messages/user-mails.ts'];
  const own = readFileSync('test/mails.test.ts', 'utf8');
  const kinds = [...Object.keys(mails), ...Object.keys(userMails)];
  expect(kinds.length).toBeGreaterThan(15);
  expect(kinds.filter((kind) => !own.includes(`ails.${kind}(`))).toEqual([]);
  // Mails to admins have subjects in English, which are no messages.
  const elsewhere = globSync('{worker,domain,durable-objects}/**/*.ts').filter(
    (file) => !here.includes(file) && /\bsubject(: | = )t\(/.test(readFileSync(file, 'utf8')),
  );
  expect(elsewhere).toEqual([]);
});

test('no mail or message has a text outside of the catalogues', () => {
  const messages = Object.fromEntries(
    [...extractMessages().keys()].map((english) => [keyOf(english), veiled(english)]),
  );
  addCatalogue('en', { messages });
  for (const [kind, make] of Object.entries(KINDS)) {
    const { subject, text } = make();
    expect(text, kind).toContain('■');
    const left = `${subject}\n${text}`.replace(SAME, '').replace(/[^\p{L}]/gu, '');
    expect({ kind, left }).toEqual({ kind, left: '' });
  }
});

/** Replaces the letters of a message, but not its syntax. */
const veiled = (english: string): string => writtenBack(parseMessage(english));

const writtenBack = (parts: readonly Part[]): string =>
  parts
    .map((part) => {
      if (typeof part === 'string') return part.replace(/\p{L}/gu, '■');
      if (part.kind === 'number') return '#';
      if (part.kind === 'value') return `{${part.name}}`;
      if (part.kind === 'tag') return `<${part.name}>${writtenBack(part.content)}</${part.name}>`;
      const cases = Object.entries(part.cases).map(([name, content]) => `${name} {${writtenBack(content)}}`);
      return `{${part.name}, ${part.kind}, ${cases.join(' ')}}`;
    })
    .join('');
