import { message } from '../language/text.ts';

/**
 * What a customer pays for, as the licence and the FAQ say it. worker/models/money/returns.ts implements it, and
 * docs/payments.md explains how.
 */
export const PAY_RULE = message(
  'You pay for each hundred governors or lords that you get. Hundreds that a kingdom or server does not have, or of which no history is stored, return to the balance that paid as soon as the scan ends, and the whole price returns where nobody was found. What could not be read is repaired for free; what is still missing after 24 hours returns to it.',
);
