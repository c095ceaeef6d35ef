import { CircleAlert, Info } from 'lucide-react';
import type { ReactNode } from 'react';
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
  const Icon = tone === 'danger' ? CircleAlert : Info;
  return (
    <div className={`${styles.notice} ${styles[tone]}`} role={tone === 'danger' ? 'alert' : 'status'}>
      <Icon size={16} aria-hidden />
      <div className={styles.text}>{children}</div>
      {action}
    </div>
  );
}
