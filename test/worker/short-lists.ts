/** Returns a store that lists `limit` objects at a time instead of R2's thousand. */
export const listingFew = (store: R2Bucket, limit: number): R2Bucket =>
  ({
    get: (key: string) => store.get(key),
    delete: (keys: string | string[]) => store.delete(keys),
    list: (options?: R2ListOptions) => store.list({ ...options, limit }),
  }) as unknown as R2Bucket;
