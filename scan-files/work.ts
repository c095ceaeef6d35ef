import { t } from '../domain/language/text.ts';
import { ScanFileRefused } from './limits.ts';

/**
 * Limit of the work for one file. A unit is a character of XML, about two nanoseconds. A workbook of 20 MB that
 * contains only figures of a scan, about four million cells, takes nearly all of it.
 */
export const MAX_WORK = 700_000_000;
/** Work per byte of csv or character of json. */
export const TEXT_WORK = 16;
/** Work per tag in the usual form, per tag that `XmlScanner` reads and per cell, in addition to their characters. */
export const TAG_WORK = 45;
export const SCANNED_TAG_WORK = 80;
export const CELL_WORK = 40;
/** Work per character of attributes, which are searched several times, and of a text with entities. */
export const ATTRIBUTE_WORK = 4;
export const ENTITY_WORK = 5;
/** Work per tag of an ods sheet, in addition to the scanner's. */
export const ODS_TAG_WORK = 250;
/** Work to check whether a cell is a header, and to map a header to a column. */
export const HEADER_WORK = 1500;
export const MAPPING_WORK = 5000;
/** About 10 ms, the longest that other requests of the isolate wait. */
const PAUSE_WORK = 8_000_000;

/** Length of a pause in ms. Answers of the database and of buckets arrive only between turns of the event loop. */
const PAUSE_MS = 1;

/** Lets other requests run. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, PAUSE_MS));

/** Counts the work for a file, refuses files that need too much, and lets other requests run in between. */
export class Work {
  #done = 0;
  #paused = 0;

  get done(): number {
    return this.#done;
  }

  /** Adds work. Throws `ScanFileRefused` above the limit. */
  spend(work: number): void {
    this.#done += work;
    if (this.#done > MAX_WORK)
      throw new ScanFileRefused(
        t('The file holds far more than its rows need. Copy the columns of the scan into a new file, as values only.'),
      );
  }

  /** Lets other requests run if enough work was done since the last pause. */
  async pause(): Promise<void> {
    if (this.#done - this.#paused < PAUSE_WORK) return;
    this.#paused = this.#done;
    await nextTurn();
  }
}
