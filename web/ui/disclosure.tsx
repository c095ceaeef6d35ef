import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import styles from './disclosure.module.css';

/**
 * A button that opens a list of links: the disclosure pattern for navigation, because a command menu would be wrong
 * here. Closes on Escape (restoring focus), on clicks elsewhere, when focus leaves, and when a link is chosen. Not from
 * the headless library, whose menu is a third of the first load.
 */
export function Disclosure({
  label,
  className,
  current,
  align = 'start',
  button,
  children,
}: {
  /** Accessible name, if the button shows an icon. */
  label?: string;
  className?: string;
  /** The current page is one of the links. */
  current?: boolean;
  align?: 'start' | 'end';
  button: ReactNode;
  /** Links, each in an `<li>`. */
  children: ReactNode;
}) {
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const trigger = useRef<HTMLButtonElement>(null);
  const id = useId();
  useEffect(() => {
    if (!open) return;
    const onPress = ({ target }: PointerEvent) => {
      if (!root.current?.contains(target as Node)) setOpen(false);
    };
    document.addEventListener('pointerdown', onPress);
    return () => document.removeEventListener('pointerdown', onPress);
  }, [open]);
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key !== 'Escape' || !open) return;
    setOpen(false);
    trigger.current?.focus();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it listens for keys of the button and the links inside.
    <div
      ref={root}
      className={styles.root}
      onKeyDown={onKeyDown}
      onBlur={({ relatedTarget }) => relatedTarget && !root.current?.contains(relatedTarget) && setOpen(false)}
    >
      <button
        ref={trigger}
        type="button"
        className={className}
        aria-label={label}
        aria-expanded={open}
        aria-controls={id}
        data-here={current ? '' : undefined}
        onClick={() => setOpen(!open)}
      >
        {button}
      </button>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a link is a click. */}
      <ul id={id} className={`${styles.list} ${styles[align]}`} hidden={!open} onClick={() => setOpen(false)}>
        {children}
      </ul>
    </div>
  );
}
