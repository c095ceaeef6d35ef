import { locale } from '../../domain/language/current.ts';
import type { Locale } from '../../domain/language/locales.ts';
import { message, words } from '../../domain/language/text.ts';
import { ENTRY_TITLES } from '../../domain/money/entry-titles.ts';
import { noteText } from '../../domain/money/notes.ts';
import { inLocale } from '../isolate/language.ts';
import type { StatementLine } from '../models/money/ledger.ts';
import { utf8 } from './bytes.ts';
import { csvLine, csvText } from './csv.ts';

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

const cellsOf = ({ created_at, kind, amount_cents, balance_cents, order_id, note }: StatementLine): string[] => [
  new Date(created_at).toISOString(),
  csvText(words(ENTRY_TITLES[kind])),
  decimal(amount_cents),
  decimal(balance_cents),
  order_id === null ? '' : String(order_id),
  csvText(noteText(note)),
];

/** Returns a statement as pieces of CSV in the language of this call, by the rules of csv.ts. */
export const statementCsv = (pages: AsyncIterable<readonly StatementLine[]>): AsyncIterable<Uint8Array> =>
  // The pieces may be read outside of the call's async context.
  pieces(locale(), pages);

async function* pieces(language: Locale, pages: AsyncIterable<readonly StatementLine[]>): AsyncGenerator<Uint8Array> {
  const written = (rows: () => string[]) => utf8(inLocale(language, rows).join(''));
  yield written(() => [csvLine(HEAD.map((title) => csvText(words(title))))]);
  for await (const lines of pages) yield written(() => lines.map((line) => csvLine(cellsOf(line))));
}
