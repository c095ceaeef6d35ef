import type { Work } from './work.ts';
import { TAG_WORK } from './work.ts';
import { type XmlHandlers, XmlScanner } from './xml.ts';

/** Reads the XML of a part piece by piece and counts the work. */
export class PartReader {
  readonly #xml: XmlScanner;
  readonly #work: Work;
  readonly #decoder = new TextDecoder();

  constructor(handlers: XmlHandlers, work: Work) {
    this.#xml = new XmlScanner(handlers);
    this.#work = work;
  }

  push(piece: Uint8Array): void {
    const { tags } = this.#xml;
    this.#xml.push(this.#decoder.decode(piece, { stream: true }));
    this.#work.spend(piece.length + (this.#xml.tags - tags) * TAG_WORK);
  }

  end(): void {
    this.#xml.push(this.#decoder.decode());
    this.#xml.end();
  }
}
