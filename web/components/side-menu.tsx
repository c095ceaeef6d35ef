import { Link, type LinkProps } from '@tanstack/react-router';
import { ExternalLink } from 'lucide';
import type { ReactNode } from 'react';
import { Icon } from '../ui/icon.tsx';
import styles from './side-menu.module.css';

export interface MenuLink {
  label: string;
  to: LinkProps['to'];
  /** The link is the page only where the path is exactly this. */
  exact?: true;
}

/** Screens that belong together: their menu at the side (above them on a phone), the chosen one beside it. */
export function SideMenu({
  label,
  links,
  outside,
  children,
}: {
  label: string;
  links: readonly MenuLink[];
  /** A link that leads out of the product. */
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
                {text}
              </Link>
            </li>
          ))}
          {outside && (
            <li>
              <a href={outside.href} className={styles.link} target="_blank" rel="noreferrer">
                {outside.label}
                <Icon of={ExternalLink} size={14} label="opens in a new tab" />
              </a>
            </li>
          )}
        </ul>
      </nav>
      <div className={styles.content}>{children}</div>
    </div>
  );
}
