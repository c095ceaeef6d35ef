/** The figures of a chart as a table, for those who cannot see it. */
export const ChartTable = ({
  label,
  head,
  rows,
}: {
  label: string;
  /** What the columns are called. */
  head: readonly string[];
  /** The name of each row, and its cells. */
  rows: readonly (readonly [name: string, ...cells: string[]])[];
}) => (
  // A table would stay as wide as its words, and the page with it; and Firefox would draw its caption.
  <div className="visually-hidden">
    <table>
      <caption>{label}</caption>
      <thead>
        <tr>
          {head.map((title, column) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two columns may be called the same.
            <th key={column} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, ...cells], row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: so may two rows.
          <tr key={row}>
            <th scope="row">{name}</th>
            {cells.map((cell, column) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: cells stay in their columns.
              <td key={column}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
