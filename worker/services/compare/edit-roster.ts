import type * as z from 'zod';
import type { rosterHistory } from '../../../domain/compare/answers.ts';
import type { KingdomGoals } from '../../../domain/compare/contract.ts';
import type { RosterEntry } from '../../../domain/compare/roster-rules.ts';
import { type RosterChange, rosterChanges } from '../../../domain/compare/roster-rules.ts';
import { message, sentence } from '../../../domain/language/text.ts';
import type { Db } from '../../db/open.ts';
import { Refusal } from '../../errors.ts';
import { keepGoals, MAX_KINGDOM_GOALS, type StoredGoals } from '../../models/compare/kingdom-goals.ts';
import { keepRoster, MAX_ROSTERS, type Roster, type RosterPlace, rosterOf } from '../../models/compare/rosters.ts';
import { auditAbout } from '../../models/service/audit.ts';

/** The user who edits a roster. */
export interface Editor {
  userId: string;
  /** 'user' or 'key:<id>', as in the log. */
  actor: string;
  address: string;
}

/** Changes that an edit's entry in the log names. */
const LOGGED = 100;
const ATTEMPTS = 3;
const CHANGED = message('This roster changed meanwhile. Look at what changed, then save again.');

const subjectOf = ({ game, kingdom }: RosterPlace): string => `roster:${game}:${kingdom}`;

/**
 * Replaces a kingdom's roster. `seen` is the version that was edited: 0 if it was empty, undefined to replace any.
 * @throws Refusal conflict if the roster is another version; too_large if the user has the maximum number of rosters.
 */
export async function replaceRoster(
  db: Db,
  { userId, actor, address }: Editor,
  place: RosterPlace,
  entries: RosterEntry[],
  seen: number | undefined,
): Promise<Roster> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const before = await rosterOf(db, userId, place.game, place.kingdom);
    const changes = rosterChanges(before.entries, entries);
    // A retry whose first answer was lost finds its own rows.
    if (changes.length === 0 && (entries.length > 0 || before.updated_at === null)) return before;
    if (seen !== undefined && seen !== (before.updated_at ?? 0)) throw new Refusal('conflict', CHANGED);
    const entry = {
      userId,
      actor,
      address,
      action: 'roster.changed',
      subject: subjectOf(place),
      detail: { count: changes.length, changes: changes.slice(0, LOGGED) },
    };
    const kept = await keepRoster(db, userId, place, { before, entries, entry });
    if (kept) return kept;
    const after = await rosterOf(db, userId, place.game, place.kingdom);
    if (before.updated_at === null && after.updated_at === null)
      throw new Refusal(
        'too_large',
        sentence('An account keeps tables of {count} kingdoms at most: empty some first.', { count: MAX_ROSTERS }),
      );
  }
  throw new Refusal('conflict', CHANGED);
}

/**
 * Replaces a kingdom's goals.
 * @throws Refusal too_large if the user has the maximum number of kingdoms with goals.
 */
export async function replaceGoals(
  db: Db,
  { userId, actor, address }: Editor,
  place: RosterPlace,
  goals: KingdomGoals,
): Promise<StoredGoals> {
  const entry = {
    userId,
    actor,
    address,
    action: 'goals.changed',
    subject: `goals:${place.game}:${place.kingdom}`,
    detail: goals,
  };
  const kept = await keepGoals(db, userId, place, goals, entry);
  if (!kept)
    throw new Refusal(
      'too_large',
      sentence('An account keeps goals of {count} kingdoms at most.', { count: MAX_KINGDOM_GOALS }),
    );
  return kept;
}

/** Returns the latest edits of a kingdom's roster, newest first. */
export async function rosterEdits(db: Db, userId: string, place: RosterPlace): Promise<z.infer<typeof rosterHistory>> {
  const entries = await auditAbout(db, userId, subjectOf(place));
  return {
    edits: entries.map(({ at, actor, detail }) => {
      const { count, changes } = JSON.parse(detail) as { count: number; changes: RosterChange[] };
      return { at, by: actor === 'user' ? 'user' : 'key', count, changes };
    }),
  };
}
