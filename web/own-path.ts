/**
 * Only a path of this site: '//host' and '/\host' would lead away from it, and so would '/.//host', and a tab between two
 * slashes, which browsers leave out.
 */
export const isOwnPath = (value: unknown): value is string =>
  typeof value === 'string' && /^(?=\/)(\/?[^/\\\p{Cc}])*\/?$/u.test(value);

/**
 * The path that a guard turned away, out of search parameters, if it is one of ours. Nobody is led back to signing out: who
 * reloads the page in the middle of that would be signed out again as soon as he has signed in.
 */
export const fromOf = ({ from }: Record<string, unknown>): string | undefined =>
  isOwnPath(from) && !from.startsWith('/logout') ? from : undefined;
