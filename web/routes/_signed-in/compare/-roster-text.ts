import { ROLES, type RosterEntry, type RosterRole } from '../../../../domain/compare/roster.ts';
import { LineFlaw } from '../../../components/difference/lines.ts';

/** A kingdom's roster as csv: governor_id, role, main_id, note. Commas, semicolons and tabs separate, as sheets paste them. */

const HEADER = 'governor_id,role,main_id,note';

/** @throws LineFlaw naming the first line that cannot be read. */
export function rosterOf(text: string): RosterEntry[] {
  return text.split('\n').flatMap((line, index): RosterEntry[] => {
    const [id = '', role = '', main = '', ...note] = line.trim().split(/\s*[,;\t]\s*/);
    if (line.trim() === '' || id.toLowerCase() === 'governor_id') return [];
    if (!/^[1-9]\d{0,15}$/.test(id)) throw new LineFlaw(index + 1, `'${id}' is no id.`);
    const known = ROLES.find((each) => each === role.toLowerCase());
    if (!known) throw new LineFlaw(index + 1, `'${role}' is no role. Roles are ${ROLES.join(', ')}.`);
    if (main !== '' && !/^[1-9]\d{0,15}$/.test(main)) throw new LineFlaw(index + 1, `'${main}' is no id of a main.`);
    return [entryOf(Number(id), known, main === '' ? null : Number(main), note.join(', '))];
  });
}

const entryOf = (governor_id: number, role: RosterRole, main_id: number | null, note: string): RosterEntry => ({
  governor_id,
  role,
  main_id,
  note,
});

export const rosterText = (entries: readonly RosterEntry[]): string =>
  [
    HEADER,
    ...entries.map(({ governor_id, role, main_id, note }) => `${governor_id},${role},${main_id ?? ''},${note}`),
  ].join('\n');
