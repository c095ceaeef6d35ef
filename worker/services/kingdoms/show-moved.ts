import { DAY_MS } from '../../../domain/days.ts';
import type { Db } from '../../db/open.ts';
import { lastVisit } from '../../models/accounts/visits.ts';
import { watchedKingdoms } from '../../models/kingdoms/monitored.ts';
import { movedKingdoms } from '../../models/kingdoms/moved.ts';

/** Days covered on the first visit, and at most, because data of monitored kingdoms goes back 30 days. */
const FIRST_DAYS = 7;
const MOST_DAYS = 28;

/** Returns the changes in a user's monitored kingdoms since the last visit. */
export async function showMoved(db: Db, userId: string, now = Date.now()) {
  const [last_visit, watched] = await Promise.all([lastVisit(db, userId, now), watchedKingdoms(db, userId, now)]);
  const since = last_visit === null ? now - FIRST_DAYS * DAY_MS : Math.max(last_visit, now - MOST_DAYS * DAY_MS);
  return { last_visit, since, ...(await movedKingdoms(db, watched, since, last_visit === null)) };
}
