/** What an API key may do. */
export const SCOPES = ['read', 'order', 'import', 'compare'] as const;
export type Scope = (typeof SCOPES)[number];
