import { Link, type LinkProps } from '@tanstack/react-router';
import { ExternalLink } from 'lucide';
import type { ReactNode } from 'react';
import { t, words } from '../../domain/language/text.ts';
import { Icon } from '../ui/icon.tsx';
import styles from './side-menu.module.css';

export interface MenuLink {
  label: string;
  to: LinkProps['to'];
  /** Marks the link as current only for exactly this path. */
  exact?: true;
}

/** A group of pages with a side menu, which stands above the content on phones. */
export function SideMenu({
  label,
  links,
  outside,
  children,
}: {
  label: string;
  links: readonly MenuLink[];
  /** A link to another site. */
  outside?: { label: string; href: string } | null;
  children: ReactNode;
}) {
  return (
    <div className={styles.layout}>
      <nav aria-label={label}>
        <ul className={styles.menu}>
          {links.map(({ label: text, to, exact }) => (
            <li key={text}>
              <Link to={to} className={styles.link} activeOptions={{ exact: exact === true }}>
                {words(text)}
              </Link>
            </li>
          ))}
          {outside && (
            <li>
              <a href={outside.href} className={styles.link} target="_blank" rel="noreferrer">
                {outside.label}
                <Icon of={ExternalLink} size={14} label={t('opens in a new tab')} />
              </a>
            </li>
          )}
        </ul>
      </nav>
      <div className={styles.content}>{children}</div>
    </div>
  );
}
