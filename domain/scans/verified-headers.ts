/** Columns of a sheet of verified deads: id, deads of T4 and of T5, in letters and digits. */
const COLUMNS = [
  /^((governor|gov|lord|character|player)?id)$/,
  /^t4(deaths?|deads?|dead)$/,
  /^t5(deaths?|deads?|dead)$/,
] as const;

/** Returns the places of the columns of verified deads among headers, -1 for one that is missing. */
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
