import { message, words } from '../../domain/language/text.ts';
import { ENTRY_TITLES } from '../../domain/money/ledger.ts';
import type { StatementLine } from '../models/money/ledger.ts';
import { utf8 } from './bytes.ts';
import { csvText } from './csv.ts';

const HEAD = [
  message('Time (UTC)'),
  message('Kind'),
  message('Amount (USD)'),
  message('Balance (USD)'),
  message('Order'),
  message('Note'),
];

/** Formats plain decimals, which spreadsheets read as numbers, with their sign. */
const decimal = (cents: number): string => (cents / 100).toFixed(2);

const rowOf = (cells: readonly string[]): string => `${cells.join(',')}\r\n`;

const cellsOf = (
  { created_at, kind, amount_cents, balance_cents, order_id, note }: StatementLine,
  titles: ReadonlyMap<string, string>,
): string[] => [
  new Date(created_at).toISOString(),
  titles.get(kind) ?? kind,
  decimal(amount_cents),
  decimal(balance_cents),
  order_id === null ? '' : String(order_id),
  csvText(note),
];

/** Returns a statement as pieces of CSV in the language of this call, by the rules of csv.ts. */
export function statementCsv(pages: AsyncIterable<readonly StatementLine[]>): AsyncIterable<Uint8Array> {
  // Translated now, because the pieces may be read outside of the request's async context.
  const head = HEAD.map((title) => csvText(words(title)));
  const titles = new Map(Object.entries(ENTRY_TITLES).map(([kind, title]) => [kind, csvText(words(title))]));
  return pieces(head, titles, pages);
}

async function* pieces(
  head: readonly string[],
  titles: ReadonlyMap<string, string>,
  pages: AsyncIterable<readonly StatementLine[]>,
): AsyncGenerator<Uint8Array> {
  yield utf8(rowOf(head));
  for await (const lines of pages) yield utf8(lines.map((line) => rowOf(cellsOf(line, titles))).join(''));
}
