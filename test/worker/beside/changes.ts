import { env } from 'cloudflare:workers';
import { expect } from 'vitest';

/** Lists a call's changes in the database, including those of unrelated rows. */

export type Cell = null | number | string;
type Rows = Map<string, Record<string, Cell>>;

/** A table, and by which of its columns a row of it is called. */
export type Named = readonly [table: string, ...columns: string[]];

/** The statement that writes a row of these columns. */
export function insertion(table: string, row: Readonly<Record<string, Cell>>): D1PreparedStatement {
  const names = Object.keys(row).map((name) => `"${name}"`);
  return env.DB.prepare(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`).bind(
    ...Object.values(row),
  );
}

/** The rows of each table by their names, in one question. */
async function rowsOf(tables: readonly Named[]): Promise<Rows[]> {
  const answers = await env.DB.batch<Record<string, Cell>>(
    tables.map(([table]) => env.DB.prepare(`SELECT * FROM ${table}`)),
  );
  return answers.map(({ results }, index) => {
    const [table, ...columns] = tables[index] as Named;
    return new Map(results.map((row) => [[table, ...columns.map((column) => row[column])].join(' '), row]));
  });
}

function changed(before: Rows, after: Rows, [, ...names]: Named): Record<string, string> {
  const told: Record<string, string> = {};
  for (const [name, row] of after) {
    const was = before.get(name);
    const parts = Object.entries(row).flatMap(([column, value]) => {
      if (was) return was[column] === value ? [] : [`${column} ${was[column]} > ${value}`];
      return value === null || column === 'id' || names.includes(column) ? [] : [`${column} ${value}`];
    });
    if (parts.length > 0) told[name] = `${was ? '' : '+ '}${parts.join(', ')}`;
  }
  for (const name of before.keys()) if (!after.has(name)) told[name] = 'gone';
  return told;
}

/** Every row of these tables that the call has changed, by its name: each column as it was and as it is. */
export async function changesOf(
  tables: readonly Named[],
  act: () => Promise<unknown>,
): Promise<Record<string, string>> {
  const before = await rowsOf(tables);
  await act();
  const after = await rowsOf(tables);
  return Object.assign(
    {},
    ...tables.map((named, index) => changed(before[index] as Rows, after[index] as Rows, named)),
  );
}

/** The text of a cell: times relative to `now`, long repetitions counted, random ids and `masked` parts replaced. */
const plain = (text: string, now: number, masked: RegExp): string =>
  text
    .trimEnd()
    .replace(masked, '*')
    .replace(/\s+/g, ' ')
    .replace(/(.)\1{99,}/g, (all, letter) => `${all.length} ${letter}`)
    .replace(/^audit_entries \d+/, 'audit_entries')
    .replace(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, '…')
    .replace(/\b\d{13}\b/g, (at) =>
      Number(at) === now ? 'now' : `now${Number(at) > now ? '+' : ''}${Number(at) - now}`,
    );

const MOST_COLUMNS = 120;

/** Breaks a line after a space or a comma. The rest is indented. */
function wrapped(line: string): string {
  const lines = [''];
  for (const part of line.split(/(?<=[ ,])(?! )/)) {
    const last = lines.at(-1) ?? '';
    if ((last + part).trimEnd().length <= MOST_COLUMNS) lines[lines.length - 1] = last + part;
    else lines.push(`  ${part}`);
  }
  return lines.map((each) => each.trimEnd()).join('\n');
}

/** Writes an answer as JSON: a value that fits on a line on one, others with a line for each entry. */
function shown(value: unknown, cell: (text: string) => string, indent = ''): string {
  if (value === null || typeof value !== 'object') return cell(JSON.stringify(value) ?? 'undefined');
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const entries = Array.isArray(value)
    ? value.map((each) => shown(each ?? null, cell, `${indent}  `))
    : Object.entries(value)
        .filter(([, each]) => each !== undefined)
        .map(([key, each]) => `${cell(JSON.stringify(key))}: ${shown(each, cell, `${indent}  `)}`);
  const line = `${open}${entries.join(', ')}${close}`;
  if (!line.includes('\n') && indent.length + line.length <= MOST_COLUMNS) return line;
  return `${open}\n${entries.map((entry) => `${indent}  ${entry}`).join(',\n')}\n${indent}${close}`;
}

/** The text of a snapshot, which Vitest writes as it is. */
class Written {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}
expect.addSnapshotSerializer({
  test: (value) => value instanceof Written,
  serialize: (value: Written) => value.text,
});

/**
 * Compares a call's answer and changed rows with the test's snapshot (`vitest -u` rewrites it). Text that matches
 * `masked` is written as '*'. Returns whether the call changed anything.
 */
export async function expectAsWritten(
  tables: readonly Named[],
  now: number,
  act: () => Promise<unknown>,
  masked = /(?!)/,
): Promise<boolean> {
  let answer: unknown;
  const changes = await changesOf(tables, async () => {
    answer = await act();
  });
  const cell = (text: string) => plain(text, now, masked);
  // The form in which clients get it.
  const told: unknown = answer === undefined ? undefined : JSON.parse(JSON.stringify(answer));
  const rows = Object.entries(changes).map((pair) => wrapped(cell(pair.join(': '))));
  expect(new Written([`answers ${shown(told, cell)}`, ...rows].join('\n'))).toMatchSnapshot();
  return rows.length > 0;
}
