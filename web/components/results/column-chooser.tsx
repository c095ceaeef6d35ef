import { t, words } from '../../../domain/language/text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import styles from './choosers.module.css';
import { ALWAYS } from './column-choice.ts';
import type { ResultColumn, Results } from './results.ts';

/** Chooses the table's columns. Columns without values can also be chosen and show '?'. */
export function ColumnChooser({
  results,
  shown,
  choose,
  reset,
  close,
}: {
  results: Results;
  shown: readonly ResultColumn[];
  /** Receives ids in the game's order. */
  choose: (ids: string[]) => void;
  reset: () => void;
  close: () => void;
}) {
  const on = new Set(shown.map(({ id }) => id));
  const toggle = (id: string) =>
    choose(results.columns.map((column) => column.id).filter((each) => (each === id) !== on.has(each)));
  const [read, unread] = [true, false].map((has) => results.columns.filter(({ id }) => results.has(id) === has));
  return (
    <Dialog title={t('Columns')} close={close}>
      <Group title={t('In these results')} columns={read ?? []} on={on} toggle={toggle} />
      {(unread?.length ?? 0) > 0 && (
        <Group title={t('Not read in these results')} columns={unread ?? []} on={on} toggle={toggle} />
      )}
      <DialogActions>
        <Button onClick={reset}>{t('Reset')}</Button>
        <Button look="primary" onClick={close}>
          {t('Done')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

const Group = ({
  title,
  columns,
  on,
  toggle,
}: {
  title: string;
  columns: readonly ResultColumn[];
  on: ReadonlySet<string>;
  toggle: (id: string) => void;
}) => (
  <fieldset className={styles.group}>
    <legend>{title}</legend>
    <ul className={`${styles.options} ${styles.many} ${styles.long}`}>
      {columns.map(({ id, about }) => (
        <li key={id}>
          <label className={styles.option}>
            <input type="checkbox" checked={on.has(id)} disabled={id === ALWAYS} onChange={() => toggle(id)} />
            {words(about)}
          </label>
        </li>
      ))}
    </ul>
  </fieldset>
);
