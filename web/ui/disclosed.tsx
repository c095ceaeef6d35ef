import { type ReactNode, useId } from 'react';
import styles from './disclosed.module.css';

/** A collapsible section, rendered only while open. The caller holds the state. */
export function Disclosed({
  title,
  open,
  change,
  children,
}: {
  title: ReactNode;
  open: boolean;
  change: (open: boolean) => void;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <div className={styles.disclosed}>
      <button
        type="button"
        className={styles.head}
        aria-expanded={open}
        aria-controls={id}
        onClick={() => change(!open)}
      >
        {title}
      </button>
      <div id={id} className={styles.body} hidden={!open}>
        {open && children}
      </div>
    </div>
  );
}
