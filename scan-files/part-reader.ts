import { Buffer } from 'node:buffer';
import { TAG_WORK, type Work } from './work.ts';
import { type XmlHandlers, XmlScanner } from './xml.ts';

/** Reads elements of a part straight from the bytes if they have the form that nearly all programs write. */
export interface UsualForm {
  /** The tag that ends such an element. */
  readonly end: Buffer;
  /** Opening tags of the elements read so far. */
  readonly tags: number;
  /**
   * Reads elements from `at` on. Returns where the first one begins that has another form or is incomplete, of which
   * nothing may be kept: the scanner reads it. `stop` is where the last end of an element begins, so that reading never
   * leaves the bytes, for which V8 would discard the compiled code.
   */
  usual(bytes: Buffer, at: number, stop: number): number;
}

/** Bytes kept of an element that is not complete yet; longer ones are left to the handlers. */
const MAX_KEPT = 65_536;
const NONE = Buffer.alloc(0);

/** Reads the XML of a part piece by piece and counts the work. */
export class PartReader {
  readonly #xml: XmlScanner;
  readonly #work: Work;
  readonly #form: UsualForm | null;
  readonly #decoder = new TextDecoder();
  #kept = NONE;

  constructor(handlers: XmlHandlers, work: Work, form: UsualForm | null = null) {
    this.#xml = new XmlScanner(handlers);
    this.#work = work;
    this.#form = form;
  }

  push(piece: Uint8Array): void {
    const [scanned, usual] = [this.#xml.work, this.#form?.tags ?? 0];
    const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    if (this.#form) this.#read(this.#form, this.#kept.length > 0 ? Buffer.concat([this.#kept, bytes]) : bytes);
    else this.#scan(bytes);
    const tags = ((this.#form?.tags ?? 0) - usual) * TAG_WORK;
    this.#work.spend(piece.length + tags + this.#xml.work - scanned);
  }

  end(): void {
    this.#scan(this.#kept);
    this.#xml.push(this.#decoder.decode());
    this.#xml.end();
  }

  /** Reads elements in the usual form. The scanner reads the rest, each time up to the next end of an element. */
  #read(form: UsualForm, bytes: Buffer): void {
    this.#kept = NONE;
    const lastEnd = bytes.lastIndexOf(form.end);
    for (let at = 0; at < bytes.length; ) {
      if (this.#xml.isBetween) at = form.usual(bytes, at, lastEnd);
      const end = bytes.indexOf(form.end, at);
      if (end < 0 && bytes.length - at <= MAX_KEPT) {
        this.#kept = Buffer.from(bytes.subarray(at));
        return;
      }
      const stop = end < 0 ? bytes.length : end + form.end.length;
      this.#scan(bytes.subarray(at, stop));
      at = stop;
    }
  }

  #scan(bytes: Uint8Array): void {
    this.#xml.push(this.#decoder.decode(bytes, { stream: true }));
  }
}
