import { CircleAlert, Info } from 'lucide';
import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';
import styles from './notice.module.css';

/** A boxed message. Screen readers announce `danger` at once and `note` at the next pause. */
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
