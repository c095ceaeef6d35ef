import { parseSync, Visitor } from 'oxc-parser';
import { type Expression, piecesOf } from './literals.ts';

/**
 * Finds texts that are put together outside of a message: punctuation beside a message, lists with English commas, and
 * values behind a message. Chinese ends a sentence with another sign, French has a space in front of a colon, and
 * Japanese writes 'as of' behind the day. `labelled` and `listed` (domain/language/text.ts) join what is no sentence.
 */

/** Calls that return a text in the reader's language. */
const SAID = /\b(?:t|words|say|counted|listed|labelled|usd|money|exact|percentage|date|compact)\(/;
const SIGN = /[.,:;!()%]/;
/** Signs of a sentence in a template. Signs without a space are of an address or a time. */
const SENTENCE_SIGN = /^[.,:;!)](?:\s|$)|(?:^|\s)\($|[.,:;]\s$/;
const LETTER = /\p{L}/u;
/** The end of a literal that is a whole sentence. */
const SENTENCE_END = /[.!?]['"]/;
/** Elements that show a value. */
const VALUE = /^(?:Time|Moments|PlayerName|Figure|Short|bdi|b|strong|\w*Link)$/;

interface Joined {
  line: number;
  text: string;
}

interface Node {
  type: string;
  start: number;
  end: number;
  value?: unknown;
  expression?: Expression & { callee?: { name?: string }; arguments?: readonly unknown[] };
  openingElement?: { name: { name?: unknown }; attributes: readonly unknown[] };
}

const nameOf = ({ openingElement }: Node): string => String(openingElement?.name.name ?? '');

/** Returns whether a child of an element is a message. */
function isMessage(node: Node): boolean {
  if (nameOf(node) === 'T') return true;
  return node.type === 'JSXExpressionContainer' && node.expression?.callee?.name === 't';
}

const isBlank = (node: Node): boolean =>
  node.type === 'JSXText'
    ? String(node.value).trim() === ''
    : node.expression?.type === 'Literal' && String(node.expression.value).trim() === '';

/** Returns the places of a file where a text is put together outside of a message. */
export function joinedIn(file: string, source: string): Joined[] {
  const found: Joined[] = [];
  const note = ({ start, end }: { start: number; end: number }) =>
    found.push({
      line: source.slice(0, start).split('\n').length,
      text: source.slice(start, end).trim().replace(/\s+/g, ' '),
    });
  const isValue = (node: Node) =>
    VALUE.test(nameOf(node)) && !/\bbuttonClass\(/.test(source.slice(node.start, node.end));
  const noteChildren = (children: readonly unknown[]) => {
    const shown = (children as readonly Node[]).filter((child) => !isBlank(child));
    for (const [index, child] of shown.entries()) {
      const texts = child.type === 'JSXText' ? [String(child.value)] : piecesOf(child);
      if (shown.length > 1 && texts.some((text) => SIGN.test(text) && !LETTER.test(text))) note(child);
      const next = shown[index + 1];
      if (next && isMessage(child) && isValue(next) && !SENTENCE_END.test(source.slice(child.start, child.end)))
        note({ start: child.start, end: next.end });
    }
  };
  new Visitor({
    JSXElement({ openingElement, children }) {
      const { attributes } = openingElement;
      const isName = attributes.some((each) => each.type === 'JSXAttribute' && each.name.name === 'translate');
      if (!isName) noteChildren(children);
    },
    JSXFragment({ children }) {
      noteChildren(children);
    },
    TemplateLiteral({ quasis, expressions, start, end }) {
      const isSaid = expressions.some((each) => SAID.test(source.slice(each.start, each.end)));
      if (isSaid && quasis.some(({ value }) => SENTENCE_SIGN.test(value.cooked ?? ''))) note({ start, end });
    },
    CallExpression({ callee, arguments: [first], end }) {
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return;
      const isJoin = callee.property.name === 'join' && first?.type === 'Literal';
      if (isJoin && /^[,;]\s$/.test(String(first.value))) note({ start: callee.property.start, end });
    },
  }).visit(parseSync(file, source).program);
  return found;
}
