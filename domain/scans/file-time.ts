/**
 * Scans of files that do not say when they were made. They have the time at which the file was written, with a mark.
 */

/** The mark, at the end of the scan's source. */
export const TIME_OF_FILE = ' (time of the file)';
/** Characters of a source. */
const MAX_SOURCE = 200;

/** The source of a scan whose moment is only the time of its file. */
export const sourceByFileTime = (source: string): string =>
  `${source.slice(0, MAX_SOURCE - TIME_OF_FILE.length)}${TIME_OF_FILE}`;

/** True if a scan of that source has the time of its file for a moment. */
export const isFileTime = (source: string | null | undefined): boolean => source?.endsWith(TIME_OF_FILE) ?? false;

/** A source without the mark, for places that show it with the moment. */
export const withoutMark = (source: string): string =>
  isFileTime(source) ? source.slice(0, -TIME_OF_FILE.length) : source;

/** One source for a scan that was put together of several; the mark of one of them is a mark of all. */
export function joinedSource(sources: readonly string[]): string {
  const plain = sources.map(withoutMark);
  const joined = [...new Set(plain)].join(', ');
  return sources.some(isFileTime) ? sourceByFileTime(joined) : joined.slice(0, MAX_SOURCE);
}
