/** `support` may look at the admin pages but change nothing there. */
export const ROLES = ['user', 'support', 'admin'] as const;
export type Role = (typeof ROLES)[number];
