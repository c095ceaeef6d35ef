import { TRANSLATED_TITLES } from '../domain/games/translated-titles.gen.ts';
import { t } from '../domain/language/text.ts';
import { HeaderFinder } from '../domain/scans/header-lines.ts';
import { kingdomOf } from '../domain/scans/words.ts';
import { kingdomIn, momentIn } from './file-name.ts';
import { ScanFileRefused } from './limits.ts';
import type { OnLine, Workbook } from './sheets.ts';
import { HEADER_WORK, type Work } from './work.ts';

/** Chooses the sheets of a workbook that contain scans, by their names and headers. */

/** How many lines down the headers may be; some tools write a title above them. */
export const HEADER_WITHIN = 10;

/**
 * Returns the kingdom in a sheet's name. Hero Scrolls uses the bare number; people also write `KD 1599`, or add the
 * day. Our own files name the kingdom in their language.
 */
export function kingdomOfSheet(sheet: string): number | null {
  const [, noun = '', number] = /^(\D+) (\d{1,5})$/.exec(sheet) ?? [];
  if (['Kingdom', 'Server'].some((title) => TRANSLATED_TITLES[title]?.includes(noun))) return Number(number);
  if (!/\d{4}|^\d+$|^(kingdom|server|kd)/i.test(sheet)) return null;
  return momentIn(sheet) === null ? kingdomOf(sheet) : kingdomIn(sheet);
}

/** Returns whether a sheet is the summary of our own or of Hero Scrolls' files, which names the time in F2. */
export const isSummary = (sheet: string): boolean =>
  sheet === 'Summary' || TRANSLATED_TITLES.Summary?.includes(sheet) === true;

/** Returns whether a sheet repeats the same data in another form. */
export const isRegrouped = (sheet: string): boolean =>
  isSummary(sheet) || /^(summary|top 10s|rolled up\b.*)$/i.test(sheet);

/** Looks for the sheets whose first lines have headers of a scan. */
export class HeaderSearch {
  readonly #found = new Set<string>();
  readonly #work: Work;

  constructor(work: Work) {
    this.#work = work;
  }

  look(sheet: string): OnLine | null {
    if (isRegrouped(sheet)) return null;
    const finder = new HeaderFinder();
    let seen = 0;
    return (_, cells) => {
      this.#work.spend(2 * cells.length * HEADER_WORK);
      const found = finder.take(cells) !== null;
      if (found) this.#found.add(sheet);
      return !found && ++seen < HEADER_WITHIN;
    };
  }

  /**
   * Returns the sheets to read: those named after kingdoms, else after days, else the first with headers of a scan.
   * Hidden sheets count only if there are no others.
   */
  scans(workbook: Workbook): string[] {
    const all = workbook.sheets.filter((sheet) => this.#found.has(sheet));
    const shown = all.filter((sheet) => !workbook.hidden.has(sheet));
    const scans = shown.length > 0 ? shown : all;
    const kingdoms = scans.filter((sheet) => kingdomOfSheet(sheet) !== null);
    const days = scans.filter((sheet) => momentIn(sheet) !== null);
    // A sheet named after a kingdom is read anyway, so that the user learns what its headers lack.
    const meant = workbook.sheets.filter((sheet) => kingdomOfSheet(sheet) !== null).slice(0, 1);
    const [chosen = []] = [kingdoms, days, scans.slice(0, 1), meant].filter((some) => some.length > 0);
    if (chosen.length > 0) return chosen;
    if (workbook.sheets.length === 0) throw new ScanFileRefused(t('The workbook has no sheets.'));
    throw new ScanFileRefused(
      t('None of the sheets holds a scan: {sheets}.', { sheets: workbook.sheets.join(', ').slice(0, 200) }),
    );
  }
}
