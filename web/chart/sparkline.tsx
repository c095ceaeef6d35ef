import styles from './sparkline.module.css';

const WIDTH = 96;
const HEIGHT = 24;
const EDGE = 3;

/**
 * A small line without axes. Draws nothing for fewer than two values. `at` holds each value's horizontal position, in
 * any unit.
 */
export function Sparkline({ label, values, at }: { label: string; values: readonly number[]; at: readonly number[] }) {
  const last = points(values, at).at(-1);
  if (values.length < 2 || !last) return null;
  return (
    <svg className={styles.line} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width={WIDTH} height={HEIGHT} role="img">
      <title>{label}</title>
      <polyline points={points(values, at).join(' ')} />
      <circle cx={last[0]} cy={last[1]} r={2} />
    </svg>
  );
}

function points(values: readonly number[], at: readonly number[]): [x: number, y: number][] {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const [first, length] = [at[0] ?? 0, (at.at(-1) ?? 0) - (at[0] ?? 0)];
  const share = (part: number, whole: number, level: number) => (whole === 0 ? level : part / whole);
  return values.map((value, index) => [
    round(EDGE + share((at[index] ?? 0) - first, length, 0) * (WIDTH - 2 * EDGE)),
    round(HEIGHT - EDGE - share(value - least, most - least, 0.5) * (HEIGHT - 2 * EDGE)),
  ]);
}

const round = (value: number): number => Math.round(value * 10) / 10;
