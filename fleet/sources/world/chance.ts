/** Stateless pseudo-random numbers: the same input gives the same output, in any order and on any day. */

/** Hashes whole numbers to 32 bits (murmur3's rounds). */
export function mix(seed: number, ...parts: number[]): number {
  let hash = seed | 0;
  for (const part of parts) {
    let k = Math.imul(part | 0, 0xcc9e2d51);
    k = (k << 15) | (k >>> 17);
    hash ^= Math.imul(k, 0x1b873593);
    hash = (hash << 13) | (hash >>> 19);
    hash = (Math.imul(hash, 5) + 0xe6546b64) | 0;
  }
  hash ^= hash >>> 16;
  hash = Math.imul(hash, 0x85ebca6b);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Returns a number in [0, 1). */
export const unit = (seed: number, ...parts: number[]): number => mix(seed, ...parts) / 2 ** 32;

/** Returns one of the choices. */
export const pick = <T>(choices: readonly T[], seed: number, ...parts: number[]): T =>
  choices[mix(seed, ...parts) % choices.length] as T;
