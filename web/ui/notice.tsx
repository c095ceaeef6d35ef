import { CircleAlert, Info } from 'lucide';
import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';
import styles from './notice.module.css';

/** A sentence in a box. `danger` interrupts who listens to the page, `note` waits for a pause. */
export function Notice({
  tone = 'note',
  action,
  children,
}: {
  tone?: 'note' | 'danger';
  action?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className={`${styles.notice} ${styles[tone]}`} role={tone === 'danger' ? 'alert' : 'status'}>
      <Icon of={tone === 'danger' ? CircleAlert : Info} size={16} />
      <div className={styles.text}>{children}</div>
      {action}
    </div>
  );
}
