import { t } from '../domain/language/text.ts';
import { detached } from '../domain/release.ts';
import { MAX_CELL, ScanFileRefused } from './limits.ts';
import { ATTRIBUTE_WORK, ENTITY_WORK, SCANNED_TAG_WORK } from './work.ts';

/** Receives what the scanner reads. Names come without their namespace prefix, which writers choose freely. */
export interface XmlHandlers {
  /** `attributes` is the source text of the attributes, for `attributeOf`. */
  open(name: string, attributes: string): void;
  close(name: string): void;
  /** A text may arrive in several pieces, each cut to the characters of a cell. */
  text(text: string): void;
}

/** Characters kept of an unfinished tag; tags of cells and relations have some hundred. */
const MAX_TAG = 65_536;
/** Characters of the longest entity, with leading zeros or a name of ten letters. */
const MAX_ENTITY = 12;
/** Characters read of an element's text before its next tag. A cell needs no more, even if each is an entity. */
const MAX_RUN = (MAX_CELL + 1) * MAX_ENTITY;
const COMMENT_END = '-->';
const DATA_END = ']]>';
const INSTRUCTION_END = '?>';
const SPACE = 0x20;
const SLASH = 0x2f;
const BANG = 0x21;
const QUESTION = 0x3f;
const COLON = 0x3a;
const BEGIN = 0x3c;
const END = 0x3e;
const DOUBLE = 0x22;
const SINGLE = 0x27;
const HASH = 0x23;
const AMPERSAND = 0x26;
const SEMICOLON = 0x3b;
const LETTER_X = 0x78;
/** The bit that makes an ASCII letter lower-case. */
const LOWER = 0x20;

const damaged = (what: string): ScanFileRefused => new ScanFileRefused(t('The workbook is damaged: {what}.', { what }));

/**
 * Reads the XML of workbooks in pieces and looks at each character once. It knows the five predefined entities and
 * numeric characters. A document type, which could declare or fetch others, is refused.
 */
export class XmlScanner {
  /** Work so far, in addition to that of the characters. */
  work = 0;
  readonly #handlers: XmlHandlers;
  #depth = 0;
  /** End mark of the current comment, section or instruction, or ''. */
  #until = '';
  /** The start of something that is not complete yet. */
  #rest = '';
  /** Where the search for the end of the tag in `#rest` continues, and the open quote there. */
  #searched = 0;
  #quote = 0;
  /** Characters of text since the last tag. */
  #run = 0;

  constructor(handlers: XmlHandlers) {
    this.#handlers = handlers;
  }

  /** True if nothing is incomplete: the next character begins a tag or a text. */
  get isBetween(): boolean {
    return this.#rest === '' && this.#until === '';
  }

  push(piece: string): void {
    const text = this.#rest === '' ? piece : this.#rest + piece;
    const { length } = text;
    let at = 0;
    this.#rest = '';
    while (at < length) {
      if (this.#until !== '') {
        at = this.#skip(text, at);
        if (this.#until !== '') break;
        continue;
      }
      if (text.charCodeAt(at) !== BEGIN) {
        const tag = text.indexOf('<', at);
        const stop = tag < 0 ? wholeText(text, at) : tag;
        if (stop > at) this.#text(text.slice(at, stop));
        at = stop;
        if (tag < 0) break;
      }
      const next = this.#tag(text, at);
      if (next < 0) return;
      at = next;
    }
    if (at < length) this.#rest = text.slice(at);
  }

  end(): void {
    if (this.#depth !== 0 || this.#until !== '' || this.#rest.trim() !== '') throw damaged(t('a part ends too early'));
  }

  /** Skips a comment, section or instruction. Returns where it ends, or where the search continues with more text. */
  #skip(text: string, at: number): number {
    const mark = this.#until;
    const end = text.indexOf(mark, at);
    // The mark itself may be split between pieces.
    const stop = end < 0 ? Math.max(at, text.length - mark.length + 1) : end;
    if (mark === DATA_END && stop > at) this.#handlers.text(detached(text.slice(at, Math.min(stop, at + MAX_CELL))));
    if (end < 0) return stop;
    this.#until = '';
    return end + mark.length;
  }

  #text(text: string): void {
    if (this.#depth > 0) {
      const left = MAX_RUN - this.#run;
      this.#run += text.length;
      if (left <= 0) return;
      const run = text.slice(0, left);
      if (run.includes('&')) this.work += run.length * ENTITY_WORK;
      this.#handlers.text(unescaped(run));
    } else if (text.trim() !== '') throw damaged(t('a text stands outside of its tags'));
  }

  /** Reads the tag at `at`. Returns where it ends, or -1 if it is incomplete. */
  #tag(text: string, at: number): number {
    const kind = text.charCodeAt(at + 1);
    if (kind === QUESTION) {
      this.#until = INSTRUCTION_END;
      return at + 2;
    }
    if (kind === BANG) return this.#special(text, at);
    const end = this.#endOfTag(text, at);
    if (end < 0) return -1;
    this.#run = 0;
    if (kind === SLASH) this.#close(localName(text, at + 2, end));
    else this.#open(text, at, end);
    return end + 1;
  }

  #special(text: string, at: number): number {
    // Nine characters are needed to tell a comment from a CDATA section and a document type.
    if (text.length - at < 9) {
      this.#rest = text.slice(at);
      return -1;
    }
    const isComment = text.startsWith('<!--', at);
    if (!isComment && !text.startsWith('<![CDATA[', at))
      throw new ScanFileRefused(t('The workbook declares entities, which no workbook needs.'));
    this.#until = isComment ? COMMENT_END : DATA_END;
    return at + (isComment ? 4 : 9);
  }

  /** Returns the position of the `>` that ends the tag, or -1. Within quotes it is an ordinary character. */
  #endOfTag(text: string, tag: number): number {
    let open = this.#quote;
    for (let at = tag + Math.max(1, this.#searched); at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (open !== 0) {
        if (code === open) open = 0;
      } else if (code === END) {
        this.#searched = 0;
        this.#quote = 0;
        return at;
      } else if (code === DOUBLE || code === SINGLE) open = code;
    }
    const rest = text.slice(tag);
    // A longer tag is cut: only its first attributes and its last character, which may close it, matter.
    this.#rest = rest.length > MAX_TAG ? rest.slice(0, MAX_TAG - 1) + rest.slice(-1) : rest;
    this.#searched = this.#rest.length;
    this.#quote = open;
    return -1;
  }

  #open(text: string, tag: number, end: number): void {
    const empty = text.charCodeAt(end - 1) === SLASH;
    let nameEnd = tag + 1;
    while (nameEnd < end && text.charCodeAt(nameEnd) > SPACE && text.charCodeAt(nameEnd) !== SLASH) nameEnd++;
    const name = localName(text, tag + 1, nameEnd);
    if (name === '') throw damaged(t('it has a tag without a name'));
    this.#depth++;
    const attributes = text.slice(nameEnd, Math.max(nameEnd, empty ? end - 1 : end));
    this.work += Math.max(SCANNED_TAG_WORK, attributes.length * ATTRIBUTE_WORK);
    this.#handlers.open(name, attributes);
    if (empty) this.#close(name);
  }

  #close(name: string): void {
    if (--this.#depth < 0) throw damaged(t('a tag is closed that was not opened'));
    this.#handlers.close(name);
  }
}

/** Returns where the text from `at` on can be cut without splitting an entity. */
function wholeText(text: string, at: number): number {
  const entity = text.lastIndexOf('&');
  const isCut = entity >= at && text.length - entity <= MAX_ENTITY && text.indexOf(';', entity) < 0;
  return isCut ? entity : text.length;
}

/** Returns the name between `from` and `to` without prefix and trailing spaces. */
function localName(text: string, from: number, to: number): string {
  let [start, end] = [from, to];
  while (end > start && text.charCodeAt(end - 1) <= SPACE) end--;
  for (let at = start; at < end; at++)
    if (text.charCodeAt(at) === COLON) {
      start = at + 1;
      break;
    }
  return text.slice(start, end);
}

/** The attributes that readers need. A name that begins with ':' matches any prefix. */
const ATTRIBUTES = [
  ...['r', 't', 'Id', 'Target', ':id', 'name', 'state', 'date1904'],
  ...[':name', ':display', ':style-name', ':number-columns-repeated', ':number-rows-repeated'],
  ...[':value-type', ':value', ':string-value', ':date-value', ':boolean-value'],
] as const;
type Attribute = (typeof ATTRIBUTES)[number];

/** Attributes → their patterns, with the value in one of two groups. */
const PATTERNS = Object.fromEntries(
  ATTRIBUTES.map((name) => [
    name,
    new RegExp(String.raw`${name.startsWith(':') ? '' : String.raw`\s`}${name}\s*=\s*(?:"([^"]*)"|'([^']*)')`),
  ]),
) as Record<Attribute, RegExp>;

/** Returns an attribute's value from a tag's source, cut to the characters of a cell, or null. */
export function attributeOf(attributes: string, name: Attribute): string | null {
  const found = PATTERNS[name].exec(attributes);
  return found && unescaped(found[1] ?? found[2] ?? '');
}

const ENTITIES = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

/**
 * Replaces entities, and cuts the text to the characters of a cell. Throws if an entity is unknown; what only resembles
 * an entity stays as it is.
 */
function unescaped(text: string): string {
  let out = '';
  let copied = 0;
  const first = text.indexOf('&');
  for (let at = first < 0 ? text.length : first; at < text.length && out.length + at - copied < MAX_CELL; at++) {
    if (text.charCodeAt(at) !== AMPERSAND) continue;
    const end = endOfEntity(text, at + 1);
    if (end < 0) continue;
    const character = text.charCodeAt(at + 1) === HASH ? numbered(text, at + 2, end) : named(text.slice(at + 1, end));
    if (character === null) continue;
    out += text.slice(copied, at) + character;
    copied = end + 1;
    at = end;
  }
  return detached((out + text.slice(copied)).slice(0, MAX_CELL));
}

/** Returns the position of the `;` that ends the entity whose name begins at `from`, or -1. */
function endOfEntity(text: string, from: number): number {
  const limit = Math.min(text.length, from + MAX_ENTITY - 1);
  for (let at = from; at < limit; at++) {
    const code = text.charCodeAt(at);
    if (code === SEMICOLON) return at;
    if (code === AMPERSAND) return -1;
  }
  return -1;
}

function named(name: string): string | null {
  const character = ENTITIES.get(name);
  if (character === undefined && /^\w+$/.test(name)) throw damaged(t("it has an entity '{name}'", { name }));
  return character ?? null;
}

/** Returns the character with the decimal or, after an x, hexadecimal number, or null if it is no number. */
function numbered(text: string, from: number, to: number): string | null {
  const isHex = (text.charCodeAt(from) | LOWER) === LETTER_X;
  const base = isHex ? 16 : 10;
  const first = isHex ? from + 1 : from;
  if (first === to) return null;
  let code = 0;
  for (let at = first; at < to; at++) {
    const digit = digitAt(text, at);
    if (digit >= base) return null;
    code = code * base + digit;
  }
  return code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
}

/** Returns the value of a hexadecimal digit, or Infinity for another character. */
function digitAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | LOWER;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : Infinity;
}
