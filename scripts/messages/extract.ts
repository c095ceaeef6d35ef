import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { capital } from '../../domain/figures.ts';
import { countMessage } from '../../domain/language/text.ts';
import { flawSentence } from '../../domain/service/flaws.ts';
import { noSuch } from '../../domain/service/refusals.ts';
import { ROOT } from '../settings.ts';
import { textOf, textsOf } from './literals.ts';

/**
 * Finds the messages of the source: `t('…')`, `message('…')`, `<T of="…">` (or a choice of them), counts with their
 * nouns (`counted(n, 'scan')`), nouns (`{ one: 'lord', many: 'lords' }`), and sentences of refusals (`new
 * Refusal('conflict', '…')`, `refusedFor(60, '…')`, `notFound('order')`, `sentence('…', { … })`) and of schemas
 * (`z.string().min(1, 'is missing')`), with their notes for translators.
 */

export interface Found {
  /** Files with the message, sorted. */
  files: string[];
  /** Notes for translators. */
  notes: string[];
}

const SOURCES = '{domain,scan-files,worker,durable-objects,web}/**/*.{ts,tsx}';
const CALLS = new Set(['t', 'message', 'sentence']);
/** Checks of zod whose last argument may say what is wrong. */
const CHECKS = new Set([
  ...['min', 'max', 'int', 'positive', 'regex', 'refine', 'literal', 'enum', 'union', 'uuid', 'email', 'date'],
  ...['number', 'string', 'boolean'],
]);
const NOTE = /^\s*For translators: ([\s\S]+)$/;

/** Returns the fixed sentences of a call that makes a refusal (worker/errors.ts). */
const refusalsOf = (name: string, [first, second]: readonly unknown[]): string[] => {
  if (name === 'Refusal' || name === 'refusedFor') return textsOf(second);
  return name === 'notFound' ? textsOf(first).map(noSuch) : [];
};

/** Returns what a check says if it fails, unless it is made of a message with values. */
const flawsIn = (given: readonly unknown[]): string[] =>
  given
    .map((each) => textOf(each))
    .filter((text) => text?.includes(' '))
    .map((text) => flawSentence(text as string))
    .flatMap(({ message, values }) => (values ? [] : [message]));

/** Returns the messages of one file, each with its note or null. */
export function messagesIn(file: string, source: string): [message: string, note: string | null][] {
  const { program, comments } = parseSync(file, source);
  const notes = comments.flatMap(({ value, start, end }) => {
    const [, note] = NOTE.exec(value) ?? [];
    return note ? [{ note: note.trim(), start, end }] : [];
  });
  const noteBefore = (at: number) => {
    const near = notes.findLast(({ end }) => end <= at && source.slice(end, at).split('\n').length <= 3);
    return near?.note ?? null;
  };
  const found: [string, string | null][] = [];
  const usesZod = /from 'zod'/.test(source);
  new Visitor({
    CallExpression({ callee, arguments: [first, second, third], start }) {
      if (callee.type === 'MemberExpression') {
        const name = callee.property.type === 'Identifier' ? callee.property.name : '';
        if (usesZod && CHECKS.has(name)) for (const text of flawsIn([first, second])) found.push([text, null]);
        return;
      }
      if (callee.type !== 'Identifier') return;
      for (const sentence of refusalsOf(callee.name, [first, second])) found.push([sentence, null]);
      const one = callee.name === 'counted' ? textOf(second) : null;
      if (one !== null) found.push([countMessage(one, textOf(third) ?? `${one}s`), null]);
      if (!CALLS.has(callee.name)) return;
      const texts = textsOf(first);
      for (const text of texts) found.push([text, noteBefore(start)]);
      if (texts.length === 0 && callee.name === 'message')
        throw new Error(`${file}: message(…) takes one literal text.`);
    },
    NewExpression({ callee, arguments: given }) {
      if (callee.type === 'Identifier')
        for (const sentence of refusalsOf(callee.name, given)) found.push([sentence, null]);
    },
    ObjectExpression({ properties }) {
      const texts = new Map(
        properties.flatMap((each) =>
          each.type === 'Property' && each.key.type === 'Identifier' ? [[each.key.name, textOf(each.value)]] : [],
        ),
      );
      const [one, many] = [texts.get('one'), texts.get('many')];
      if (!one || !many) return;
      for (const text of new Set([countMessage(one, many), one, many, capital(one), capital(many)]))
        found.push([text, null]);
    },
    JSXOpeningElement({ name, attributes, start }) {
      if (name.type !== 'JSXIdentifier' || name.name !== 'T') return;
      for (const attribute of attributes) {
        if (attribute.type !== 'JSXAttribute' || attribute.name.name !== 'of') continue;
        for (const text of textsOf(attribute.value)) found.push([text, noteBefore(start)]);
      }
    },
  }).visit(program);
  return found;
}

/** Returns all messages of the source. */
export function extractMessages(): Map<string, Found> {
  const all = new Map<string, Found>();
  for (const file of globSync(SOURCES, { cwd: ROOT }).sort()) {
    const source = readFileSync(join(ROOT, file), 'utf8');
    if (!/\b(t|message|sentence|counted|Refusal|refusedFor|notFound)\(|<T\b|\bmany: '|from 'zod'/.test(source))
      continue;
    for (const [text, note] of messagesIn(file, source)) {
      const known = all.get(text) ?? { files: [], notes: [] };
      all.set(text, known);
      if (!known.files.includes(file)) known.files.push(file);
      if (note && !known.notes.includes(note)) known.notes.push(note);
    }
  }
  return all;
}
