/**
 * Stands in for 'cloudflare:workers' in tests that call services from Node. Like every local runtime, it has no Workers
 * Cache.
 */
export const cache = {};
