import { ChevronDown } from 'lucide';
import { type ReactNode, useId, useState } from 'react';
import styles from './accordion.module.css';
import { Icon } from './icon.tsx';

interface Section {
  id: string;
  title: ReactNode;
  /** Shown at the right of the title. */
  aside?: ReactNode;
  content: ReactNode;
}

/**
 * Collapsible sections; several can be open. `open` lists those initially open, `level` is the heading level. Collapsed
 * content stays in the DOM and keeps its form values, but is hidden.
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
