import { env } from 'cloudflare:workers';
import { tablesOf } from '../../worker/models/service/tables.ts';
import { db } from './client.ts';

/**
 * Asks what is stored, the text of each table's rows by its name, but for those tables and columns. It is one question to
 * the database, so that it can be asked after every call.
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
