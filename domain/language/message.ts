/**
 * Parses messages in the syntax of ICU (https://unicode-org.github.io/icu/userguide/format_parse/messages): `{name}`,
 * `{count, plural, one {# scan} other {# scans}}`, `{game, select, cod {lord} other {governor}}`, and tags with content
 * such as `<faq>the FAQ</faq>`. Quoting, offsets and formats are not supported, because no message needs them.
 */

export type Part =
  | string
  | { kind: 'value'; name: string }
  | { kind: 'number' }
  | { kind: 'plural' | 'select'; name: string; cases: Readonly<Record<string, readonly Part[]>> }
  | { kind: 'tag'; name: string; content: readonly Part[] };

const NAME = /\w+/y;

class Parser {
  #at = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /**
   * Parses up to the end, a closing brace or a closing tag. `counting` is true inside a plural, whose number is `#`.
   */
  parts(counting: boolean): Part[] {
    const parts: Part[] = [];
    const stop = counting ? /[{}<#]/g : /[{}<]/g;
    while (this.#at < this.#text.length) {
      stop.lastIndex = this.#at;
      const found = stop.exec(this.#text)?.index ?? this.#text.length;
      if (found > this.#at) parts.push(this.#text.slice(this.#at, found));
      this.#at = found;
      const next = this.#text[found];
      if (next === undefined || next === '}' || this.#text.startsWith('</', found)) break;
      if (next === '#') {
        this.#at += 1;
        parts.push({ kind: 'number' });
      } else parts.push(next === '{' ? this.#argument(counting) : this.#tag(counting));
    }
    return parts;
  }

  isAtEnd(): boolean {
    return this.#at === this.#text.length;
  }

  fail(): never {
    throw new SyntaxError(`Message is malformed at ${this.#at}: ${this.#text}`);
  }

  #take(text: string): void {
    if (!this.#text.startsWith(text, this.#at)) this.fail();
    this.#at += text.length;
  }

  #skipSpace(): void {
    while (/\s/.test(this.#text[this.#at] ?? '')) this.#at += 1;
  }

  #name(): string {
    NAME.lastIndex = this.#at;
    const [name] = NAME.exec(this.#text) ?? this.fail();
    this.#at += name.length;
    return name;
  }

  #argument(counting: boolean): Part {
    this.#take('{');
    const name = this.#name();
    if (this.#text[this.#at] === '}') {
      this.#at += 1;
      return { kind: 'value', name };
    }
    this.#take(', ');
    const kind = this.#name();
    if (kind !== 'plural' && kind !== 'select') this.fail();
    this.#take(',');
    const cases: Record<string, Part[]> = Object.create(null);
    for (this.#skipSpace(); this.#text[this.#at] !== '}'; this.#skipSpace()) {
      const sign = this.#text[this.#at] === '=' ? '=' : '';
      this.#take(sign);
      const chosen = sign + this.#name();
      this.#skipSpace();
      this.#take('{');
      cases[chosen] = this.parts(counting || kind === 'plural');
      this.#take('}');
    }
    this.#take('}');
    if (!cases.other) this.fail();
    return { kind, name, cases };
  }

  #tag(counting: boolean): Part {
    this.#take('<');
    const name = this.#name();
    this.#take('>');
    const content = this.parts(counting);
    this.#take(`</${name}>`);
    return { kind: 'tag', name, content };
  }
}

/** @throws SyntaxError if the message is malformed. */
export function parseMessage(text: string): readonly Part[] {
  const parser = new Parser(text);
  const parts = parser.parts(false);
  if (!parser.isAtEnd()) parser.fail();
  return parts;
}
