import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { GAME_NAMES } from '../../../domain/games/game-names.ts';
import type { EventBoard } from '../../api/events.ts';
import { type EventMeta, roomPath } from '../../api/events.ts';
import { capital, compact, exact } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { useLinkTarget } from '../embedded.ts';
import { useMyKingdom } from './my-kingdom.ts';
import styles from './room-link.module.css';

/** Links a kingdom of an event to its war room. */
export function RoomLink({
  meta,
  kingdom,
  children,
}: {
  meta: Pick<EventMeta, 'game' | 'dashboard_id'>;
  kingdom: string;
  children?: ReactNode;
}) {
  const target = useLinkTarget();
  return (
    <Link {...roomPath(meta, kingdom)} {...target}>
      {children ?? kingdom}
    </Link>
  );
}

/** The user's own kingdom in an event: rank, score and the way to its war room. */
export function MyKingdom({ meta, board }: { meta: EventMeta; board: EventBoard }) {
  const { own, remember } = useMyKingdom(meta.game);
  const place = board.kingdoms.findIndex(({ kingdom }) => kingdom === own);
  const found = board.kingdoms[place];
  if (!found) return null;
  return (
    <p className={styles.mine}>
      <strong>
        <RoomLink meta={meta} kingdom={found.kingdom}>
          My {GAME_NAMES[meta.game].kingdom.one} {found.kingdom}
        </RoomLink>
      </strong>
      <span>
        #{place + 1} of {board.kingdoms.length}
      </span>
      <span title={found.dkp === null ? 'Not known' : exact(found.dkp)}>
        {found.dkp === null ? '?' : compact(found.dkp)} DKP
      </span>
      <Button look="bare" onClick={() => remember(null)}>
        Unpin<span className="visually-hidden"> {capital(GAME_NAMES[meta.game].kingdom.one)}</span>
      </Button>
    </p>
  );
}
