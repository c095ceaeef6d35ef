import { ChevronLeft, ChevronRight } from 'lucide';
import type { MouseEvent, ReactNode } from 'react';
import { t } from '../../domain/language/text.ts';
import { exact } from '../format.ts';
import { Button, buttonClass } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { isPlainClick } from '../ui/plain-click.ts';
import { Select } from '../ui/select.tsx';
import { T } from '../ui/text.tsx';
import styles from './pager.module.css';

/** Page controls; pages count from 1. Labelled, because there may be one above and one below a list. */
export function Pager({
  label,
  page,
  pages,
  change,
  size,
  sizes,
  resize,
  hrefOf,
}: {
  label: string;
  page: number;
  pages: number;
  change: (page: number) => void;
  /** Rows per page; with `sizes`, the user can choose them. */
  size?: number;
  sizes?: readonly number[];
  resize?: (size: number) => void;
  /** Address of a page; if set, the arrows are links, which work before the page's script does. */
  hrefOf?: ((page: number) => string) | undefined;
}) {
  return (
    <nav className={styles.pager} aria-label={label}>
      {sizes && (
        <label className={styles.rows}>
          {t('Rows')}
          <Select value={size} onChange={({ target }) => resize?.(Number(target.value))}>
            {sizes.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </Select>
        </label>
      )}
      <Turn label={t('Page before')} to={page > 1 ? page - 1 : null} change={change} hrefOf={hrefOf}>
        <Icon of={ChevronLeft} size={16} />
      </Turn>
      <form
        key={page}
        className={styles.where}
        onSubmit={(event) => {
          event.preventDefault();
          const wanted = Number(new FormData(event.currentTarget).get('page'));
          if (Number.isInteger(wanted)) change(Math.min(pages, Math.max(1, wanted)));
        }}
      >
        <input name="page" aria-label={t('Page')} inputMode="numeric" defaultValue={page} autoComplete="off" />
        <span>
          <T of="of {pages}" pages={exact(pages)} />
        </span>
      </form>
      <Turn label={t('Next page')} to={page < pages ? page + 1 : null} change={change} hrefOf={hrefOf}>
        <Icon of={ChevronRight} size={16} />
      </Turn>
    </nav>
  );
}

/** An arrow to another page; `to` is null if there is none. */
function Turn({
  label,
  to,
  change,
  hrefOf,
  children,
}: {
  label: string;
  to: number | null;
  change: (page: number) => void;
  hrefOf: ((page: number) => string) | undefined;
  children: ReactNode;
}) {
  if (to === null || !hrefOf)
    return (
      <Button aria-label={label} disabled={to === null} onClick={() => to !== null && change(to)}>
        {children}
      </Button>
    );
  const follow = (event: MouseEvent) => {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    change(to);
  };
  return (
    <a aria-label={label} className={buttonClass()} href={hrefOf(to)} onClick={follow}>
      {children}
    </a>
  );
}
