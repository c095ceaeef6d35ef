import { ChevronLeft, ChevronRight } from 'lucide';
import { exact } from '../format.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Select } from '../ui/select.tsx';
import styles from './pager.module.css';

/** Choice of rows per page. */
export interface PageSize {
  size: number;
  sizes: readonly number[];
  resize: (size: number) => void;
}

/** Page controls; pages count from 1. Labelled, because there may be one above and one below a list. */
export function Pager({
  label,
  page,
  pages,
  change,
  rows,
}: {
  label: string;
  page: number;
  pages: number;
  change: (page: number) => void;
  /** If set, shows the choice of rows per page. */
  rows?: PageSize;
}) {
  return (
    <nav className={styles.pager} aria-label={label}>
      {rows && (
        <label className={styles.rows}>
          Rows
          <Select value={rows.size} onChange={({ target }) => rows.resize(Number(target.value))}>
            {rows.sizes.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </Select>
        </label>
      )}
      <Button aria-label="Page before" disabled={page <= 1} onClick={() => change(page - 1)}>
        <Icon of={ChevronLeft} size={16} />
      </Button>
      <form
        key={page}
        className={styles.where}
        onSubmit={(event) => {
          event.preventDefault();
          const wanted = Number(new FormData(event.currentTarget).get('page'));
          if (Number.isInteger(wanted)) change(Math.min(pages, Math.max(1, wanted)));
        }}
      >
        <input name="page" aria-label="Page" inputMode="numeric" defaultValue={page} autoComplete="off" />
        <span>of {exact(pages)}</span>
      </form>
      <Button aria-label="Next page" disabled={page >= pages} onClick={() => change(page + 1)}>
        <Icon of={ChevronRight} size={16} />
      </Button>
    </nav>
  );
}
