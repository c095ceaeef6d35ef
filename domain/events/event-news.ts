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
  ...(sentences.length > TOLD ? [`and ${sentences.length - TOLD} more changes`] : []),
];

/** Returns the mail's text. */
export const newsText = (news: EventNews): string =>
  `Scan of ${news.scan}\n\n${newsLines(news, (text) => text).join('\n')}\n\n${news.address}\n\nYou get this because you follow it. Stop here:\n${news.settings}`;
