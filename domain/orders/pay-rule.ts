/**
 * What a customer pays for, in the words of the licence and the FAQ. worker/models/money/returns.ts does it;
 * docs/payments.md says how.
 */
export const PAY_RULE =
  'You pay for each hundred governors or lords that you get. Hundreds that a kingdom or server does not have, or of ' +
  'which no history is stored, return to your balance as soon as the scan ends, and the whole price returns where nobody ' +
  'was found. What could not be read is repaired for free; what is still missing after 24 hours returns to your balance.';
