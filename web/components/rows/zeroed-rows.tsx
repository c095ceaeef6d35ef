import { X } from 'lucide';
import { DEADS_OFF, type DeadsOff } from '../../../domain/difference/scoring.ts';
import type { GameId } from '../../../domain/games/game-names.ts';
import { sign } from '../../../domain/language/formats.ts';
import { t } from '../../../domain/language/text.ts';
import { percentage } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import layout from '../../ui/layout.module.css';
import { Select } from '../../ui/select.tsx';
import { Governor, GovernorFind } from './governor-find.tsx';
import type { KnownGovernors } from './known-governors.ts';
import { RowSet } from './row-set.tsx';
import styles from './rows.module.css';

/** What leaders subtract most often, in percent. */
const USUAL: DeadsOff = 80;

/** Zeroed governors, each with the percentage of their deads that does not count. */
export function ZeroedRows({
  game,
  known,
  zeroed,
  error,
  change,
}: {
  game: GameId;
  known: KnownGovernors;
  zeroed: Readonly<Record<string, DeadsOff>>;
  error?: string | null;
  change: (zeroed: Record<string, DeadsOff>) => void;
}) {
  const rows = Object.entries(zeroed).map(([id, percent]) => ({ id: Number(id), percent }));
  const without = (id: number) => Object.fromEntries(Object.entries(zeroed).filter(([key]) => Number(key) !== id));
  return (
    <RowSet
      title={t('Zeroed')}
      about={t('A percentage of a zeroed governor’s deads does not count.')}
      error={error}
      rows={rows}
      rowId={({ id }) => id}
      row={({ id, percent }) => (
        <div className={styles.row}>
          <Governor id={id} known={known} />
          <span className={layout.row}>
            <Select
              aria-label={t('Percent of the deads of {id} that does not count', { id: String(id) })}
              value={percent}
              onChange={({ target }) => {
                const off = DEADS_OFF.find((each) => String(each) === target.value);
                if (off !== undefined) change({ ...zeroed, [id]: off });
              }}
            >
              {DEADS_OFF.map((off) => (
                <option key={off} value={off}>
                  {sign('−')}
                  {percentage(off)}
                </option>
              ))}
            </Select>
            <Button
              look="bare"
              aria-label={t('{id} is not zeroed', { id: String(id) })}
              onClick={() => change(without(id))}
            >
              <Icon of={X} size={16} />
            </Button>
          </span>
        </div>
      )}
    >
      <GovernorFind
        game={game}
        known={known}
        label={t('Add a zeroed governor')}
        chosen={(id) => (zeroed[id] === undefined ? null : t('is zeroed'))}
        choose={(id) => change({ ...zeroed, [id]: USUAL })}
      />
    </RowSet>
  );
}
