/** Filters of the list of accounts. */
export const ACCOUNT_STATES = ['locked', 'unverified', 'owing'] as const;
