import { ChevronDown, ChevronRight, ChevronUp } from 'lucide';
import type { ReactNode } from 'react';
import { type BoardRow, keyOfRow } from '../../../domain/boards/rows.ts';
import { compact, exact } from '../../format.ts';
import { Icon } from '../../ui/icon.tsx';
import styles from './-board.module.css';

/** What stands in a board's cells beside figures. */

/** Which row is open, and what opens another. Names lead users on; to visitors they are what opens a row. */
export interface Opening {
  open: string | undefined;
  toggle: (row: BoardRow) => void;
  visitor: boolean;
}

/** What names a row, behind the switch that opens it where it stands. */
export function Opens({
  row,
  name,
  opening,
  children,
}: {
  row: BoardRow;
  name: string;
  opening: Opening;
  children: ReactNode;
}) {
  const isOpen = opening.open === String(keyOfRow(row));
  return (
    <span className={styles.opens}>
      <button
        type="button"
        className={styles.open}
        aria-expanded={isOpen}
        aria-label={`Places of ${name}`}
        onClick={() => opening.toggle(row)}
      >
        <Icon of={isOpen ? ChevronDown : ChevronRight} size={14} />
        {opening.visitor && children}
      </button>
      {!opening.visitor && children}
    </span>
  );
}

/** What a row gained, of what the board ranks by. */
export function Gained({ row }: { row: BoardRow }): ReactNode {
  const { gained, moved } = row;
  if (gained === null || gained === undefined)
    return (
      <span className={styles.unknown} title={moved === null ? NEW : 'Not comparable with the day before'}>
        ?
      </span>
    );
  const text = `${gained > 0 ? '+' : gained < 0 ? '−' : '±'}${compact(Math.abs(gained))}`;
  return (
    <span className={gained > 0 ? styles.more : gained < 0 ? styles.less : undefined} title={exact(gained)}>
      {text}
    </span>
  );
}

const NEW = 'New since the day before';

/** How far a row moved since the day before; nothing where it stayed. */
export function Moved({ moved }: { moved: number | null }): ReactNode {
  if (moved === null)
    return (
      <span className={styles.fresh} title={NEW}>
        new
      </span>
    );
  if (moved === 0) return null;
  return (
    <span className={moved > 0 ? styles.up : styles.down}>
      <Icon of={moved > 0 ? ChevronUp : ChevronDown} size={12} />
      <span className="visually-hidden">{moved > 0 ? 'up ' : 'down '}</span>
      {exact(Math.abs(moved))}
    </span>
  );
}
