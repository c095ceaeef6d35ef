import type { ComponentProps } from 'react';
import styles from './button.module.css';

export type ButtonLook = 'primary' | 'plain' | 'bare';

/** Returns the class of a button, for links that look like buttons. */
export const buttonClass = (look: ButtonLook = 'plain', extra = ''): string =>
  `${styles.button} ${styles[look]} ${extra}`.trim();

/** A button. While `busy` it keeps its place and focus and ignores clicks, so that a double click is one action. */
export function Button({
  look,
  busy = false,
  className,
  onClick,
  children,
  ...rest
}: ComponentProps<'button'> & { look?: ButtonLook; busy?: boolean }) {
  return (
    <button
      type="button"
      {...rest}
      className={buttonClass(look, className)}
      aria-disabled={busy || rest['aria-disabled']}
      aria-busy={busy || undefined}
      onClick={(event) => (busy ? event.preventDefault() : onClick?.(event))}
    >
      {children}
    </button>
  );
}
