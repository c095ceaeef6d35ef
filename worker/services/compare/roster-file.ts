import { roster } from '../../../domain/compare/roster.ts';
import type { RosterEntry } from '../../../domain/compare/roster-rules.ts';
import { MAX_ROSTER, ROLES, type RosterRole } from '../../../domain/compare/roster-rules.ts';
import { message, type Sentence, sentence } from '../../../domain/language/text.ts';
import type { Cell } from '../../../domain/scans/numerals.ts';
import { numeralOf } from '../../../domain/scans/numerals.ts';
import { restored } from '../../../domain/scans/spreadsheet.ts';
import { issueSentence } from '../../../domain/service/flaws.ts';
import { delimiterOf, readCsvLines } from '../../../scan-files/csv.ts';
import { encodingOf, headOf } from '../../../scan-files/encoding.ts';
import type { Db } from '../../db/open.ts';
import { Refusal, refusalOfFile } from '../../errors.ts';
import { csvText } from '../../files/csv.ts';
import type { Roster, RosterPlace } from '../../models/compare/rosters.ts';
import { rosterOf } from '../../models/compare/rosters.ts';
import { type Editor, replaceRoster } from './edit-roster.ts';

/** A kingdom's roster of mains and farms as csv, for leaders who edit it in a spreadsheet. */

const HEADERS = ['governor_id', 'role', 'main_id', 'note'] as const;
/** Headers that leaders use for the columns. */
const CALLED = new Map<string, (typeof HEADERS)[number]>([
  ['id', 'governor_id'],
  ['governorid', 'governor_id'],
  ['lordid', 'governor_id'],
  ['role', 'role'],
  ['type', 'role'],
  ['mainid', 'main_id'],
  ['main', 'main_id'],
  ['note', 'note'],
]);

const plain = (cell: Cell | undefined): string =>
  String(cell ?? '')
    .replace(/^\ufeff/, '')
    .trim();
const headerOf = (cell: Cell) =>
  CALLED.get(
    plain(cell)
      .toLowerCase()
      .replace(/[^a-z]/g, ''),
  );

/** Writes a roster as csv. */
const rosterCsv = (entries: readonly RosterEntry[]): string =>
  [
    HEADERS.join(','),
    ...entries.map(({ governor_id, role, main_id, note }) =>
      [governor_id, role, main_id ?? '', csvText(note)].join(','),
    ),
    '',
  ].join('\r\n');

const inLine = (line: number, flaw: Sentence): Sentence => sentence('Line {line}: {flaw}', { line, flaw });

/** Parses a roster from csv. @throws Refusal with the line's number if a line is invalid. */
function rosterFrom(csv: Uint8Array): RosterEntry[] {
  const lines: { line: number; cells: Cell[] }[] = [];
  try {
    const encoding = encodingOf(csv);
    const delimiter = delimiterOf(headOf(csv, encoding), (cells) =>
      cells.some((cell) => headerOf(cell) === 'governor_id'),
    );
    readCsvLines(csv, encoding, delimiter, (line, cells) => {
      if (cells.some((cell) => plain(cell) !== '')) lines.push({ line, cells: [...cells] });
      if (lines.length > MAX_ROSTER + 1)
        throw new Refusal('invalid', sentence('The table has more than {count} rows.', { count: MAX_ROSTER }));
    });
  } catch (error) {
    throw refusalOfFile(error);
  }
  // Without headers, as in a typed table, columns are in our order. An empty table is valid.
  const typed = lines.length === 0 || /^\d+$/.test(plain(lines[0]?.cells[0]));
  const columns = typed ? [...HEADERS] : (lines[0]?.cells.map(headerOf) ?? []);
  const rows = typed ? lines : lines.slice(1);
  if (!columns.includes('governor_id') || !columns.includes('role'))
    throw new Refusal(
      'invalid',
      sentence('The first line must name the columns: {columns}.', { columns: HEADERS.join(', ') }),
    );
  const entries = rows.map(({ line, cells }) => entryOf(line, (name) => cells[columns.indexOf(name)]));
  const checked = roster.safeParse(entries);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  const at = rows[Number(issue?.path[0] ?? 0)]?.line ?? 1;
  throw new Refusal('invalid', inLine(at, issue ? issueSentence(issue) : { message: message('makes no sense.') }));
}

function entryOf(line: number, cell: (name: (typeof HEADERS)[number]) => Cell | undefined): RosterEntry {
  const role = plain(cell('role')).toLowerCase();
  if (!ROLES.includes(role as RosterRole))
    throw new Refusal(
      'invalid',
      inLine(line, sentence("'{role}' is not one of {roles}.", { role: role.slice(0, 20), roles: ROLES.join(', ') })),
    );
  const id = (name: 'governor_id' | 'main_id'): number | null => {
    const figure = numeralOf(cell(name) ?? null, 'ident');
    if (figure === null || typeof figure === 'number') return figure;
    throw new Refusal('invalid', inLine(line, sentence('{name} {why}.', { name, why: figure.unclear })));
  };
  const governor_id = id('governor_id');
  if (!governor_id) throw new Refusal('invalid', inLine(line, { message: message('no governor id.') }));
  return { governor_id, role: role as RosterRole, main_id: id('main_id') || null, note: restored(plain(cell('note'))) };
}

/** Returns a user's roster of a kingdom as csv. */
export const downloadRoster = async (db: Db, userId: string, { game, kingdom }: RosterPlace): Promise<string> =>
  rosterCsv((await rosterOf(db, userId, game, kingdom)).entries);

/** Replaces a kingdom's roster by a csv file. */
export const importRoster = (
  db: Db,
  editor: Editor,
  place: RosterPlace,
  csv: Uint8Array,
  seen: number | undefined,
): Promise<Roster> => replaceRoster(db, editor, place, rosterFrom(csv), seen);
