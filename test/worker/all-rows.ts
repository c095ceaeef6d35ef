import { env } from 'cloudflare:workers';
import { tablesOf } from '../../worker/models/service/tables.ts';
import { db } from './client.ts';

/**
 * Returns the rows of each table as text, except for those tables and columns. One query, so that it can run after
 * every call.
 */
export async function allRowsBut(
  tables: readonly string[],
  columns: readonly string[] = [],
): Promise<() => Promise<Record<string, string | null>>> {
  const texts = (await tablesOf(db))
    .filter(({ name }) => !tables.includes(name))
    .map(({ name, columns: all }) => {
      const cells = all.filter((column) => !columns.includes(column)).map((column) => `quote("${column}")`);
      return `(SELECT group_concat(${cells.join(` || ' ' || `)}, char(10)) FROM "${name}") AS "${name}"`;
    });
  const question = env.DB.prepare(`SELECT ${texts.join(', ')}`);
  return async () => (await question.first<Record<string, string | null>>()) ?? {};
}
