import { Link } from '@tanstack/react-router';
import { sheetLines } from '../../../domain/events/sheets.ts';
import { message, t, words } from '../../../domain/language/text.ts';
import { type EventMeta, eventCard, eventSheet, governorCard, roomCard, roomSheet } from '../../api/events.ts';
import { useSettings } from '../../page-settings.ts';
import { Dialog } from '../../ui/dialog.tsx';
import layout from '../../ui/layout.module.css';
import { discordBlock, type Shared } from './share-texts.ts';
import { feedWay, ShareWays, type Way } from './share-ways.tsx';

const TITLE = {
  event: message('Share this event'),
  room: message('Share this war room'),
  governor: message('Share this result'),
} as const;

interface Addresses {
  picture: string;
  /** Of the rows as csv, if there is one. */
  sheet?: string;
  /** Of the page to embed, if it can be. */
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
  const { picture, sheet, embed, feed } = addressesOf(meta, what, api || origin);
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
