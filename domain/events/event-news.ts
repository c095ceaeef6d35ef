import { t } from '../language/text.ts';

/** The text of a message about changes in an event or in one of its kingdoms. */
export interface EventNews {
  /** The event's name, and the kingdom's if it is about one. */
  title: string;
  /** When the scan was made, as a text. */
  scan: string;
  sentences: readonly string[];
  /** Address of the page that shows it. */
  address: string;
  /** Address of the page where the user stops to follow it. */
  settings: string;
}

/** Sentences in a message. The page shows all. */
const TOLD = 15;

/** Returns the first sentences and how many more there are. `write` escapes them for the channel. */
export const newsLines = ({ sentences }: EventNews, write: (text: string) => string): string[] => [
  ...sentences.slice(0, TOLD).map(write),
  ...(sentences.length > TOLD
    ? [t('{count, plural, one {and # more change} other {and # more changes}}', { count: sentences.length - TOLD })]
    : []),
];

/** Returns the mail's text. */
export const newsText = (news: EventNews): string =>
  [
    t('Scan of {when}', { when: news.scan }),
    newsLines(news, (text) => text).join('\n'),
    news.address,
    `${t('You get this because you follow it. Stop here:')}\n${news.settings}`,
  ].join('\n\n');
