/**
 * Only a path of this site: '//host' and '/\host' would lead away from it, and so would '/.//host', and a tab between two
 * slashes, which browsers leave out.
 */
export const isOwnPath = (value: unknown): value is string =>
  typeof value === 'string' && /^(?=\/)(\/?[^/\\\p{Cc}])*\/?$/u.test(value);

/** Search parameters with the path that a guard turned away, if it is one of ours. */
export const fromOf = ({ from }: Record<string, unknown>): string | undefined => (isOwnPath(from) ? from : undefined);
