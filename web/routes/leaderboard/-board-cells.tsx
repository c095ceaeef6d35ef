import { ChevronDown, ChevronUp } from 'lucide';
import type { ReactNode } from 'react';
import { type BoardRow, keyOfRow } from '../../../domain/boards/rows.ts';
import { signOf } from '../../../domain/language/formats.ts';
import { message, t, words } from '../../../domain/language/text.ts';
import { compact, exact } from '../../format.ts';
import { Icon } from '../../ui/icon.tsx';
import styles from './-board.module.css';

/** Cells of boards other than figures. */

/** The expanded row and how to toggle it. Names are links for users; for visitors they toggle the row. */
export interface Opening {
  open: string | undefined;
  toggle: (row: BoardRow) => void;
  visitor: boolean;
}

/** A row's name with the button that expands it. */
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
        aria-label={t('Places of {name}', { name })}
        onClick={() => opening.toggle(row)}
      >
        {opening.visitor && children}
      </button>
      {!opening.visitor && children}
    </span>
  );
}

/** Change of the ranked figure. */
export function Gained({ row }: { row: BoardRow }): ReactNode {
  const { gained, moved } = row;
  if (gained === null || gained === undefined)
    return (
      <span className={styles.unknown} title={moved === null ? words(NEW) : t('Not comparable with the day before')}>
        ?
      </span>
    );
  const text = `${signOf(gained)}${compact(Math.abs(gained))}`;
  return (
    <span className={gained > 0 ? styles.more : gained < 0 ? styles.less : undefined} title={exact(gained)}>
      {text}
    </span>
  );
}

const NEW = message('New since the day before');

/** Change of rank since the day before; nothing if unchanged. */
export function Moved({ moved }: { moved: number | null }): ReactNode {
  if (moved === null)
    return (
      <span className={styles.fresh} title={words(NEW)}>
        {t('new')}
      </span>
    );
  if (moved === 0) return null;
  return (
    <span className={moved > 0 ? styles.up : styles.down}>
      <Icon of={moved > 0 ? ChevronUp : ChevronDown} size={12} />
      <span className="visually-hidden">{moved > 0 ? t('up ') : t('down ')}</span>
      {exact(Math.abs(moved))}
    </span>
  );
}
