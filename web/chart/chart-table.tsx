import { useState } from 'react';
import { T } from '../ui/text.tsx';
import styles from './chart-table.module.css';

interface Figures {
  label: string;
  /** Column titles. */
  head: readonly string[];
  /** Row name and cells. */
  rows: readonly (readonly [name: string, ...cells: string[]])[];
}

/** A chart's figures as a visually hidden table. */
export const ChartTable = (figures: Figures) => (
  // The wrapper is hidden instead of the table, because a table would keep its width and stretch the page, and Firefox
  // would draw its caption.
  <div className="visually-hidden">
    <FigureTable {...figures} />
  </div>
);

/** A chart's figures as a table that opens below it. `rows` is called once it is open. */
export function OpenedTable({ rows, ...figures }: Omit<Figures, 'rows'> & { rows: () => Figures['rows'] }) {
  const [open, setOpen] = useState(false);
  return (
    <details className={styles.opened} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <T
          of="As a table<span>: {label}</span>"
          span={(text) => <span className="visually-hidden">{text}</span>}
          label={figures.label}
        />
      </summary>
      {open && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled region must be reachable by keyboard.
        <section className={styles.scrolled} aria-label={figures.label} tabIndex={0}>
          <FigureTable {...figures} rows={rows()} />
        </section>
      )}
    </details>
  );
}

const FigureTable = ({ label, head, rows }: Figures) => (
  <table>
    <caption className="visually-hidden">{label}</caption>
    <thead>
      <tr>
        {head.map((title, column) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have the same title.
          <th key={column} scope="col">
            {title}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map(([name, ...cells], row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two rows may have the same name.
        <tr key={row}>
          <th scope="row">
            <bdi>{name}</bdi>
          </th>
          {cells.map((cell, column) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: cells stay in their columns.
            <td key={column}>{cell}</td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);
