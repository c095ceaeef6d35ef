/** Only a path of this site: '//host' and '/\host' would lead away from it. */
export const isOwnPath = (value: unknown): value is string => typeof value === 'string' && /^\/(?![/\\])/.test(value);

/** Search parameters with the path that a guard turned away, if it is one of ours. */
export const fromOf = ({ from }: Record<string, unknown>): string | undefined => (isOwnPath(from) ? from : undefined);
