import { Pause, Play } from 'lucide';
import { useEffect, useId, useState } from 'react';
import { t } from '../../domain/language/text.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import styles from './race.module.css';

interface Racer {
  name: string;
  /** A CSS colour. */
  colour: string;
  /** One value per time; null if unknown. */
  values: readonly (number | null)[];
}

/** Duration of one step, in ms. */
const STEP_MS = 900;

/**
 * An animated bar race over time, with play button and slider. Each bar shows its name and value as text for screen
 * readers.
 */
export function Race({
  label,
  moments,
  racers,
  show,
}: {
  label: string;
  moments: readonly string[];
  racers: readonly Racer[];
  show: (value: number) => string;
}) {
  const id = useId();
  const last = moments.length - 1;
  const [at, setAt] = useState(last);
  const [playing, setPlaying] = useState(false);
  useEffect(() => {
    if (!playing) return;
    const timer = setTimeout(() => {
      if (at >= last) setPlaying(false);
      else setAt(at + 1);
    }, STEP_MS);
    return () => clearTimeout(timer);
  }, [playing, at, last]);
  const now = Math.min(at, last);
  const most = Math.max(1, ...racers.flatMap(({ values }) => values.map((value) => value ?? 0)));
  const placed = racers
    .map((racer) => ({ ...racer, value: racer.values[now] ?? null }))
    .toSorted((one, other) => (other.value ?? Number.NEGATIVE_INFINITY) - (one.value ?? Number.NEGATIVE_INFINITY));
  const place = new Map(placed.map(({ name }, index) => [name, index]));
  const toggle = () => {
    if (!playing && now >= last) setAt(0);
    setPlaying(!playing);
  };
  return (
    <figure className={styles.race} aria-labelledby={id}>
      <figcaption className={styles.caption}>
        <span id={id}>{label}</span>
        <span className={styles.moment}>{moments[now]}</span>
      </figcaption>
      <ol className={styles.bars} style={{ height: `${racers.length * 2.25}rem` }}>
        {racers.map(({ name, colour, values }) => {
          const value = values[now] ?? null;
          return (
            <li
              key={name}
              className={styles.row}
              style={{ transform: `translateY(${(place.get(name) ?? 0) * 2.25}rem)` }}
            >
              <span className={styles.name}>{name}</span>
              <span className={styles.track}>
                <span
                  className={styles.bar}
                  style={{ width: `${(Math.max(0, value ?? 0) / most) * 100}%`, background: colour }}
                />
              </span>
              <span className={styles.value}>{value === null ? '?' : show(value)}</span>
            </li>
          );
        })}
      </ol>
      <div className={styles.controls}>
        <Button onClick={toggle} disabled={last < 1}>
          <Icon of={playing ? Pause : Play} size={14} />
          {playing ? t('Pause') : t('Play')}
        </Button>
        <input
          type="range"
          min={0}
          max={Math.max(0, last)}
          value={now}
          aria-label={t('{label}: moment', { label })}
          aria-valuetext={moments[now]}
          onChange={({ target }) => {
            setPlaying(false);
            setAt(Number(target.value));
          }}
        />
      </div>
    </figure>
  );
}
