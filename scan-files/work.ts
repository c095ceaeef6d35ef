import { ScanFileRefused } from './limits.ts';

/**
 * The work that reading one file may take. A unit is a character of XML, some two nanoseconds. A workbook of 20 MB with
 * nothing but a scan's figures in it, some four million cells, takes nearly all of it.
 */
export const MAX_WORK = 700_000_000;
/** What a byte of csv or a character of json costs. */
export const TEXT_WORK = 16;
/** What a tag and a cell cost beside their characters. */
export const TAG_WORK = 45;
export const CELL_WORK = 40;
/** What it costs to look whether a cell is a header, and to find what a header is of. */
export const HEADER_WORK = 500;
export const MAPPING_WORK = 5000;
/** Some 10 ms: other requests of the isolate wait that long at most. */
const PAUSE_WORK = 4_000_000;

/** How long a pause lasts, in ms: answers of the database and of buckets arrive only between turns of the event loop. */
const PAUSE_MS = 1;

/** Counts the work that a file takes, refuses the file that takes too much, and lets other requests in between. */
export class Work {
  #done = 0;
  #paused = 0;

  get done(): number {
    return this.#done;
  }

  /** Adds work; throws `ScanFileRefused` past the limit. */
  spend(work: number): void {
    this.#done += work;
    if (this.#done > MAX_WORK)
      throw new ScanFileRefused(
        'The file holds far more than its rows need. Copy the columns of the scan into a new file, as values only.',
      );
  }

  /** Lets other requests run if enough work was done since the last time. */
  async pause(): Promise<void> {
    if (this.#done - this.#paused < PAUSE_WORK) return;
    this.#paused = this.#done;
    await new Promise<void>((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
