import { dayOf } from '../../../../domain/days.ts';
import { GAME_NAMES, type GameId } from '../../../../domain/games/game-names.ts';
import { t } from '../../../../domain/language/text.ts';
import type { LibraryScan } from '../../../api/scans.ts';
import { counted, date } from '../../../format.ts';
import { Select } from '../../../ui/select.tsx';
import styles from './-scans.module.css';
import { idsIn, type ScansSearch } from './-scans-search.ts';

/** All scans of a game and day, the latest of each kingdom. */
interface WholeDay {
  key: string;
  game: GameId;
  at: number;
  ids: string[];
}

/**
 * Groups scans by day, newest first. Excludes sums over a range of days, which are only comparable with each other, and
 * the oldest day if there are `more` scans to load, because some of them may be of that day.
 */
export function wholeDays(scans: readonly LibraryScan[], more: boolean): WholeDay[] {
  const days = new Map<string, WholeDay & { kingdoms: Set<number> }>();
  const cut = more ? dayOf(scans.at(-1)?.captured_at ?? 0) : null;
  for (const { scan_id, game, kingdom_id, captured_at, range_from } of scans) {
    if (range_from !== null || dayOf(captured_at) === cut) continue;
    const key = `${game} ${dayOf(captured_at)}`;
    const day = days.get(key) ?? { key, game, at: captured_at, ids: [], kingdoms: new Set() };
    // Scans are sorted newest first.
    if (!day.kingdoms.has(kingdom_id)) day.ids.push(scan_id);
    day.kingdoms.add(kingdom_id);
    days.set(key, day);
  }
  return [...days.values()].map(({ kingdoms: _, ...day }) => day);
}

/** Selects all scans of a day at once, for wars of many kingdoms. */
export function WholeDays({
  scans,
  more,
  search,
  change,
}: {
  scans: readonly LibraryScan[];
  /** There are older scans, which are not loaded. */
  more: boolean;
  search: ScansSearch;
  change: (part: Partial<ScansSearch>) => void;
}) {
  const days = wholeDays(scans, more);
  if (days.length < 2 || days.every(({ ids }) => ids.length < 2)) return null;
  const mixed = new Set(days.map(({ game }) => game)).size > 1;
  const side = (which: 'from' | 'to', label: string) => {
    const chosen = days.find(({ ids }) => ids.join() === idsIn(search[which]).join());
    return (
      <label className={styles.wholeDay}>
        {label}
        <Select
          value={chosen?.key ?? ''}
          onChange={({ target }) => change({ [which]: days.find(({ key }) => key === target.value)?.ids.join() })}
        >
          <option value="">{t('choose a day')}</option>
          {days.map(({ key, game, at, ids }) => (
            <option key={key} value={key}>
              {mixed && `${GAME_NAMES[game].short} · `}
              {date(at)} · {counted(ids.length, GAME_NAMES[game].kingdom.one, GAME_NAMES[game].kingdom.many)}
            </option>
          ))}
        </Select>
      </label>
    );
  };
  return (
    <fieldset className={styles.wholeDays} aria-label={t('Compare whole days')}>
      {side('from', t('From all of'))}
      {side('to', t('to all of'))}
    </fieldset>
  );
}
