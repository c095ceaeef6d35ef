import { ENTRY_TITLES } from '../../domain/money/ledger.ts';
import type { StatementLine } from '../models/money/ledger.ts';
import { csvText } from './csv.ts';

const HEAD = ['Time (UTC)', 'Kind', 'Amount (USD)', 'Balance (USD)', 'Order', 'Note'];

/** Formats plain decimals, which spreadsheets read as numbers, with their sign. */
const decimal = (cents: number): string => (cents / 100).toFixed(2);

const cellsOf = ({ created_at, kind, amount_cents, balance_cents, order_id, note }: StatementLine): string[] => [
  new Date(created_at).toISOString(),
  ENTRY_TITLES[kind],
  decimal(amount_cents),
  decimal(balance_cents),
  order_id === null ? '' : String(order_id),
  csvText(note),
];

/** Returns a statement as CSV, by the rules of csv.ts. */
export const statementCsv = (lines: readonly StatementLine[]): string =>
  [HEAD, ...lines.map(cellsOf)].map((cells) => `${cells.join(',')}\r\n`).join('');
