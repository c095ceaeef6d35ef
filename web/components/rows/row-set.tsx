import { type ReactNode, useId, useState } from 'react';
import { exact } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import layout from '../../ui/layout.module.css';
import { T } from '../../ui/text.tsx';
import styles from './rows.module.css';

/** Rows rendered at once. */
const AT_ONCE = 50;

/** A titled set of rows that a user edits, and below them the field that adds one. */
export function RowSet<Row>({
  title,
  about,
  error,
  rows,
  rowId,
  row,
  children,
}: {
  title: string;
  about?: ReactNode;
  error?: string | null | undefined;
  rows: readonly Row[];
  rowId: (row: Row, index: number) => string | number;
  row: (row: Row, index: number) => ReactNode;
  children: ReactNode;
}) {
  const id = useId();
  const [shown, setShown] = useState(AT_ONCE);
  return (
    <fieldset className={styles.set} aria-describedby={`${id}-about`}>
      <legend>
        {title}
        {rows.length > 0 && <span className={layout.quiet}> {exact(rows.length)}</span>}
      </legend>
      <div id={`${id}-about`}>
        {error ? (
          <p className={styles.error} role="alert">
            {error}
          </p>
        ) : (
          about && <p className={layout.quiet}>{about}</p>
        )}
      </div>
      {rows.length > 0 && (
        <ul className={styles.rows} aria-label={title}>
          {rows.slice(0, shown).map((each, index) => (
            <li key={rowId(each, index)}>{row(each, index)}</li>
          ))}
        </ul>
      )}
      {rows.length > shown && (
        <Button onClick={() => setShown(shown + AT_ONCE)}>
          <T of="Show more of {length}" length={exact(rows.length)} />
        </Button>
      )}
      {children}
    </fieldset>
  );
}
