import type * as z from 'zod';
import type { fightPayload } from '../../../domain/compare/contract.ts';
import type { Db } from '../../db/open.ts';
import { Refusal } from '../../errors.ts';
import { addFight, MAX_FIGHTS } from '../../models/compare/fights.ts';
import { gameOfRanges } from './load-ranges.ts';

/** Keeps a named range of a user's scans; answers its id. */
export async function keepFight(
  db: Db,
  userId: string,
  { name, from, to }: z.output<typeof fightPayload>,
): Promise<string> {
  const game = await gameOfRanges(db, userId, [{ from, to }]);
  const id = await addFight(db, userId, { game, name, from, to });
  if (!id) throw new Refusal('too_large', `An account keeps ${MAX_FIGHTS} fights at most: delete some first.`);
  return id;
}
