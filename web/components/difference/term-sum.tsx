import type { Doubt } from '../../../domain/difference/doubts.ts';
import { countsDeads, weighed } from '../../../domain/difference/scoring.ts';
import type { GameId } from '../../../domain/games/game-names.ts';
import { isolated } from '../../../domain/language/formats.ts';
import { message, t, words } from '../../../domain/language/text.ts';
import { exact } from '../../format.ts';
import { Unknown } from '../../ui/unknown.tsx';
import { figureTitles } from './figure-titles.ts';
import styles from './term-sum.module.css';

const NOT_READ = message('Not read in one of the two scans.');

export interface Term {
  key: string;
  title: string;
  weight: number;
  /** Null if not read. */
  gain: number | null;
  points: number | null;
  doubt: Doubt | null;
}

/** Returns the weights that are not 0, without the share of zeroed governors' deads. */
export const countedWeights = (
  game: GameId,
  weights: Readonly<Record<string, number>>,
  deadsOff: number,
): (readonly [string, number])[] =>
  weighed(weights).map(([key, weight]) => [key, countsDeads(game, key) ? weight * ((100 - deadsOff) / 100) : weight]);

/** Returns the terms of a score, including the deductions for zeroed governors' deads and for power at the start. */
export function termsOf(
  game: GameId,
  { weights, power_off }: { weights: Readonly<Record<string, number>>; power_off: number },
  governor: {
    gain: (key: string) => number | null;
    doubt: (key: string) => Doubt | null;
    /** Power at the start. */
    power: number | null;
    /** Percent of the deads that does not count. */
    deadsOff: number;
  },
): Term[] {
  const titles = figureTitles(game);
  const term = (key: string, title: string, weight: number, gain: number | null, doubt: Doubt | null): Term => ({
    key,
    title,
    weight,
    gain,
    points: gain === null ? null : weight * gain,
    doubt,
  });
  const terms = countedWeights(game, weights, governor.deadsOff).map(([key, weight]) =>
    term(key, titles[key] ?? key, weight, governor.gain(key), governor.doubt(key)),
  );
  if (power_off === 0) return terms;
  return [...terms, term('power_off', t('power at the start'), -power_off, governor.power, null)];
}

/** Shows the score as a sum: 10 × 1,234,567 T4 kills + …. */
export function TermSum({ terms }: { terms: readonly Term[] }) {
  const total = terms.reduce<number | null>(
    (sum, { points }) => (sum === null || points === null ? null : sum + points),
    0,
  );
  const doubted = terms.some(({ doubt }) => doubt !== null);
  return (
    <dl className={styles.sum}>
      {terms.map(({ key, weight, title, gain, points, doubt }) => (
        <div key={key} data-doubted={doubt !== null || undefined}>
          <dt>
            {exact(weight)} × {isolated(title)}
          </dt>
          <dd>
            {gain === null ? <Unknown why={words(NOT_READ)} /> : exact(gain)}
            <small> = {points === null ? <Unknown why={words(NOT_READ)} /> : exact(points)}</small>
          </dd>
        </div>
      ))}
      <div className={styles.total}>
        <dt>{doubted ? t('Raw total, not counted') : t('DKP')}</dt>
        <dd>{total === null ? <Unknown why={t('A figure in it is unknown.')} /> : exact(total)}</dd>
      </div>
    </dl>
  );
}
