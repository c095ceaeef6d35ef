import { DAY_MS } from '../../../domain/days.ts';
import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { lastVisit } from '../../models/accounts/visits.ts';
import { monitoredKingdoms, watchedKingdoms } from '../../models/kingdoms/monitored.ts';
import { movedKingdoms } from '../../models/kingdoms/moved.ts';

/** Days covered on the first visit, and at most, because data of monitored kingdoms goes back 30 days. */
const FIRST_DAYS = 7;
const MOST_DAYS = 28;

/** Returns a user's monitored kingdoms with their changes over a week. */
export const showMonitored = async (db: Db, env: Env, userId: string) => ({
  kingdoms: await monitoredKingdoms(db, env.STORE, userId),
});

/** Returns the changes in a user's monitored kingdoms since the last visit. */
export async function showMoved(db: Db, env: Env, userId: string, now = Date.now()) {
  const [last_visit, watched] = await Promise.all([lastVisit(db, userId, now), watchedKingdoms(db, userId, now)]);
  const since = last_visit === null ? now - FIRST_DAYS * DAY_MS : Math.max(last_visit, now - MOST_DAYS * DAY_MS);
  return { last_visit, since, ...(await movedKingdoms(db, env.STORE, watched, since, last_visit === null)) };
}
