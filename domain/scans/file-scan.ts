import type { HeaderMapping, Mapping } from './dialect.ts';
import type { Table } from './rows.ts';

/** What a scan file is read as, and what is reported of it. */

/** A problem in a file: its line (from 1), the column's header, and a sentence. */
export interface Problem {
  /** Null if it concerns the whole file. */
  line: number | null;
  /** The sheet, in a workbook with several. */
  sheet: string | null;
  column: string | null;
  reason: string;
  /** True if the line was skipped, false if only that cell was. */
  dropped: boolean;
}

/** The rows of one kingdom at one time, highest power first. */
export interface FileScan {
  /** Null if neither the file nor the caller states it. */
  kingdom_id: number | null;
  /** Epoch milliseconds; null if unknown. */
  captured_at: number | null;
  /** The stage's name, if the file has several side by side. */
  stage: string | null;
  /** All columns without values share one empty array. */
  table: Table;
  /** The line of each row, in the table's order. `sheet` is set for workbooks. */
  lines: Uint32Array;
  sheet: string | null;
}

export interface LineCounts {
  /** Non-empty lines below the headers. */
  read: number;
  kept: number;
  dropped: number;
}

export interface SheetReading {
  mapping: HeaderMapping[];
  scans: FileScan[];
  lines: LineCounts;
  /** Problems of the whole sheet, to be reported before those of its lines. */
  summary: Problem[];
}

export interface ReadingOptions {
  /** Kingdom of rows that do not name one. */
  kingdom?: number | null;
  /** Time chosen by the user, in epoch milliseconds; takes precedence over the rows. */
  chosen_at?: number | null;
  /** Time of rows that do not contain one, in epoch milliseconds. */
  captured_at?: number | null;
  mapping?: Mapping | undefined;
  sheet?: string | null;
  /** Receives each problem. The caller limits how many are kept. */
  report: (problem: Problem) => void;
  /** Parses a time from text, in epoch milliseconds. */
  momentIn: (text: string) => number | null;
  /** Parses a time from a number, as workbooks store it. */
  momentOf?: (count: number) => number | null;
  /** Called with the number of scans before they are built. The caller may refuse too many. */
  before?: (scans: number) => void;
}
