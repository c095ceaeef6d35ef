/** Methods of a binding that send a request to D1 or R2. */
const REQUESTS = new Set(['get', 'put', 'delete', 'list', 'head', 'batch', 'all', 'first', 'run', 'raw']);

/**
 * Returns the binding wrapped so that each request made through it, or through what it returns, is counted. `answered`
 * receives each answer.
 */
export function counted<Binding extends object>(
  binding: Binding,
  count: () => void,
  answered: (answer: unknown) => void = () => undefined,
): Binding {
  return new Proxy(binding, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        const given = value.apply(target, args);
        if (name === 'prepare' || name === 'bind') return counted(given, count, answered);
        if (!REQUESTS.has(String(name))) return given;
        count();
        return given.then((answer: unknown) => {
          answered(answer);
          return answer;
        });
      };
    },
  });
}

/** Returns a store that lists `limit` objects at a time instead of R2's thousand. */
export const listingFew = (store: R2Bucket, limit: number): R2Bucket =>
  ({
    get: (key: string) => store.get(key),
    delete: (keys: string | string[]) => store.delete(keys),
    list: (options?: R2ListOptions) => store.list({ ...options, limit }),
  }) as unknown as R2Bucket;
