import type * as z from 'zod';
import type { healthAnswer } from '../../../domain/service/health.ts';
import type { Db } from '../../db/open.ts';
import { lacksTable, Refusal } from '../../errors.ts';
import { onlineBots } from '../../models/fleet/bots.ts';
import { isMigrated } from '../../models/service/database.ts';

const starting = () => new Refusal('unavailable', 'The service is starting.');

/**
 * Returns the state of the service.
 * @throws Refusal unavailable until the database has the migrations that this version needs.
 */
export async function checkHealth(db: Db): Promise<z.infer<typeof healthAnswer>> {
  const [migrated, bots_online] = await Promise.all([isMigrated(db), onlineBots(db)]).catch((error: unknown) => {
    throw lacksTable(error) ? starting() : error;
  });
  if (!migrated) throw starting();
  return { database: 'ready', bots_online };
}
