import { Accordion as Base } from '@base-ui/react/accordion';
import { ChevronDown } from 'lucide';
import type { ReactNode } from 'react';
import styles from './accordion.module.css';
import { Icon } from './icon.tsx';

export interface Section {
  id: string;
  title: ReactNode;
  /** Stands at the right of the title. */
  aside?: ReactNode;
  content: ReactNode;
}

/** Sections that fold, several open at a time; those of `open` start open. `level` is the heading level of titles. */
export function Accordion({ sections, open, level }: { sections: Section[]; open: string[]; level: 2 | 3 }) {
  const Heading = `h${level}` as const;
  return (
    <Base.Root className={`${styles.root} ${styles[`level${level}`]}`} defaultValue={open} multiple keepMounted>
      {sections.map(({ id, title, aside, content }) => (
        <Base.Item key={id} value={id} className={styles.item}>
          <Base.Header render={<Heading className={styles.header} />}>
            <Base.Trigger className={styles.trigger}>
              <Icon of={ChevronDown} size={16} className={styles.chevron} />
              <span className={styles.title}>{title}</span>
              {aside}
            </Base.Trigger>
          </Base.Header>
          <Base.Panel className={styles.panel}>{content}</Base.Panel>
        </Base.Item>
      ))}
    </Base.Root>
  );
}
