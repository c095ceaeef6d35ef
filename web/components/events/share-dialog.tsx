import { Link } from '@tanstack/react-router';
import { feedPath } from '../../../domain/events/feed.ts';
import { sheetLines } from '../../../domain/events/sheets.ts';
import { locale } from '../../../domain/language/current.ts';
import { pictureIn } from '../../../domain/language/locales.ts';
import { message, t, words } from '../../../domain/language/text.ts';
import { type EventMeta, eventCard, eventSheet, governorCard, roomCard, roomSheet } from '../../api/events.ts';
import { useSettings } from '../../page-settings.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import layout from '../../ui/layout.module.css';
import styles from './share-dialog.module.css';
import { discordBlock, type Shared } from './share-texts.ts';

const TITLE = {
  event: message('Share this event'),
  room: message('Share this war room'),
  governor: message('Share this result'),
} as const;

interface Addresses {
  picture: string;
  /** Address of the rows as csv, if there is one. */
  sheet?: string;
  /** Address of the page to embed, if it can be embedded. */
  embed?: string;
  feed?: Way;
}

function addressesOf({ dashboard_id: id }: EventMeta, what: Shared, base: string): Addresses {
  const { origin, pathname } = window.location;
  const embed = `${origin}${pathname}?embed=true`;
  if (what.kind === 'governor') return { picture: governorCard(base, id, what.governor.id) };
  if (what.kind === 'event')
    return { picture: eventCard(base, id), sheet: eventSheet(base, String(id)), embed, feed: feedWay(base, id) };
  const { kingdom } = what.room;
  const sheet = roomSheet(base, String(id), kingdom);
  return { picture: roomCard(base, id, kingdom), sheet, embed, feed: feedWay(base, id, kingdom) };
}

/** Every way to show something of an event to others, each to copy. */
export function ShareDialog({ meta, what, close }: { meta: EventMeta; what: Shared; close: () => void }) {
  const { api } = useSettings();
  const { href, origin } = window.location;
  const { sheet, embed, feed, ...addresses } = addressesOf(meta, what, api || origin);
  const picture = pictureIn(locale(), addresses.picture);
  const ways: Way[] = [
    [t('Link'), href],
    ['Discord', discordBlock(meta, what)],
    [t('Picture'), picture],
    ...(embed
      ? [
          [
            t('Embed in a page'),
            `<iframe src="${embed}" width="100%" height="900" title="${t('War')}"></iframe>`,
          ] as const,
        ]
      : []),
    ...(feed ? [feed] : []),
    ...(sheet ? sheetLines(sheet) : []),
  ];
  return (
    <Dialog title={words(TITLE[what.kind])} close={close}>
      <ShareWays ways={ways} />
      <p className={layout.wrap}>
        {sheet && (
          <a href={sheet} download>
            {t('Download as csv')}
          </a>
        )}
        <a href={picture} target="_blank" rel="noreferrer">
          {t('Open the picture')}
        </a>
        <Link to="/recipes">{t('Recipes for your own programs')}</Link>
      </p>
    </Dialog>
  );
}

/** A way to show something to others: a title and the text to copy. */
type Way = readonly [title: string, text: string];

/** Ways to follow an event, or a kingdom in it. `api` is the API's origin. */
const feedWay = (api: string, id: number, kingdom?: string): Way => [
  t('Feed of changes (JSON Feed)'),
  api + feedPath(id, kingdom),
];

/** Lists texts with a button to copy each. */
const ShareWays = ({ ways }: { ways: readonly Way[] }) => (
  <ul className={styles.ways}>
    {ways.map(([title, text]) => (
      <li key={title}>
        <span>{title}</span>
        <CopyButton text={text} what={title} />
      </li>
    ))}
  </ul>
);
