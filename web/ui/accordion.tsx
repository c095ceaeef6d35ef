import { ChevronDown } from 'lucide';
import { type ReactNode, useId, useState } from 'react';
import styles from './accordion.module.css';
import { Icon } from './icon.tsx';

export interface Section {
  id: string;
  title: ReactNode;
  /** Stands at the right of the title. */
  aside?: ReactNode;
  content: ReactNode;
}

/**
 * Sections that fold, several open at a time; those of `open` start open. `level` is the heading level of titles. What is
 * folded stays in the document with what was typed into it, out of sight and reach.
 */
export function Accordion({ sections, open, level }: { sections: Section[]; open: string[]; level: 2 | 3 }) {
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(() => new Set(open));
  const prefix = useId();
  const Heading = `h${level}` as const;
  const toggle = (id: string) =>
    setUnfolded((before) => new Set(before.has(id) ? [...before].filter((each) => each !== id) : [...before, id]));
  return (
    <div className={`${styles.root} ${styles[`level${level}`]}`}>
      {sections.map(({ id, title, aside, content }, index) => {
        const isOpen = unfolded.has(id);
        const [head, panel] = [`${prefix}${index}`, `${prefix}${index}-panel`];
        return (
          <div key={id} className={styles.item}>
            <Heading className={styles.header}>
              <button
                type="button"
                id={head}
                className={styles.trigger}
                aria-expanded={isOpen}
                aria-controls={panel}
                onClick={() => toggle(id)}
              >
                <Icon of={ChevronDown} size={16} className={styles.chevron} />
                <span className={styles.title}>{title}</span>
                {aside}
              </button>
            </Heading>
            <section id={panel} className={styles.panel} aria-labelledby={head} data-open={isOpen || undefined}>
              <div className={styles.content}>{content}</div>
            </section>
          </div>
        );
      })}
    </div>
  );
}
