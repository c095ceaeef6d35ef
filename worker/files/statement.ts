import { message, words } from '../../domain/language/text.ts';
import { ENTRY_TITLES } from '../../domain/money/ledger.ts';
import type { StatementLine } from '../models/money/ledger.ts';
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

const cellsOf = ({ created_at, kind, amount_cents, balance_cents, order_id, note }: StatementLine): string[] => [
  new Date(created_at).toISOString(),
  csvText(words(ENTRY_TITLES[kind])),
  decimal(amount_cents),
  decimal(balance_cents),
  order_id === null ? '' : String(order_id),
  csvText(note),
];

/** Returns a statement as CSV in the current language, by the rules of csv.ts. */
export const statementCsv = (lines: readonly StatementLine[]): string =>
  [HEAD.map((title) => csvText(words(title))), ...lines.map(cellsOf)].map((cells) => `${cells.join(',')}\r\n`).join('');
