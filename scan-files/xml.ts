import { ScanFileRefused } from './limits.ts';

/** What is told while XML is read. Names come without their namespace's prefix, which writers choose freely. */
export interface XmlHandlers {
  /** `attributes` is the source of the tag's attributes: `attributeOf` reads them. */
  open(name: string, attributes: string): void;
  close(name: string): void;
  text(text: string): void;
}

/** The longest stretch without a tag: a cell of Excel holds 32,767 characters. */
const MAX_STRETCH = 1_000_000;
const SLASH = 0x2f;
const BANG = 0x21;
const QUESTION = 0x3f;
const COLON = 0x3a;
const END = 0x3e;
const DOUBLE = 0x22;
const SINGLE = 0x27;

const damaged = (what: string): ScanFileRefused => new ScanFileRefused(`The xlsx file is damaged: ${what}.`);

/**
 * Reads XML piece by piece, as far as workbooks go. There are no entities but the five of XML and numbers of
 * characters: a document type, by which others are declared or fetched, is refused.
 */
export class XmlScanner {
  readonly #handlers: XmlHandlers;
  #rest = '';
  #depth = 0;

  constructor(handlers: XmlHandlers) {
    this.#handlers = handlers;
  }

  push(piece: string): void {
    const text = this.#rest + piece;
    let at = 0;
    for (;;) {
      const next = this.#step(text, at);
      if (next < 0) break;
      at = next;
    }
    this.#rest = text.slice(at);
    if (this.#rest.length > MAX_STRETCH) throw damaged('it has a text without an end');
  }

  end(): void {
    if (this.#depth !== 0 || this.#rest.trim() !== '') throw damaged('a part ends too early');
  }

  /** Takes the text up to the next tag and the tag; answers where it ends, or -1 where more is needed. */
  #step(text: string, at: number): number {
    const tag = text.indexOf('<', at);
    if (tag < 0) return -1;
    const kind = text.charCodeAt(tag + 1);
    if (kind === BANG) return this.#special(text, at, tag);
    const end = kind === QUESTION ? text.indexOf('?>', tag) : endOfTag(text, tag);
    if (end < 0) return -1;
    if (tag > at) this.#handlers.text(unescaped(text.slice(at, tag)));
    if (kind === QUESTION) return end + 2;
    if (kind === SLASH) this.#close(localName(text, tag + 2, end));
    else this.#open(text, tag, end);
    return end + 1;
  }

  #open(text: string, tag: number, end: number): void {
    const empty = text.charCodeAt(end - 1) === SLASH;
    let nameEnd = tag + 1;
    while (nameEnd < end && text.charCodeAt(nameEnd) > 0x20 && text.charCodeAt(nameEnd) !== SLASH) nameEnd++;
    const name = localName(text, tag + 1, nameEnd);
    if (name === '') throw damaged('it has a tag without a name');
    this.#depth++;
    this.#handlers.open(name, text.slice(nameEnd, empty ? end - 1 : end));
    if (empty) this.#close(name);
  }

  #close(name: string): void {
    if (--this.#depth < 0) throw damaged('a tag is closed that was not opened');
    this.#handlers.close(name.trim());
  }

  #special(text: string, at: number, tag: number): number {
    // So many characters tell a comment from a CDATA section and a document type.
    if (text.length - tag < 9) return -1;
    const isComment = text.startsWith('<!--', tag);
    const isData = text.startsWith('<![CDATA[', tag);
    if (!isComment && !isData) throw new ScanFileRefused('The xlsx file declares entities, which no workbook needs.');
    const end = text.indexOf(isComment ? '-->' : ']]>', tag + (isComment ? 4 : 9));
    if (end < 0) return -1;
    if (tag > at) this.#handlers.text(unescaped(text.slice(at, tag)));
    if (isData) this.#handlers.text(text.slice(tag + 9, end));
    return end + 3;
  }
}

/** The place of the `>` that ends the tag, or -1; in quotes it is a character. Looks at each character once. */
function endOfTag(text: string, tag: number): number {
  let open = 0;
  for (let at = tag + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (open !== 0) {
      if (code === open) open = 0;
    } else if (code === END) return at;
    else if (code === DOUBLE || code === SINGLE) open = code;
  }
  return -1;
}

function localName(text: string, from: number, to: number): string {
  for (let at = from; at < to; at++) if (text.charCodeAt(at) === COLON) return text.slice(at + 1, to);
  return text.slice(from, to);
}

/** The value of an attribute in a tag's source, or null. `name` is matched with any prefix where it begins with ':'. */
export function attributeOf(attributes: string, name: string): string | null {
  for (let at = attributes.indexOf(name); at >= 0; at = attributes.indexOf(name, at + 1)) {
    const before = attributes.charCodeAt(at - 1);
    if (!name.startsWith(':') && !(before <= 0x20)) continue;
    const equals = afterSpaces(attributes, at + name.length);
    const open = afterSpaces(attributes, equals + 1);
    const mark = attributes[open];
    if (attributes[equals] !== '=' || (mark !== '"' && mark !== "'")) continue;
    const end = attributes.indexOf(mark, open + 1);
    if (end >= 0) return unescaped(attributes.slice(open + 1, end));
  }
  return null;
}

function afterSpaces(text: string, at: number): number {
  while (text.charCodeAt(at) <= 0x20) at++;
  return at;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function unescaped(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|\w+);/gi, (_, name: string) => {
    if (!name.startsWith('#')) {
      const character = ENTITIES[name];
      if (character === undefined) throw damaged(`it has an entity '${name.slice(0, 20)}'`);
      return character;
    }
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
  });
}
