import { globSync, readFileSync } from 'node:fs';
import { parseSync, Visitor } from 'oxc-parser';
import { expect, test } from 'vitest';
import { flawSentence } from '../domain/service/flaws.ts';

/** Every sentence of a refusal is a message of the catalogues, so that it can be said in each language. */

interface Node {
  type: string;
  start: number;
  end: number;
  name?: string;
  value?: unknown;
  operator?: string;
  callee?: Node;
  expressions?: readonly unknown[];
  [key: string]: unknown;
}

/** Returns the parts of an expression that end up in the sentence. */
function saidIn(node: Node): Node[] {
  if (node.type === 'ConditionalExpression')
    return [node.consequent, node.alternate].flatMap((each) => saidIn(each as Node));
  if (node.type === 'LogicalExpression') return [node.left, node.right].flatMap((each) => saidIn(each as Node));
  if (node.type === 'ObjectExpression')
    return (node.properties as Node[])
      .filter(({ key }) => (key as Node | undefined)?.name === 'message')
      .flatMap(({ value }) => saidIn(value as Node));
  return [node];
}

/** Returns the names of constants that are plain sentences, not `message(…)`. */
function plainIn(file: string, source: string): string[] {
  const plain: string[] = [];
  new Visitor({
    VariableDeclarator({ id, init }) {
      const isText = init?.type === 'Literal' ? / /.test(String(init.value)) : init?.type === 'TemplateLiteral';
      if (id.type === 'Identifier' && isText && /^[A-Z_]+$/.test(id.name)) plain.push(id.name);
    },
  }).visit(parseSync(file, source).program);
  return plain;
}

/** Returns texts of refusals in a file that no catalogue has. `plain` are names of constants without one. */
function unsayableIn(file: string, source: string, plain: ReadonlySet<string>): string[] {
  const found: string[] = [];
  const check = (said: Node | undefined) => {
    for (const node of said ? saidIn(said) : []) {
      const isMade = node.type === 'TemplateLiteral' && (node.expressions?.length ?? 0) > 0;
      const isJoined = node.type === 'BinaryExpression' && node.operator === '+';
      const isPlain = node.type === 'Identifier' && plain.has(node.name ?? '');
      if (isMade || isJoined || isPlain) found.push(`${file}: ${source.slice(node.start, node.end)}`);
    }
  };
  new Visitor({
    NewExpression({ callee, arguments: [, said] }) {
      if (callee.type === 'Identifier' && callee.name === 'Refusal') check(said as unknown as Node);
    },
    CallExpression({ callee, arguments: [, said] }) {
      if (callee.type === 'Identifier' && callee.name === 'refusedFor') check(said as unknown as Node);
    },
  }).visit(parseSync(file, source).program);
  return found;
}

test('no refusal has a text outside of the catalogues', () => {
  const sources = globSync('{domain,worker,durable-objects}/**/*.ts').map((file) => ({
    file,
    source: readFileSync(file, 'utf8'),
  }));
  expect(sources.length).toBeGreaterThan(500);
  const plain = new Set(sources.flatMap(({ file, source }) => plainIn(file, source)));
  expect(sources.flatMap(({ file, source }) => unsayableIn(file, source, plain))).toEqual([]);
  const bent = `
    const GONE = 'It is gone.';
    const HERE = message('It is here.');
    throw new Refusal('conflict', \`There are \${many}.\`);
    throw new Refusal('conflict', open ? GONE : HERE);
    throw refusedFor(60, { at: 'x', message: 'one ' + two });
    throw new Refusal('conflict', sentence('There are {many}.', { many }));`;
  expect(unsayableIn('a.ts', bent, new Set(plainIn('a.ts', bent)))).toEqual([
    expect.stringContaining('There are'),
    'a.ts: GONE',
    "a.ts: 'one ' + two",
  ]);
});

/** Returns sentences that the routes in a file answer and that no catalogue has. */
function unsaidAnswersIn(file: string, source: string): string[] {
  const found: string[] = [];
  new Visitor({
    Property({ key, value }) {
      if (key.type !== 'Identifier' || !/^(message|msg)$/.test(key.name)) return;
      for (const node of saidIn(value as unknown as Node)) {
        const text = source.slice(node.start, node.end);
        if (/Literal$/.test(node.type) && / /.test(text)) found.push(`${file}: ${text}`);
      }
    },
  }).visit(parseSync(file, source).program);
  return found;
}

/** Only in a copy without a mail service. */
const LOCAL = "'A local copy only logs messages.'";

test('no route answers a sentence outside of the catalogues', () => {
  const found = globSync('worker/routes/**/*.ts').flatMap((file) => unsaidAnswersIn(file, readFileSync(file, 'utf8')));
  expect(found.filter((text) => !text.endsWith(LOCAL))).toEqual([]);
  const bent = `
    answer(context, { message: 'It was done.' });
    answer(context, { msg: sent ? t('Sent.') : \`Sent to \${name}.\` });
    answer(context, { message: t('It was done.') });`;
  expect(unsaidAnswersIn('a.ts', bent)).toEqual(["a.ts: 'It was done.'", expect.stringContaining('Sent to')]);
});

/** A reason that SQL writes into an item or a subtask as it is. */
const WRITTEN_REASON = /\berror = (?:coalesce\(error, |[^,']*)'[A-Z][^']* [^']*'/g;

test('no reason of an item without rows is outside of the catalogues', () => {
  const found = globSync(['worker/models/{fleet,orders}/*.ts', 'durable-objects/*.ts']).flatMap(
    (file) => readFileSync(file, 'utf8').match(WRITTEN_REASON) ?? [],
  );
  expect(found).toEqual([]);
  expect("SET error = 'Nobody came.', ended_at = 1".match(WRITTEN_REASON)).not.toBeNull();
  expect("error = coalesce(error, 'Nobody came.')".match(WRITTEN_REASON)).not.toBeNull();
});

/** Properties that have English text for people. */
const ENGLISH = /^(display|reason|help|description)$/;

/** Returns values of sentences that would be English inside a translated one. */
function englishValuesIn(file: string, source: string): string[] {
  const found: string[] = [];
  const { program } = parseSync(file, source);
  new Visitor({
    CallExpression(node) {
      const { callee, arguments: given } = node as unknown as Node & { arguments: Node[] };
      const [, values] = given;
      if (!/^(sentence|t)$/.test(callee?.name ?? '') || values?.type !== 'ObjectExpression') return;
      for (const { value } of values.properties as { value?: Node }[]) {
        const quasis = (value?.quasis ?? []) as { value: { raw: string } }[];
        const isText = quasis.some(({ value: { raw } }) => /[a-z]{3}/i.test(raw));
        const property = value?.type === 'MemberExpression' ? ((value.property as Node).name ?? '') : '';
        if (value && (isText || ENGLISH.test(property))) found.push(`${file}: ${source.slice(value.start, value.end)}`);
      }
    },
  }).visit(program);
  return found;
}

test('no value of a sentence is English text', () => {
  const files = globSync('{domain,worker,durable-objects,web}/**/*.{ts,tsx}');
  expect(files.flatMap((file) => englishValuesIn(file, readFileSync(file, 'utf8')))).toEqual([]);
  const bent = `
    sentence('{field} is wrong.', { field: field.display });
    t('Nothing was changed. {why}', { why: \`line \${line}\` });
    sentence('{field} is wrong.', { field: { message: field.display }, name: team.name });`;
  expect(englishValuesIn('a.ts', bent)).toEqual(['a.ts: field.display', `a.ts: \`line \${line}\``]);
});

/** Returns sentences about a scan file that are in no catalogue. */
function unsaidIn(file: string, source: string): string[] {
  const said = new Set<number>();
  const sentences: Node[] = [];
  const look = (node: Node, text: string) => {
    if (/[a-z'’}] [a-z'’$].*[.?]$/.test(text)) sentences.push(node);
  };
  new Visitor({
    CallExpression(node) {
      const { callee, arguments: given } = node as unknown as Node & { arguments: Node[] };
      const [first] = given;
      if (first && /^(t|message|sentence)$/.test(callee?.name ?? '')) said.add(first.start);
      if (first && callee?.name === 'damaged' && /Literal$/.test(first.type)) sentences.push(first);
    },
    Literal(node) {
      look(node as unknown as Node, String(node.value));
    },
    TemplateLiteral(node) {
      look(node as unknown as Node, source.slice(node.start + 1, node.end - 1));
    },
  }).visit(parseSync(file, source).program);
  return sentences
    .filter(({ start }) => !said.has(start))
    .map(({ start, end }) => `${file}: ${source.slice(start, end)}`);
}

test('no sentence about a scan file is outside of the catalogues', () => {
  const reading = ['reading', 'line-sentences', 'repeats', 'dialect'].map((name) => `domain/scans/${name}.ts`);
  const files = [...globSync('scan-files/*.ts'), ...reading];
  expect(files.flatMap((file) => unsaidIn(file, readFileSync(file, 'utf8')))).toEqual([]);
  const bent = `
    throw new ScanFileRefused('The file is empty.');
    throw damaged('a part is missing');
    throw damaged(t('a part is missing'));
    drop(line, t('This line is left out.'));
    drop(line, \`Line \${line} is left out.\`);`;
  expect(unsaidIn('a.ts', bent)).toEqual([
    "a.ts: 'The file is empty.'",
    "a.ts: 'a part is missing'",
    expect.stringContaining('is left out.'),
  ]);
});

test('every call of pages but public reads names the page’s language', () => {
  // Public reads ask again (test/web/answers.test.ts); the others are the API’s documents.
  const others = ['client.ts', 'openapi.ts', 'try-call.ts'];
  const calling = globSync('web/api/*.ts').filter((file) => /[^.\w]fetch\(|\bhc</.test(readFileSync(file, 'utf8')));
  expect(calling.length).toBeGreaterThan(5);
  const silent = calling.filter((file) => !/languageHeader\(\)|callHeaders\b/.test(readFileSync(file, 'utf8')));
  expect(silent.filter((file) => !others.some((name) => file.endsWith(`/${name}`)))).toEqual([]);
});

test('what a schema says is taken apart into a message and its values', () => {
  expect(flawSentence('must be one of a, b')).toEqual({
    message: 'must be one of {options}.',
    values: { options: 'a, b' },
  });
  expect(flawSentence('must have 1,200 entries at most.')).toEqual({
    message: 'must have {count} entries at most.',
    values: { count: 1200 },
  });
  expect(flawSentence('must be from -1,000 to 1,000')).toEqual({
    message: 'must be from {from} to {to}.',
    values: { from: -1000, to: 1000 },
  });
  expect(flawSentence('must be -1 for all rows, or more')).toEqual({ message: 'must be -1 for all rows, or more.' });
  expect(flawSentence('is missing')).toEqual({ message: 'is missing.' });
});
