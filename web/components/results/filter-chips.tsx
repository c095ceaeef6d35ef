import { X } from 'lucide';
import type { ReactNode } from 'react';
import type { Game } from '../../../domain/games/games.ts';
import { t, words } from '../../../domain/language/text.ts';
import { compact, exact } from '../../format.ts';
import { Icon } from '../../ui/icon.tsx';
import layout from '../../ui/layout.module.css';
import { PlayerName } from '../../ui/player-name.tsx';
import { T } from '../../ui/text.tsx';
import styles from './filter-chips.module.css';
import { type Filters, isFiltering } from './results.ts';

/** Active filters; clicking one removes it. */
export function FilterChips({
  game,
  filters,
  change,
  clear,
}: {
  game: Game;
  filters: Filters;
  change: (part: Filters) => void;
  clear: () => void;
}) {
  if (!isFiltering(filters)) return null;
  const { alliances = [], hallFrom, hallTo, powerFrom, powerTo, flawed } = filters;
  const without = (tag: string) => {
    const rest = alliances.filter((each) => each !== tag);
    change({ alliances: rest.length > 0 ? rest : undefined });
  };
  return (
    <ul className={layout.wrap} aria-label={t('Active filters')}>
      {alliances.map((tag) => (
        <Chip key={tag} remove={() => without(tag)}>
          {tag === '' ? t('No alliance') : <PlayerName name={tag} />}
        </Chip>
      ))}
      {(hallFrom ?? hallTo) !== undefined && (
        <Chip remove={() => change({ hallFrom: undefined, hallTo: undefined })}>
          {words(game.hall.title)} {rangeText(hallFrom, hallTo, exact)}
        </Chip>
      )}
      {(powerFrom ?? powerTo) !== undefined && (
        <Chip remove={() => change({ powerFrom: undefined, powerTo: undefined })}>
          <T of="Power {powerFrom}" powerFrom={rangeText(powerFrom, powerTo, compact)} />
        </Chip>
      )}
      {flawed && <Chip remove={() => change({ flawed: undefined })}>{t('Only unverified rows')}</Chip>}
      <li>
        <button type="button" className={styles.clear} onClick={clear}>
          {t('Clear all')}
        </button>
      </li>
    </ul>
  );
}

const Chip = ({ remove, children }: { remove: () => void; children: ReactNode }) => (
  <li>
    <button type="button" className={styles.chip} onClick={remove}>
      <span className="visually-hidden">{t('Remove the filter')} </span>
      {children}
      <Icon of={X} size={13} />
    </button>
  </li>
);

/** Formats a range: '20 to 25', 'from 20', 'up to 25'. */
function rangeText(from: number | undefined, to: number | undefined, show: (value: number) => string): string {
  if (from === undefined) return t('up to {most}', { most: show(to ?? 0) });
  if (to === undefined) return t('from {least}', { least: show(from) });
  return from === to ? show(from) : t('{from} to {to}', { from: show(from), to: show(to) });
}
