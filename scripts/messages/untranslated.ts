import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { ROOT } from '../settings.ts';
import { type Expression, piecesOf } from './literals.ts';

/**
 * `node scripts/messages/untranslated.ts`, part of `npm run lint`, finds texts that readers see but no catalogue has:
 * text in JSX, and attributes that are shown or read aloud. A name that is the same in every language is marked
 * `translate="no"` on its element.
 */

const FILES = 'web/**/*.tsx';
const SHOWN = new Set([
  'alt',
  'title',
  'label',
  'placeholder',
  'aria-label',
  'aria-description',
  'about',
  'line',
  'what',
]);
/** Words with at least two letters; shorter ones are signs, such as T4 or ×. */
const WORDS = /\p{L}{2}/u;

interface Untranslated {
  line: number;
  text: string;
}

/** Returns the texts of a file that no catalogue has. */
export function untranslatedIn(file: string, source: string): Untranslated[] {
  const found: Untranslated[] = [];
  const note = (start: number, texts: readonly string[]) => {
    for (const text of texts)
      if (WORDS.test(text)) found.push({ line: source.slice(0, start).split('\n').length, text: text.trim() });
  };
  new Visitor({
    JSXElement({ openingElement, children }) {
      const { attributes } = openingElement;
      const isName = attributes.some(
        (each) =>
          each.type === 'JSXAttribute' &&
          each.name.name === 'translate' &&
          each.value?.type === 'Literal' &&
          each.value.value === 'no',
      );
      if (!isName) for (const child of children) noteChild(child as Expression & { start: number });
    },
    JSXFragment({ children }) {
      for (const child of children) noteChild(child as Expression & { start: number });
    },
    JSXAttribute({ name, value, start }) {
      const key = name.type === 'JSXIdentifier' ? name.name : '';
      if (SHOWN.has(key)) note(start, piecesOf(value));
    },
  }).visit(parseSync(file, source).program);
  function noteChild(child: Expression & { start: number }) {
    if (child.type === 'JSXText') note(child.start, [String(child.value)]);
    else if (child.type === 'JSXExpressionContainer') note(child.start, piecesOf(child));
  }
  return found;
}

if (import.meta.main) {
  const within = process.argv[2] ?? '';
  let count = 0;
  for (const file of globSync(FILES, { cwd: ROOT }).sort()) {
    if (!file.startsWith(within)) continue;
    for (const { line, text } of untranslatedIn(file, readFileSync(join(ROOT, file), 'utf8'))) {
      count += 1;
      console.log(`${file}:${line}: ${text.replace(/\s+/g, ' ')}`);
    }
  }
  if (count > 0) console.error(`${count} texts are in no catalogue: write them as t('…') or <T of="…" />.`);
  process.exitCode = count > 0 ? 1 : 0;
}
