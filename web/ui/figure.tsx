import { compact, exact } from '../format.ts';
import styles from './figure.module.css';
import { exactly } from './short.tsx';

/**
 * A large number in a few characters; every digit comes with hover, and with focus for those without a mouse.
 * Screen readers get the exact one.
 */
export function Figure({ value }: { value: number }) {
  const digits = exact(value);
  const short = compact(value);
  if (short === digits) return <data value={value}>{digits}</data>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: focus is how a keyboard or a finger gets at the exact value.
    <data className={styles.figure} value={value} title={exactly(value)} data-exact={digits} tabIndex={0}>
      <span aria-hidden>{short}</span>
      <span className="visually-hidden">{digits}</span>
    </data>
  );
}
