import type * as z from 'zod';
import type { adminLicences, licence, licenceDiscard, licenceEdit } from '../../../domain/accounts/licence-contract.ts';
import { dayOf } from '../../../domain/days.ts';
import { sentence } from '../../../domain/language/text.ts';
import { changedMeanwhile } from '../../../domain/meanwhile.ts';
import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { notFound, Refusal } from '../../errors.ts';
import { LICENCE_TAG, purge } from '../../gateways/workers-cache.ts';
import { acceptEula } from '../../models/accounts/accounts.ts';
import {
  currentIn,
  currentLicence,
  deleteDraft,
  type Licence,
  listLicences,
  listWithText,
  readLicence,
  writeLicence,
} from '../../models/accounts/licence-versions.ts';
import { type Caller, proveFactor } from './prove-person.ts';

/** Returns a published version, by default the one that holds now. @throws Refusal not_found. */
export async function showLicence(
  db: Db,
  wanted: number | undefined,
  now = Date.now(),
): Promise<z.infer<typeof licence>> {
  const today = dayOf(now);
  const all = await listWithText(db, wanted, today);
  const current = currentIn(all, today);
  const versions = all.flatMap(({ version, holds_from }) => (holds_from === null ? [] : [{ version, holds_from }]));
  const shown = versions.find(({ version }) => version === (wanted ?? current));
  const eula = all.find(({ version }) => version === shown?.version)?.text;
  if (!shown || !eula) throw notFound('version of the licence');
  return { ...shown, eula, current, versions };
}

/** Returns all versions with the text of the newest one, for admins. */
export async function showLicences(db: Db, now = Date.now()): Promise<z.infer<typeof adminLicences>> {
  const versions = await listLicences(db);
  const today = dayOf(now);
  const newest = await readLicence(db, versions[0]?.version ?? 0);
  return { today, current: currentIn(versions, today), text: newest?.text ?? '', versions };
}

/**
 * Accepts the version that holds for a user, and returns it. @throws Refusal conflict if the user read another version.
 */
export async function acceptLicence(
  db: Db,
  who: { userId: string; address: string },
  read: number | undefined,
): Promise<number> {
  const version = await currentLicence(db);
  if (read !== undefined && read !== version)
    throw new Refusal('conflict', 'Another version of the licence holds now. Please read it first.');
  await acceptEula(db, { ...who, version });
  return version;
}

/** Returns a version's day and those lines of its text that `other` lacks; null for none. */
function differing({ text, holds_from }: Licence, other: Licence | null) {
  const lines = new Set(other?.text.split('\n'));
  const own = text.split('\n').filter((line) => !lines.has(line));
  return { holds_from, text: own.join(' ') || null };
}

/** @throws Refusal conflict, with the difference, because a version changed meanwhile, holds or does not follow. */
async function refuseEdit(db: Db, mine: Licence, today: string): Promise<never> {
  const theirs = await readLicence(db, mine.version);
  if (!theirs)
    throw new Refusal('conflict', 'Somebody discarded this draft meanwhile, or another version does not hold yet.');
  if (theirs.holds_from !== null && theirs.holds_from <= today)
    throw new Refusal('conflict', 'This version holds and cannot be changed any more. Write a new one.');
  throw new Refusal(
    'conflict',
    changedMeanwhile(differing(mine, theirs), differing(theirs, mine), ['holds_from', 'text']),
  );
}

/**
 * Writes the next version of the licence as a draft, or publishes it from a day on. Users are asked to accept it from
 * then. A planned version can become a draft again.
 * @throws Refusal invalid for a day that is over, forbidden for a wrong code of the second factor, or conflict.
 */
export async function changeLicence(
  db: Db,
  env: Env,
  { user, address }: Caller,
  { reason, code, ...edit }: z.output<typeof licenceEdit> & { version: number },
  now = Date.now(),
): Promise<void> {
  const { version, holds_from } = edit;
  const today = dayOf(now);
  if (holds_from !== null && holds_from < today)
    throw new Refusal(
      'invalid',
      sentence('is in the past. The first possible day is {day}.', { day: today }, 'holds_from'),
    );
  if (holds_from !== null) await proveFactor(db, env, user, code);
  const [before, previous] = await Promise.all([readLicence(db, version), readLicence(db, version - 1)]);
  const entry = {
    ...{ userId: null, actor: `admin:${user.id}`, subject: String(version), address },
    action: holds_from === null ? 'licence.drafted' : 'licence.published',
    detail: {
      reason,
      before: before && differing(before, edit),
      after: differing(edit, before ?? previous),
    },
  };
  if (!(await writeLicence(db, edit, entry, now))) await refuseEdit(db, edit, today);
  await purge([LICENCE_TAG]);
}

/** Deletes a draft. @throws Refusal conflict if it was edited, published or discarded meanwhile. */
export async function discardDraft(
  db: Db,
  { user, address }: Caller,
  { version, edits, reason }: z.output<typeof licenceDiscard> & { version: number },
): Promise<void> {
  const [before, previous] = await Promise.all([readLicence(db, version), readLicence(db, version - 1)]);
  const entry = {
    ...{ userId: null, actor: `admin:${user.id}`, subject: String(version), address },
    action: 'licence.discarded',
    detail: { reason, before: before && differing(before, previous) },
  };
  if (!(await deleteDraft(db, { version, edits }, entry)))
    throw new Refusal('conflict', 'This draft was edited, published or discarded meanwhile.');
}
