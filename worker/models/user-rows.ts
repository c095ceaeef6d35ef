import type { Db } from '../db/open.ts';

/** A user's rows of a table as JSON texts, read page by page. */

/** Bytes of a page's large columns, unless a single row has more. A value of D1 has at most 2 MB. */
const PAGE_BYTES = 256 * 1024;
const PAGE_ROWS = 500;

type Row = Record<string, unknown>;

export interface UserTable {
  table: string;
  /** SQL of the columns shown. */
  columns: string;
  /** Columns that hold JSON. Their text is passed on as it is. */
  json?: readonly string[];
  /** Other columns that can be large. */
  long?: readonly string[];
  /** Changes a row for its user. */
  show?: (row: Row) => Row;
}

interface Place {
  row_at: number;
  /** Bytes of the page up to this row. */
  page_bytes: number;
}

/** Yields the rows, oldest first. Holds one page of them at a time. */
export async function* userRows(
  db: Db,
  userId: string,
  { table, columns, json = [], long = [], show = (row) => row }: UserTable,
): AsyncGenerator<string> {
  const size = [...json, ...long].map((column) => `octet_length(${column})`).join(' + ') || '0';
  const page = db.$client.prepare(
    `WITH page AS (
       SELECT row_at, page_bytes FROM (
         SELECT row_at, bytes, sum(bytes) OVER (ORDER BY row_at) AS page_bytes FROM (
           SELECT rowid AS row_at, ${size} AS bytes FROM ${table}
           WHERE user_id = ?1 AND rowid > ?2 ORDER BY rowid LIMIT ${PAGE_ROWS}))
       WHERE page_bytes - bytes < ${PAGE_BYTES})
     SELECT row_at, page_bytes, ${columns} FROM page JOIN ${table} ON ${table}.rowid = row_at ORDER BY row_at`,
  );
  const text = (row: Row) => {
    const fields = Object.entries(show(row)).map(
      ([name, value]) => `${JSON.stringify(name)}:${json.includes(name) ? String(value) : JSON.stringify(value)}`,
    );
    return `{${fields.join(',')}}`;
  };
  for (let after = 0; ; ) {
    const { results } = await page.bind(userId, after).all<Row & Place>();
    for (const { row_at: _, page_bytes: __, ...row } of results) yield text(row);
    const last = results.at(-1);
    if (!last || (results.length < PAGE_ROWS && last.page_bytes < PAGE_BYTES)) return;
    after = last.row_at;
  }
}
