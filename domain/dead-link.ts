import { message } from './language/text.ts';

/**
 * Shown for any link to results or a report that does not open. It does not say whether the link was revoked, expired
 * or never existed.
 */
export const DEAD_LINK = message('This link no longer works. Ask whoever sent it for a new one.');
