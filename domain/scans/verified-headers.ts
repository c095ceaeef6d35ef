/** Headers of a sheet of verified deads without marks and spaces: id, deads of T4, deads of T5. */
const COLUMNS = [/^(?:gov(?:ernor)?|lord|character|player)?id$/, /^t4dea(?:th|d)s?$/, /^t5dea(?:th|d)s?$/] as const;

/** Returns the index of each column of verified deads, -1 if it is missing. */
export function verifiedPlaces(headers: readonly string[]): number[] {
  const plain = headers.map((header) => header.toLowerCase().replace(/[^a-z\d]/g, ''));
  return COLUMNS.map((title) => plain.findIndex((header) => title.test(header)));
}

/** Returns whether headers have all columns of verified deads. */
export const hasVerified = (headers: readonly string[]): boolean =>
  verifiedPlaces(headers).every((place) => place >= 0);

/** Returns whether headers are those of a sheet of verified deads, which unlike a scan has no power. */
export const areVerified = (headers: readonly string[]): boolean =>
  hasVerified(headers) && !headers.some((header) => /power/i.test(header));
