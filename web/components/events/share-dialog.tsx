import { capital, compact, exact } from '../../../domain/figures.ts';
import { GAME_NAMES } from '../../../domain/games/game-names.ts';
import { type EventMeta, type EventRoom, roomCard, roomSheet } from '../../api/events.ts';
import { nameOr } from '../../format.ts';
import { useSettings } from '../../page-settings.ts';
import { Dialog } from '../../ui/dialog.tsx';
import layout from '../../ui/layout.module.css';
import { feedWay, ShareWays, sheetWays, type Way } from './share-ways.tsx';

/** Governors in the text for Discord. */
const TOLD = 15;

/** Name without what would end a code block or break its columns. */
const inBlock = (name: string, otherwise: string): string => nameOr(name.replaceAll('`', "'"), otherwise).slice(0, 20);

/** Returns a war room as a code block for Discord. */
export function discordBlock(meta: EventMeta, room: EventRoom): string {
  const { kingdom } = GAME_NAMES[meta.game];
  const lines = room.governors
    .filter(({ rank }) => rank !== null)
    .slice(0, TOLD)
    .map(({ rank, name, governor_id, dkp, goal }) =>
      [
        String(rank).padStart(3),
        (dkp === null ? '?' : compact(dkp)).padStart(6),
        (goal === null ? '' : `${Math.floor(goal)}%`).padStart(6),
        inBlock(name, String(governor_id)),
      ].join(' '),
    );
  const { counts } = room;
  return [
    '```',
    `${capital(kingdom.one)} ${room.kingdom}: ${inBlock(meta.name, meta.kvk_id)}`,
    `#${room.rank ?? '?'} of ${room.kingdoms}, ${room.dkp === null ? '?' : compact(room.dkp)} DKP`,
    `${exact(counts.fighting)} fighting, ${exact(counts.idle)} not fighting, ${exact(counts.below_goal)} below goal`,
    '',
    '  #    DKP   Goal Name',
    ...lines,
    '```',
  ].join('\n');
}

/** Every way to show a war room to others, each to copy. */
export function ShareDialog({ meta, room, close }: { meta: EventMeta; room: EventRoom; close: () => void }) {
  const { api } = useSettings();
  const { href, origin, pathname } = window.location;
  const base = api || origin;
  const sheet = roomSheet(base, String(meta.dashboard_id), room.kingdom);
  const picture = roomCard(base, meta.dashboard_id, room.kingdom);
  const ways: Way[] = [
    ['Link', href],
    ['Discord', discordBlock(meta, room)],
    ['Picture', picture],
    [
      'Embed in a page',
      `<iframe src="${origin}${pathname}?embed=true" width="100%" height="900" title="War room"></iframe>`,
    ],
    feedWay(base, meta.dashboard_id, room.kingdom),
    ...sheetWays(sheet),
  ];
  return (
    <Dialog title="Share this war room" close={close}>
      <ShareWays ways={ways} />
      <p className={layout.wrap}>
        <a href={sheet} download>
          Download as csv
        </a>
        <a href={picture} target="_blank" rel="noreferrer">
          Open the picture
        </a>
      </p>
    </Dialog>
  );
}
