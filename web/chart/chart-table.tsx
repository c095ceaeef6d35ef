/** A chart's figures as a visually hidden table. */
export const ChartTable = ({
  label,
  head,
  rows,
}: {
  label: string;
  /** Column titles. */
  head: readonly string[];
  /** Row name and cells. */
  rows: readonly (readonly [name: string, ...cells: string[]])[];
}) => (
  // The wrapper is hidden instead of the table, because a table would keep its width and stretch the page, and Firefox
  // would draw its caption.
  <div className="visually-hidden">
    <table>
      <caption>{label}</caption>
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
