import { createHash } from 'node:crypto';
import { parseSync } from 'oxc-parser';
import { sqlChangesOf } from './sql-mutants.ts';

/** One small change of one file that a test should notice. */
export interface Mutant {
  /** From the clone's top. */
  file: string;
  /** Half-open range of the text (UTF-16 units) that gives way to `replacement`. */
  start: number;
  end: number;
  replacement: string;
  /** What was done, in words for the report. */
  operator: string;
  /** From 1. */
  line: number;
  /** The innermost function around it, counted from 1 in the order of the text; 0 at the top of the file. */
  within: number;
  /** That function as coverage knows it. */
  key: string;
}

/** A function, and where its body stands. */
export interface Body {
  /** By which coverage knows it: its file and its text, so that it stays as long as nobody touches the function. */
  key: string;
  /** From 1, in the order of the text. */
  ordinal: number;
  /** Where the body's text begins and ends. */
  body: [number, number];
  /** A body of one expression has no braces to write a statement into. */
  isExpression: boolean;
}

export interface SyntaxNode {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}

type Change = Pick<Mutant, 'start' | 'end' | 'replacement' | 'operator'>;

const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';

export const childrenOf = (node: SyntaxNode): SyntaxNode[] =>
  Object.values(node).flatMap((value) => (Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : []));

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

const SWAPPED: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
};

/** Calls without which a value stays as it came: a name as typed, a list unsorted, unfiltered, uncut. */
const SHAPING = new Set([
  ...['toLowerCase', 'toUpperCase', 'trim', 'normalize', 'toWellFormed', 'sort', 'toSorted', 'reverse', 'toReversed'],
  ...['filter', 'slice', 'where', 'orderBy', 'limit', 'catch', 'onConflictDoNothing'],
]);

/** Conditions of a query in Drizzle's words. */
const JOINING = new Set(['and', 'or']);

/** A text's quotes stand around the query. */
const sqlChanges = (text: string, node: SyntaxNode): Change[] =>
  sqlChangesOf(text.slice(node.start + 1, node.end - 1)).map(({ start, end, ...change }) => ({
    ...change,
    start: node.start + 1 + start,
    end: node.start + 1 + end,
  }));

/** A call by its own name or its method's. */
const calledName = (node: SyntaxNode): string => {
  const callee = node.callee as SyntaxNode;
  if (callee.type === 'Identifier') return String(callee.name);
  return callee.type === 'MemberExpression' ? String((callee.property as SyntaxNode).name ?? '') : '';
};

const isLogged = ({ callee }: SyntaxNode): boolean =>
  isNode(callee) && isNode(callee.object) && callee.object.name === 'console';

function callChanges(text: string, node: SyntaxNode): Change[] {
  const callee = node.callee as SyntaxNode;
  const name = calledName(node);
  const whole = { start: node.start, end: node.end };
  if (callee.type === 'Identifier' && JOINING.has(name)) {
    const parts = node.arguments as SyntaxNode[];
    return parts.map((part) => ({
      start: part.start,
      end: part.end,
      replacement: 'undefined',
      operator: `query condition dropped`,
    }));
  }
  if (callee.type !== 'MemberExpression') return [];
  const object = callee.object as SyntaxNode;
  if (name === 'limit' && (node.arguments as SyntaxNode[]).some((child) => isFirstOnly(node, child))) return [];
  if (SHAPING.has(name)) {
    const dropped = { ...whole, replacement: text.slice(object.start, object.end), operator: `.${name}() dropped` };
    const [before, last] = (node.arguments as SyntaxNode[]).slice(-2);
    if (name !== 'orderBy' || !before || !last) return [dropped];
    return [dropped, { start: before.end, end: last.end, replacement: '', operator: 'tie dropped' }];
  }
  if (object.type === 'Identifier' && object.name === 'Math' && (name === 'min' || name === 'max')) {
    const property = callee.property as SyntaxNode;
    const other = name === 'min' ? 'max' : 'min';
    return [{ start: property.start, end: property.end, replacement: other, operator: `${name} for ${other}` }];
  }
  return [];
}

function binaryChanges(text: string, node: SyntaxNode): Change[] {
  const [left, right] = [node.left as SyntaxNode, node.right as SyntaxNode];
  if (node.type === 'LogicalExpression') {
    // `found ?? null`: undefined is as good.
    const isNull = node.operator === '??' && right.type === 'Literal' && right.value === null;
    return (isNull ? [right] : [left, right]).map((side) => ({
      start: node.start,
      end: node.end,
      replacement: text.slice(side.start, side.end),
      operator: `${String(node.operator)} ${side === left ? 'right' : 'left'} side dropped`,
    }));
  }
  const operator = String(node.operator);
  const other = SWAPPED[operator];
  if (!other || [left, right].some(({ type }) => type === 'TemplateLiteral')) return [];
  const gap = text.slice(left.end, right.start);
  const start = left.end + gap.indexOf(operator);
  return [{ start, end: start + operator.length, replacement: other, operator: `${operator} for ${other}` }];
}

/** `throw new Error(…)`: what cannot be, and no answer to a caller. */
function isImpossible(node: SyntaxNode | undefined): boolean {
  if (node?.type !== 'ThrowStatement') return false;
  const { type, callee } = node.argument as SyntaxNode;
  return type === 'NewExpression' && (callee as SyntaxNode).name === 'Error';
}

function statementChanges(node: SyntaxNode): Change[] {
  const whole = { start: node.start, end: node.end };
  if (isImpossible(node)) return [];
  if (node.type === 'IfStatement') {
    if (isImpossible(node.consequent as SyntaxNode)) return [];
    const test = node.test as SyntaxNode;
    return ['true', 'false'].map((fixed) => ({
      start: test.start,
      end: test.end,
      replacement: fixed,
      operator: `condition always ${fixed}`,
    }));
  }
  if (node.type === 'TryStatement' && isNode(node.handler)) {
    const { body } = node.handler as unknown as { body: SyntaxNode };
    return [
      {
        start: body.start + 1,
        end: body.start + 1,
        replacement: 'throw new Error("not caught");',
        operator: 'catch dropped',
      },
    ];
  }
  const { expression } = node as unknown as { expression?: SyntaxNode };
  const inner = expression?.type === 'AwaitExpression' ? (expression.argument as SyntaxNode) : expression;
  if (inner && isLogged(inner)) return [];
  if (node.type === 'ThrowStatement' || (node.type === 'ExpressionStatement' && inner?.type === 'CallExpression')) {
    return [{ ...whole, replacement: ';', operator: 'statement dropped' }];
  }
  return [];
}

/** From here on one more or less is nobody's matter, twice as much is. */
const LARGE = 1000;
/** Bytes of memory that something may take: a guess, which no answer tells of. */
const KIBI = 1024;

const numberChanges = (value: number, whole: Pick<Change, 'start' | 'end'>): Change[] =>
  value === KIBI
    ? []
    : value < LARGE
      ? [{ ...whole, replacement: `(${value + 1})`, operator: 'number by one' }]
      : [{ ...whole, replacement: `(${2 * value})`, operator: 'number doubled' }];

function changesOf(text: string, node: SyntaxNode): Change[] {
  const whole = { start: node.start, end: node.end };
  switch (node.type) {
    case 'AwaitExpression': {
      const argument = node.argument as SyntaxNode;
      return [{ ...whole, replacement: `(${text.slice(argument.start, argument.end)})`, operator: 'await dropped' }];
    }
    case 'LogicalExpression':
    case 'BinaryExpression':
      return binaryChanges(text, node);
    case 'UnaryExpression': {
      const argument = node.argument as SyntaxNode;
      return node.operator === '!'
        ? [{ ...whole, replacement: `!!${text.slice(argument.start, argument.end)}`, operator: '! dropped' }]
        : [];
    }
    case 'Literal':
      if (typeof node.value === 'number') return numberChanges(node.value, whole);
      if (typeof node.value === 'string') return sqlChanges(text, node);
      return typeof node.value === 'boolean'
        ? [{ ...whole, replacement: String(!node.value), operator: 'true for false' }]
        : [];
    case 'TemplateLiteral':
      return sqlChanges(text, node);
    case 'CallExpression':
      return callChanges(text, node);
    default:
      return statementChanges(node);
  }
}

/** Parses a TypeScript file; throws where it does not parse. */
export function treeOf(file: string, text: string): SyntaxNode {
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  return program as unknown as SyntaxNode;
}

export const isType = ({ type }: SyntaxNode): boolean =>
  type.startsWith('TS') && !/^TS(As|Satisfies|NonNull)/.test(type);

/** `.limit(1)`: whoever takes the first of the rows may ask for more. */
const isFirstOnly = (node: SyntaxNode, child: SyntaxNode): boolean =>
  child.value === 1 && node.type === 'CallExpression' && calledName(node) === 'limit';

/** `36 * 1024 * 1024`, and what stands in it. */
const isFactorOfBytes = (node: SyntaxNode, child: SyntaxNode): boolean =>
  node.type === 'BinaryExpression' &&
  node.operator === '*' &&
  [node.right, (node.left as SyntaxNode).right].some((side) => (side as SyntaxNode | undefined)?.value === KIBI) &&
  child.type !== 'CallExpression';

/** All mutants of a file, in the order of its text. */
export function mutantsOf(file: string, text: string): Mutant[] {
  const found: Mutant[] = [];
  const keys = new Map(bodiesOf(file, text).map(({ ordinal, key }) => [ordinal, key]));
  let functions = 0;
  const visit = (node: SyntaxNode, within: number): void => {
    // Types do nothing, imports nothing that a type check would not see, and a key of an object is no number.
    if (isType(node) || node.type === 'ImportDeclaration') return;
    const inside = FUNCTIONS.has(node.type) ? ++functions : within;
    for (const change of changesOf(text, node)) {
      const line = text.slice(0, change.start).split('\n').length;
      found.push({ ...change, file, line, within: inside, key: keys.get(inside) ?? topOf(file) });
    }
    for (const child of childrenOf(node)) {
      if (node.type === 'Property' && child === node.key) continue;
      if (isFactorOfBytes(node, child) || isFirstOnly(node, child)) continue;
      visit(child, inside);
    }
  };
  visit(treeOf(file, text), 0);
  return found.sort((one, other) => one.start - other.start || one.end - other.end);
}

/** A mutant told by the text that gives way; throws where that is not in the file once. */
export function ownMutant(file: string, text: string, was: string, replacement: string): Mutant {
  const start = text.indexOf(was);
  if (start < 0 || text.includes(was, start + 1)) throw new Error(`${file}: not there once: ${was}`);
  const around = bodiesOf(file, text).filter(({ body: [from, to] }) => from <= start && start < to);
  const within = around.at(-1)?.ordinal ?? 0;
  const key = around.at(-1)?.key ?? topOf(file);
  const line = text.slice(0, start).split('\n').length;
  return { file, start, end: start + was.length, replacement, operator: 'own', line, within, key };
}

/** What a file does when it is read, as coverage knows it. */
export const topOf = (file: string): string => `${file}#`;

/** The functions of a file, for coverage. */
export function bodiesOf(file: string, text: string): Body[] {
  const found: Body[] = [];
  const alike = new Map<string, number>();
  const keyOf = ({ start, end }: SyntaxNode): string => {
    const digest = createHash('sha1').update(text.slice(start, end)).digest('hex').slice(0, 12);
    const before = alike.get(digest) ?? 0;
    alike.set(digest, before + 1);
    return `${topOf(file)}${digest}${before > 0 ? `.${before}` : ''}`;
  };
  let functions = 0;
  const visit = (node: SyntaxNode): void => {
    if (isType(node) || node.type === 'ImportDeclaration') return;
    if (FUNCTIONS.has(node.type)) functions++;
    if (FUNCTIONS.has(node.type) && isNode(node.body)) {
      found.push({
        key: keyOf(node),
        ordinal: functions,
        body: [node.body.start, node.body.end],
        isExpression: node.body.type !== 'BlockStatement',
      });
    }
    for (const child of childrenOf(node)) {
      if (node.type === 'Property' && child === node.key) continue;
      visit(child);
    }
  };
  visit(treeOf(file, text));
  return found;
}
