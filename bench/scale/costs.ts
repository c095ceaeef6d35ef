import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tableOf } from '../../domain/scans/rows.ts';
import { simulatedWorld } from '../../fleet/sources/world.ts';
import { writeSnapshot } from '../../worker/files/parquet.ts';
import { printTable } from '../report.ts';

/** Estimates what one, ten and a thousand times today's load cost, from measured sizes and the price list. */

/** Kingdoms of a thousand governors, each scanned daily. */
const TODAY = 50;
const TIMES = [1, 10, 1000];

/** Counted rows that D1 writes for a scan (docs/costs.md, 'In total'). */
function rowsOfScan(): number {
  const text = readFileSync(join(import.meta.dirname, '../../docs/costs.md'), 'utf8');
  const [, rows] = /A scan of 1,000 governors writes about ([\d,]+) rows/.exec(text) ?? [];
  if (!rows) throw new Error('docs/costs.md does not say how many rows a scan writes');
  return Number(rows.replaceAll(',', ''));
}

/** Returns the size of a scan's Parquet file. */
function fileBytes(): number {
  const [game, kingdom_id, captured_at] = ['rok', 1001, Date.UTC(2026, 10, 1)] as const;
  const table = tableOf(game, simulatedWorld().rows(game, kingdom_id, captured_at, 1000));
  return writeSnapshot(table, { game, kingdom_id, captured_at, source: 'bench', quality: {} }).length;
}

const DAYS_A_MONTH = 30;
const HISTORY_DAYS = 90;
/** Objects written for a scan: its file and its kingdom's history, and the backup's copies of both. */
const WRITTEN = 4;
/**
 * Objects read for a scan: the file before it, the history when it is added and, as if each waited for the cron, when it
 * is digested, and its part of the boards.
 */
const READ = 4;
/** Bytes of a governor in D1 (docs/scale.md). */
const GOVERNOR_BYTES = 95;

/** Returns the price of what is used past the included amount, in USD. */
const past = (used: number, included: number, price: number): number => Math.max(0, used - included) * price;

const dollars = (amount: number): string => (amount < 1 ? amount.toFixed(2) : Math.round(amount).toLocaleString('en'));
const amount = (value: number, unit: string, usd: number): string =>
  `${value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString('en')}${unit} (${dollars(usd)})`;

/** Prints a month's use and cost, in its storage after a year. `historyBytes` is the packed size of a kingdom and day. */
export function printCosts(historyBytes: number): void {
  const [rows, file] = [rowsOfScan(), fileBytes()];
  const columns = TIMES.map((times) => {
    const kingdoms = TODAY * times;
    const scans = kingdoms * DAYS_A_MONTH;
    const written = (scans * rows) / 1e6;
    const [puts, gets] = [(scans * WRITTEN) / 1e6, (scans * READ) / 1e6];
    const d1 = (kingdoms * 1000 * GOVERNOR_BYTES) / 1e9;
    const histories = (kingdoms * HISTORY_DAYS * historyBytes) / 1e9;
    const files = (kingdoms * 365 * file) / 1e9;
    // The backup has each object once more.
    const stored = 2 * (histories + files);
    const costs = [
      past(written, 50, 1),
      past(d1, 5, 0.75),
      past(puts, 1, 4.5),
      past(gets, 10, 0.36),
      past(stored, 10, 0.015),
    ] as const;
    const total = costs.reduce((sum, each) => sum + each, 5);
    return { kingdoms, written, d1, puts, gets, histories, files, stored, costs, total };
  });
  const line = (what: string, cell: (column: (typeof columns)[number]) => string) => ({
    'a month (USD past what is included)': what,
    ...Object.fromEntries(columns.map((column, index) => [`${TIMES[index]} ×`, cell(column)])),
  });
  console.log(`${TODAY} kingdoms a day as today's load; a scan's file has ${Math.round(file / 1000)} kB, estimated`);
  printTable([
    line('kingdoms of 1,000, scanned daily', ({ kingdoms }) => kingdoms.toLocaleString('en')),
    line('D1 rows written, millions', ({ written, costs }) => amount(written, '', costs[0])),
    line('D1 stored', ({ d1, costs }) => amount(d1, ' GB', costs[1])),
    line('R2 writes, millions', ({ puts, costs }) => amount(puts, '', costs[2])),
    line('R2 reads, millions', ({ gets, costs }) => amount(gets, '', costs[3])),
    line('packed histories', ({ histories }) => `${histories.toFixed(1)} GB`),
    line('files of scans after a year', ({ files }) => `${files.toFixed(1)} GB`),
    line('R2 stored, with backup', ({ stored, costs }) => amount(stored, ' GB', costs[4])),
    line('total, with the plan', ({ total }) => dollars(total)),
  ]);
}
