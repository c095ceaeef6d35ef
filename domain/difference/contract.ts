import * as z from 'zod';
import { exact } from '../figures.ts';
import { GOVERNOR_ID } from './lines.ts';
import { DEADS_OFF } from './scoring.ts';

/** Scoring fields that reports and events share. */

export const governorId = z
  .number()
  .int('must be a whole number')
  .positive('must be above 0')
  .max(Number.MAX_SAFE_INTEGER);

/** The most zeroed governors that a report or event stores. */
export const MAX_ZEROED_KEPT = 2000;

/** A governor's id as a key. */
export const governorKey = z.string().regex(GOVERNOR_ID, 'must be an id');

/** Zeroed governors by id, each with the percentage of their deads to subtract. */
export const zeroed = z
  .record(
    governorKey,
    z.union(
      DEADS_OFF.map((percent) => z.literal(percent)),
      `must be one of ${DEADS_OFF.join(', ')}`,
    ),
  )
  .refine((all) => Object.keys(all).length <= MAX_ZEROED_KEPT, `must have ${exact(MAX_ZEROED_KEPT)} entries at most`);
