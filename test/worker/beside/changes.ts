import { env } from 'cloudflare:workers';
import { expect } from 'vitest';

/** What a call changes in the database, however much stands beside what it is about. */

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

/** Moments as they lie from `now`, and nothing that is different each time. */
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

/**
 * What calls are expected to answer and to change, from a text of it: the call's name after '# ', then a line for its
 * answer and one for each row that it changes. What is `masked` is told as '*'. Answers whether it
 * changed any.
 */
export function expectations(written: string) {
  const blocks = written.split(/^# /m).map((block) => block.trim().split('\n'));
  const expected = new Map(blocks.map(([name = '', ...lines]) => [name, lines]));
  return async (
    name: string,
    tables: readonly Named[],
    now: number,
    act: () => Promise<unknown>,
    masked = /(?!)/,
  ): Promise<boolean> => {
    let answer: unknown;
    const changes = await changesOf(tables, async () => {
      answer = await act();
    });
    const lines = [`answers ${JSON.stringify(answer)}`, ...Object.entries(changes).map((pair) => pair.join(': '))];
    expect(lines.map((line) => plain(line, now, masked))).toEqual(expected.get(name));
    return lines.length > 1;
  };
}
