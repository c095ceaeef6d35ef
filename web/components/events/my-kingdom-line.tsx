import { GAME_NAMES } from '../../../domain/games/game-names.ts';
import { messageOf } from '../../api/client.ts';
import type { EventBoard, EventMeta } from '../../api/events.ts';
import { capital, compact, exact } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useMyKingdom } from './my-kingdom.ts';
import styles from './my-kingdom-line.module.css';
import { RoomLink } from './room-link.tsx';

/** The user's own kingdom in an event: rank, score and the way to its war room. */
export function MyKingdom({ meta, board }: { meta: EventMeta; board: EventBoard }) {
  const { own, remember, error } = useMyKingdom(meta.game);
  const place = board.kingdoms.findIndex(({ kingdom }) => kingdom === own);
  const found = board.kingdoms[place];
  if (!found) return null;
  return (
    <div className={styles.mine}>
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
      {found.counts.below_goal > 0 && (
        <RoomLink meta={meta} kingdom={found.kingdom} only="below">
          {exact(found.counts.below_goal)} below goal
        </RoomLink>
      )}
      {found.counts.idle > 0 && (
        <RoomLink meta={meta} kingdom={found.kingdom} only="idle">
          {exact(found.counts.idle)} did not fight
        </RoomLink>
      )}
      <Button look="bare" onClick={() => remember(null)}>
        Unpin<span className="visually-hidden"> {capital(GAME_NAMES[meta.game].kingdom.one)}</span>
      </Button>
      {error && <Notice tone="danger">{messageOf(error)}</Notice>}
    </div>
  );
}
