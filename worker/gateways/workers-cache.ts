import { cache } from 'cloudflare:workers';
import { logError } from '../errors.ts';

/** What Workers Cache keeps is dropped by tag when it changes (worker/http/kept.ts). */

/** Tag of the boards and of what is counted with them. */
export const BOARDS_TAG = 'boards';
/** Tag of products, and of pages with their prices. */
export const PRODUCTS_TAG = 'products';
/** Tag of pages with the licence. */
export const LICENCE_TAG = 'licence';
/** Tag of lists of events. */
export const EVENTS_TAG = 'events';
/** Returns the tag of answers about an event. */
export const eventTag = (id: number): string => `event-${id}`;

/**
 * Drops all answers with one of these tags, everywhere. A failure is only logged, because cached answers expire soon
 * anyway.
 */
export async function purge(tags: string[]): Promise<void> {
  try {
    // Local runtimes have no such cache.
    await cache.purge?.({ tags });
  } catch (error) {
    logError({ purging: tags.join(',') }, error);
  }
}
