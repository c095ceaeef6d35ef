import type { ComponentProps } from 'react';
import styles from './button.module.css';

export type ButtonLook = 'primary' | 'plain' | 'bare';

/** The class of a button's look, for links that act like buttons. */
export const buttonClass = (look: ButtonLook = 'plain', extra = ''): string =>
  `${styles.button} ${styles[look]} ${extra}`.trim();

/**
 * A button. `busy` keeps its place and its focus while its work is under way and ignores further presses, so a double
 * click is one action.
 */
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
