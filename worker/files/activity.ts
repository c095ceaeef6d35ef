import { message, words } from '../../domain/language/text.ts';
import type { Activity } from '../models/service/activity.ts';
import { utf8 } from './bytes.ts';
import { csvLine, csvText } from './csv.ts';

const KEYS = ['time', 'who', 'action', 'account', 'subject', 'detail', 'from'];
const TITLES = [
  message('Time (UTC)'),
  message('Who'),
  message('What'),
  message('Account'),
  message('Subject'),
  message('Details'),
  message('IP address'),
];

const cellsOf = ({ at, who, action, account, subject, detail, address }: Activity): string[] => [
  new Date(at).toISOString(),
  ...[who, action, account ?? '', subject, detail, address].map(csvText),
];

/**
 * Returns the activity log as pieces of CSV, by the rules of csv.ts. `titled`: with titles in the language of this call.
 */
export const activityCsv = (pages: AsyncIterable<readonly Activity[]>, titled: boolean): AsyncIterable<Uint8Array> =>
  // Translated now, because the pieces may be read outside of the request's async context.
  pieces(titled ? TITLES.map((title) => csvText(words(title))) : KEYS, pages);

async function* pieces(head: readonly string[], pages: AsyncIterable<readonly Activity[]>): AsyncGenerator<Uint8Array> {
  yield utf8(csvLine(head));
  for await (const entries of pages) yield utf8(entries.map((entry) => csvLine(cellsOf(entry))).join(''));
}
