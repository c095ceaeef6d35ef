/** `support` may look at the admin pages but change nothing there. */
export const ROLES = ['user', 'support', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** Filters of the list of accounts. */
export const ACCOUNT_STATES = ['locked', 'unverified', 'owing'] as const;
