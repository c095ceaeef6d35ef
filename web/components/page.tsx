import type { ReactNode } from 'react';
import styles from './page.module.css';

/** A page: title in the tab and heading, actions at the right, content below. */
export function Page({
  title,
  about,
  actions,
  children,
}: {
  title: string;
  about?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className={styles.page}>
      <title>{`${title} · Muster`}</title>
      <header className={styles.head}>
        <div className={styles.words}>
          <h1>{title}</h1>
          {about && <div className={styles.about}>{about}</div>}
        </div>
        {actions && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}
