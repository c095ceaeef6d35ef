import { GAME_NAMES } from '../../../domain/games/game-names.ts';
import { t, words } from '../../../domain/language/text.ts';
import { messageOf } from '../../api/client.ts';
import type { EventBoard, EventMeta } from '../../api/events.ts';
import { capital, compact, exact } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { T } from '../../ui/text.tsx';
import { useMyKingdom } from './my-kingdom.ts';
import styles from './my-kingdom-line.module.css';
import { RoomLink } from './room-link.tsx';
import { ranksIn } from './standings.ts';

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
          <T of="My {one} {kingdom}" one={words(GAME_NAMES[meta.game].kingdom.one)} kingdom={found.kingdom} />
        </RoomLink>
      </strong>
      <span>
        <T of="#{value} of {length}" value={ranksIn(board)[place] ?? '?'} length={board.kingdoms.length} />
      </span>
      <span title={found.dkp === null ? t('Not known') : exact(found.dkp)}>
        <T of="{value} DKP" value={found.dkp === null ? '?' : compact(found.dkp)} />
      </span>
      {found.counts.below_goal > 0 && (
        <RoomLink meta={meta} kingdom={found.kingdom} only="below">
          <T of="{below_goal} below goal" below_goal={exact(found.counts.below_goal)} />
        </RoomLink>
      )}
      {found.counts.idle > 0 && (
        <RoomLink meta={meta} kingdom={found.kingdom} only="idle">
          <T of="{idle} did not fight" idle={exact(found.counts.idle)} />
        </RoomLink>
      )}
      <Button look="bare" onClick={() => remember(null)}>
        <T
          of="Unpin{span}"
          span={<span className="visually-hidden"> {words(capital(GAME_NAMES[meta.game].kingdom.one))}</span>}
        />
      </Button>
      {error && <Notice tone="danger">{messageOf(error)}</Notice>}
    </div>
  );
}
