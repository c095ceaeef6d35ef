import type { ReactNode } from 'react';
import { t } from '../../domain/language/text.ts';
import layout from '../ui/layout.module.css';
import styles from './page.module.css';

/** A page: title in the tab and heading, actions at the right, content below. */
export function Page({
  title,
  area,
  about,
  actions,
  children,
}: {
  title: string;
  /** True if the content is one of several pages, which have titles of their own. */
  area?: true;
  about?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className={styles.page}>
      {!area && <title>{t('{title} · Muster', { title })}</title>}
      <header className={styles.head}>
        <div className={styles.words}>
          <h1>{title}</h1>
          {about && <div className={styles.about}>{about}</div>}
        </div>
        {actions && <div className={layout.row}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}
