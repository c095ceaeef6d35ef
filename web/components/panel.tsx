import type { ReactNode } from 'react';
import styles from './panel.module.css';

/** A titled section of a dense page. */
export function Panel({
  title,
  about,
  wide,
  children,
}: {
  title: string;
  about?: ReactNode;
  wide?: true;
  children: ReactNode;
}) {
  return (
    // Not a landmark: the tables inside are regions of the same name.
    <div className={styles.panel} data-wide={wide}>
      <header className={styles.head}>
        <h2>{title}</h2>
        {about && <p>{about}</p>}
      </header>
      {children}
    </div>
  );
}

/** Panels in as many columns as fit; `broad` panels hold tables of several columns. */
export const Panels = ({ broad, children }: { broad?: true; children: ReactNode }) => (
  <div className={styles.panels} data-broad={broad}>
    {children}
  </div>
);

/** A list of names and values. Callers omit unknown values. */
export const Facts = ({ facts }: { facts: readonly (readonly [string, ReactNode])[] }) => (
  <dl className={styles.facts}>
    {facts.map(([name, value], place) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: names change with the language, and values may be fields.
      <div key={place}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

/** Empty state of a list. */
export const Nothing = ({ children }: { children: ReactNode }) => <p className={styles.nothing}>{children}</p>;
