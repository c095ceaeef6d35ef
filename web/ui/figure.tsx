import { compact, exact } from '../format.ts';
import styles from './figure.module.css';
import { exactly } from './short.tsx';

/** A short figure with its exact value on hover and focus. Screen readers get the exact value. */
export function Figure({ value }: { value: number }) {
  const digits = exact(value);
  const short = compact(value);
  if (short === digits) return <data value={value}>{digits}</data>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: focus shows the exact value to keyboard and touch users.
    <data className={styles.figure} value={value} title={exactly(value)} data-exact={digits} tabIndex={0}>
      <span aria-hidden>{short}</span>
      <span className="visually-hidden">{digits}</span>
    </data>
  );
}
