import { QUICK } from './quick.ts';

/** Statistics and output shared by all benchmarks. */

/** Returns the median. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return ((low ?? Number.NaN) + (high ?? Number.NaN)) / 2;
}

export const milliseconds = (value: number): string => `${Math.round(value)} ms`;
export const mebibytes = (bytes: number): string => (Number.isNaN(bytes) ? '-' : `${(bytes / 2 ** 20).toFixed(1)} MiB`);
export const times = (ratio: number): string => `${ratio.toFixed(1)} ×`;

/** Prints rows in columns under their headings. */
export function printTable(rows: readonly Record<string, string>[], write: (line: string) => void = console.log): void {
  const headings = Object.keys(rows[0] ?? {});
  const widths = headings.map((heading) =>
    Math.max(...[heading, ...rows.map((row) => row[heading] ?? '')].map((cell) => cell.length)),
  );
  const line = (cells: readonly string[]) =>
    write(
      `  ${cells.map((cell, index) => (index === 0 ? cell.padEnd(widths[index] ?? 0) : cell.padStart(widths[index] ?? 0))).join('  ')}`,
    );
  line(headings);
  for (const row of rows) line(headings.map((heading) => row[heading] ?? ''));
}

export interface Bar {
  what: string;
  reached: number;
  wanted: number;
  /** True if less is better. */
  below?: true;
}

/** Prints which bars are reached. The process fails if one is missed, except in the short form. */
export function judge(bars: readonly Bar[]): void {
  for (const { what, reached, wanted, below } of bars) {
    if (Number.isNaN(reached)) continue;
    const good = below ? reached < wanted : reached >= wanted;
    console.log(
      `  ${good ? 'reached' : 'MISSED '}  ${what}: ${reached.toFixed(1)} (${below ? 'below' : 'at least'} ${wanted})`,
    );
    if (!good && !QUICK) process.exitCode = 1;
  }
}
