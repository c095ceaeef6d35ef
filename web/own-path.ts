/**
 * Accepts only paths of this site. Rejects '//host', '/\host', '/.//host' and control characters between slashes, which
 * browsers drop, because they lead to other sites.
 */
export const isOwnPath = (value: unknown): value is string =>
  typeof value === 'string' && /^(?=\/)(\/?[^/\\\p{Cc}])*\/?$/u.test(value);

/**
 * Returns the path that a guard redirected from, if it is on this site. Excludes /logout: a user who reloads it would
 * be signed out again right after signing in.
 */
export const fromOf = ({ from }: Record<string, unknown>): string | undefined =>
  isOwnPath(from) && !from.startsWith('/logout') ? from : undefined;
