import { RotateCcw } from 'lucide';
import { useId, useState } from 'react';
import { PRESETS } from '../../../domain/difference/scoring.ts';
import type { GameId } from '../../../domain/games/game-names.ts';
import { GAME_NAMES } from '../../../domain/games/game-names.ts';
import { isolated } from '../../../domain/language/formats.ts';
import { t, words } from '../../../domain/language/text.ts';
import { exact } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { T } from '../../ui/text.tsx';
import { figureTitles } from './figure-titles.ts';
import styles from './weights.module.css';
import { writtenWeights } from './written-weights.ts';

/** Maximum of the slider; the number field accepts more. */
const SLIDER = 100;

/** Weights of each figure. Visitors can change them; ranks follow, and the link contains them. */
export function Weights({
  game,
  weights,
  usual,
  power_off = 0,
  change,
}: {
  game: GameId;
  /** Current weights. */
  weights: Readonly<Record<string, number>>;
  /** Default weights. */
  usual: Readonly<Record<string, number>>;
  power_off?: number;
  /** Receives the weights in URL form, or undefined if they equal the default. */
  change: (written: string | undefined) => void;
}) {
  const titles = figureTitles(game);
  const { roles } = GAME_NAMES[game];
  const [, , , t4, t5] = roles.tiers;
  const keys = [...new Set([t4, t5, roles.deads, ...(game === 'cod' ? [roles.score] : []), ...Object.keys(weights)])];
  const set = (next: Readonly<Record<string, number>>) => change(writtenWeights(next, usual));
  const own = writtenWeights(weights, usual) !== undefined;
  return (
    <details className={styles.weights} open={own || undefined}>
      <summary className={styles.head}>
        {own ? (
          <T
            of="DKP = {formula} <b>(your weights)</b>"
            formula={formula(weights, titles, power_off)}
            b={(text) => <b>{text}</b>}
          />
        ) : (
          <T of="DKP = {formula}" formula={formula(weights, titles, power_off)} />
        )}
      </summary>
      <div className={styles.body}>
        {keys.map((key) => (
          <Weight
            key={key}
            title={titles[key] ?? key}
            value={weights[key] ?? 0}
            onChange={(value) => set({ ...weights, [key]: value })}
          />
        ))}
        <div className={styles.presets}>
          {PRESETS[game].map((preset) => (
            <Button key={preset.name} onClick={() => set(preset.weights)}>
              {words(preset.name)}
            </Button>
          ))}
          {own && (
            <Button onClick={() => set(usual)}>
              <Icon of={RotateCcw} size={14} />
              <T of="Default weights" />
            </Button>
          )}
        </div>
      </div>
    </details>
  );
}

const formula = (
  weights: Readonly<Record<string, number>>,
  titles: Readonly<Record<string, string>>,
  power_off: number,
): string => {
  const terms = Object.entries(weights).filter(([, weight]) => weight !== 0);
  const sum =
    terms.map(([key, weight]) => `${exact(weight)} × ${isolated(titles[key] ?? key)}`).join(' + ') || t('nothing');
  return power_off > 0 ? `${sum} − ${exact(power_off)} × ${t('power')}` : sum;
};

function Weight({ title, value, onChange }: { title: string; value: number; onChange: (value: number) => void }) {
  const id = useId();
  /** The text as typed while it is no weight, such as an empty one; otherwise null. */
  const [typed, setTyped] = useState<string | null>(null);
  const take = (text: string) => {
    const next = Number(text);
    const isWeight = text !== '' && Number.isFinite(next) && Math.abs(next) <= 1000;
    setTyped(isWeight ? null : text);
    if (isWeight) onChange(next);
  };
  return (
    <div className={styles.weight}>
      <label htmlFor={id}>{title}</label>
      <input
        type="range"
        min={0}
        max={SLIDER}
        value={Math.min(SLIDER, Math.max(0, value))}
        aria-label={t('{title}, weight', { title })}
        onChange={({ target }) => take(target.value)}
      />
      <input
        id={id}
        type="number"
        step="any"
        min={-1000}
        max={1000}
        value={typed ?? value}
        onChange={({ target }) => take(target.value)}
        onBlur={() => setTyped(null)}
      />
    </div>
  );
}
