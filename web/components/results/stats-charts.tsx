import type { Game } from '../../../domain/games/games.ts';
import { t, words } from '../../../domain/language/text.ts';
import { type Bar, Bars } from '../../chart/bars.tsx';
import { classesOf } from '../../chart/classes.ts';
import { compact, counted, exact } from '../../format.ts';
import type { Stats } from './stats.ts';
import styles from './stats-panel.module.css';

/** Number of power classes still readable on a phone. */
const MOST_CLASSES = 16;

/** Number of governors per power class. */
export function SpreadChart({ stats, game }: { stats: Stats; game: Game }) {
  const classes = classesOf(stats.powers, MOST_CLASSES);
  const every = Math.ceil(classes.length / 4);
  const fullest = classes.reduce((most, each) => (each.count > most.count ? each : most));
  const bars: Bar[] = classes.map(({ from, to, count }, index) => ({
    name: t('{from} to {to}', { from: compact(from), to: compact(to) }),
    tick: index % every === 0 ? compact(from) : '',
    value: count,
  }));
  return (
    <Bars
      label={t('Power distribution')}
      nameOf={[t('Power'), words(game.governor.many)]}
      reading={t('Most: {count} with {from} to {to}', {
        count: exact(fullest.count),
        from: compact(fullest.from),
        to: compact(fullest.to),
      })}
      bars={bars}
      show={(count) => counted(count, game.governor.one, game.governor.many)}
      exact={exact}
    />
  );
}

/** Kills by tier. */
export function KillsChart({ stats: { tiers, allKills } }: { stats: Stats }) {
  const known = tiers.flatMap(({ value }) => value ?? []);
  if (known.length === 0) return <p className={styles.none}>{t('No kills by tier were read in these rows.')}</p>;
  const excluded = Math.max(...tiers.map((tier) => tier.excluded));
  return (
    <Bars
      label={t('Kills by tier')}
      nameOf={[t('Tier'), t('Kills')]}
      reading={
        excluded > 0
          ? t('{rows} excluded', { rows: counted(excluded, 'row') })
          : killsText(
              known.reduce((sum, value) => sum + value, 0),
              allKills?.value,
            )
      }
      bars={tiers.map(({ value }, tier) => ({
        name: `T${tier + 1}`,
        tick: `T${tier + 1} ${value === null ? '?' : compact(value)}`,
        value,
      }))}
      show={compact}
      exact={exact}
    />
  );
}

const killsText = (kills: number, all: number | null | undefined): string =>
  all
    ? t('{kills} of {all} kills', { kills: compact(kills), all: compact(all) })
    : t('{kills} kills', { kills: compact(kills) });
