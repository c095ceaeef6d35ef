import { parseSync, Visitor } from 'oxc-parser';
import { choicesOf, type Expression, textsOf } from './literals.ts';

/** Tells messages on buttons, which say what to do, from titles and labels, which name something. */

interface Use {
  text: string;
  as: 'act' | 'name';
}

/** Attributes and properties with the text of a button, or with a name. */
const ACTS = new Set(['action']);
const NAMES = new Set(['title', 'heading']);
/** Elements whose content is the text of a button, or a name. */
const BUTTONS = new Set(['Button', 'ActButton']);
const HEADINGS = new Set(['dt', 'th', 'legend', 'h1', 'h2', 'h3']);

/** A single word. Sentences differ anyway. */
const WORD = /^\p{L}+$/u;

type Call = Expression & { callee?: { name?: string }; arguments?: readonly unknown[] };

/** Returns the words of calls such as `t('End')` that an expression may be. */
const wordsOf = (node: unknown): string[] =>
  choicesOf(node as Expression | null)
    .filter((call: Call) => call.type === 'CallExpression' && ['t', 'message'].includes(call.callee?.name ?? ''))
    .flatMap((call: Call) => textsOf(call.arguments?.[0]))
    .filter((text) => WORD.test(text));

/** Returns the one-word messages of a file that are a button's text or a name, in their order. */
export function usesIn(file: string, source: string): Use[] {
  const found: Use[] = [];
  const note = (node: unknown, as: Use['as']) => {
    for (const text of wordsOf(node)) found.push({ text, as });
  };
  new Visitor({
    JSXElement({ openingElement, children }) {
      const name = openingElement.name.type === 'JSXIdentifier' ? openingElement.name.name : '';
      const as = BUTTONS.has(name) ? 'act' : HEADINGS.has(name) ? 'name' : null;
      if (as) for (const child of children) note(child, as);
      for (const attribute of openingElement.attributes) {
        if (attribute.type !== 'JSXAttribute') continue;
        const key = String(attribute.name.name);
        // A field's label names it; the label of an act says what it does.
        if (ACTS.has(key) || (name === 'Act' && key === 'label')) note(attribute.value, 'act');
        else if (NAMES.has(key) || (key === 'label' && /(?:Field|Select)$/.test(name))) note(attribute.value, 'name');
      }
    },
    Property({ key, value }) {
      if (key.type === 'Identifier' && NAMES.has(key.name)) note(value, 'name');
    },
  }).visit(parseSync(file, source).program);
  return found;
}
