import type { GameId } from '../../../domain/games/games.ts';
import { BOUGHT_DAYS, FREE_DAYS } from '../../../domain/kingdoms/chart-days.ts';
import type { Db } from '../../db/open.ts';
import { Refusal } from '../../errors.ts';
import type { User } from '../../models/accounts/user.ts';
import { boughtHistory } from '../../models/kingdoms/governors.ts';

/** A request for a kingdom's charts. `name` is the kingdom's name within a sentence. */
export interface AskedDays {
  user: User;
  game: GameId;
  kingdom: number;
  days: number;
  name: string;
}

/** Returns how many days of a kingdom's charts a user may see. @throws Refusal unpaid if they ask for more. */
export async function daysOpen(db: Db, { user, game, kingdom, days, name }: AskedDays): Promise<number> {
  const bought = user.role === 'admin' || (await boughtHistory(db, user.id, game, kingdom));
  if (days > FREE_DAYS && !bought) throw new Refusal('unpaid', `${days} days open with the 90-day history of ${name}.`);
  return bought ? BOUGHT_DAYS : FREE_DAYS;
}
