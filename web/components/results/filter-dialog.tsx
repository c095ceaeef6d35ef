import type { FormEvent } from 'react';
import type { Game } from '../../../domain/games/games.ts';
import { t, words } from '../../../domain/language/text.ts';
import { counted, exact } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { PlayerName } from '../../ui/player-name.tsx';
import { Select } from '../../ui/select.tsx';
import { T } from '../../ui/text.tsx';
import { AmountField } from '../amount-field.tsx';
import styles from './choosers.module.css';
import { alliancesOf, type Filters, hallsOf, type Results } from './results.ts';

/** Filters rows. Changes apply at once, so the button shows the current row count. */
export function FilterDialog({
  game,
  results,
  filters,
  found,
  change,
  clear,
  close,
}: {
  game: Game;
  results: Results;
  filters: Filters;
  /** Number of matching rows. */
  found: number;
  change: (part: Filters) => void;
  clear: () => void;
  close: () => void;
}) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    close();
  };
  return (
    <Dialog title={t('Filters')} close={close}>
      <form className={styles.form} onSubmit={submit} noValidate>
        <Alliances results={results} chosen={filters.alliances ?? []} change={change} />
        <fieldset className={styles.group}>
          <legend>{words(game.hall.title)}</legend>
          <div className={styles.range}>
            <Hall
              results={results}
              label={t('At least')}
              value={filters.hallFrom}
              set={(hallFrom) => change({ hallFrom })}
            />
            <Hall results={results} label={t('At most')} value={filters.hallTo} set={(hallTo) => change({ hallTo })} />
          </div>
        </fieldset>
        <fieldset className={styles.group}>
          <legend>{t('Power')}</legend>
          <div className={styles.range}>
            <AmountField label={t('At least')} value={filters.powerFrom} set={(powerFrom) => change({ powerFrom })} />
            <AmountField label={t('At most')} value={filters.powerTo} set={(powerTo) => change({ powerTo })} />
          </div>
        </fieldset>
        <DialogActions>
          <Button onClick={clear}>{t('Clear all')}</Button>
          <Button type="submit" look="primary">
            <T of="Show {found}" found={counted(found, game.governor.one, game.governor.many)} />
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

function Alliances({
  results,
  chosen,
  change,
}: {
  results: Results;
  chosen: readonly string[];
  change: (part: Filters) => void;
}) {
  const toggle = (tag: string) => {
    const alliances = chosen.includes(tag) ? chosen.filter((each) => each !== tag) : [...chosen, tag];
    change({ alliances: alliances.length > 0 ? alliances : undefined });
  };
  return (
    <fieldset className={styles.group}>
      <legend>{t('Alliance')}</legend>
      <ul className={`${styles.options} ${styles.many}`}>
        {alliancesOf(results).map(({ tag, count }) => (
          <li key={tag}>
            <label className={styles.option}>
              <input type="checkbox" checked={chosen.includes(tag)} onChange={() => toggle(tag)} />
              <span className={styles.tag}>{tag === '' ? t('No alliance') : <PlayerName name={tag} />}</span>
              <span className={styles.number}>{exact(count)}</span>
            </label>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}

/** Selects one of the levels that occur in the rows. */
const Hall = ({
  results,
  label,
  value,
  set,
}: {
  results: Results;
  label: string;
  value: number | undefined;
  set: (value: number | undefined) => void;
}) => (
  <label className={styles.level}>
    {label}
    <Select value={value ?? ''} onChange={({ target }) => set(target.value === '' ? undefined : Number(target.value))}>
      <option value="">{t('any')}</option>
      {[...new Set([...hallsOf(results), ...(value === undefined ? [] : [value])])].map((hall) => (
        <option key={hall}>{hall}</option>
      ))}
    </Select>
  </label>
);
