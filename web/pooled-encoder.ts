/**
 * Characters of the longest text that is encoded into the pool, so at most 3,072 bytes. React copies up to 4,096 bytes.
 * It passes longer pieces on together with their buffer, so these need one of their own.
 */
const SHORT = 1024;
const POOL_BYTES = 65_536;

const native = new TextEncoder();

/**
 * A `TextEncoder` for rendering in the Worker (scripts/pooled-encoder.ts). React encodes each tag, attribute and text
 * by itself, over two thousand pieces a page, and the platform's encoder allocates a buffer for each.
 */
export class PooledEncoder {
  #pool = new Uint8Array(POOL_BYTES);
  #used = 0;

  encode(text: string): Uint8Array {
    if (text.length > SHORT) return native.encode(text);
    if (this.#used + 3 * text.length > POOL_BYTES) {
      this.#pool = new Uint8Array(POOL_BYTES);
      this.#used = 0;
    }
    const start = this.#used;
    this.#used += this.#write(text, start);
    return this.#pool.subarray(start, this.#used);
  }

  /** Writes a text into the pool and returns its bytes. */
  #write(text: string, start: number): number {
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code > 0x7f) return native.encodeInto(text, this.#pool.subarray(start)).written;
      this.#pool[start + at] = code;
    }
    return text.length;
  }
}
