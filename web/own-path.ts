/** A path with its search. Browsers leave out tabs and line ends, take '\\' for '/', and '/.//host' for '//host'. */
const OWN = /^(?:\/[^/\\\p{Cc}?#]+)*\/?(?:[?#]\P{Cc}*)?$/u;

/** Only a path of this site: '//host', '/\host' and their like would lead away from it. */
export const isOwnPath = (value: unknown): value is string =>
  typeof value === 'string' && value.startsWith('/') && OWN.test(value);

/** Search parameters with the path that a guard turned away, if it is one of ours. */
export const fromOf = ({ from }: Record<string, unknown>): string | undefined => (isOwnPath(from) ? from : undefined);
