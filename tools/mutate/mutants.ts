import { createHash } from 'node:crypto';
import { parseSync } from 'oxc-parser';
import { sqlChangesOf } from './sql-mutants.ts';

/** One small change of one file that a test should notice. */
export interface Mutant {
  /** Relative to the clone's top folder. */
  file: string;
  /** Half-open range of the text (UTF-16 units) that `replacement` replaces. */
  start: number;
  end: number;
  replacement: string;
  /** Description of the change for the report. */
  operator: string;
  /** Starts at 1. */
  line: number;
  /** The innermost enclosing function, numbered from 1 in text order; 0 at the top level. */
  within: number;
  /** That function's key in the coverage data. */
  key: string;
}

/** A function and the position of its body. */
interface Body {
  /** Key in the coverage data, made of file and text, so that it is stable while the function is unchanged. */
  key: string;
  /** Starts at 1, in text order. */
  ordinal: number;
  /** Start and end of the body's text. */
  body: [number, number];
  /** True for an arrow function without braces, into which no statement can be inserted. */
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

/** Calls whose removal leaves a value unprocessed: a name as typed, a list unsorted, unfiltered or uncut. */
const SHAPING = new Set([
  ...['toLowerCase', 'toUpperCase', 'trim', 'normalize', 'toWellFormed', 'sort', 'toSorted', 'reverse', 'toReversed'],
  ...['filter', 'slice', 'where', 'orderBy', 'limit', 'catch', 'onConflictDoNothing'],
]);

/** Drizzle's functions that combine query conditions. */
const JOINING = new Set(['and', 'or']);

/** The quotes of the text are not part of the query. */
const sqlChanges = (text: string, node: SyntaxNode): Change[] =>
  sqlChangesOf(text.slice(node.start + 1, node.end - 1)).map(({ start, end, ...change }) => ({
    ...change,
    start: node.start + 1 + start,
    end: node.start + 1 + end,
  }));

/** Returns the called function's or method's name. */
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
    // In `found ?? null`, undefined is equivalent.
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

/**
 * Returns whether a statement is `throw new Error(…)`, which marks an impossible state rather than an answer to a
 * caller.
 */
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

/** Numbers below this change by one, others are doubled, because one more makes no difference to them. */
const LARGE = 1000;
/** Factor of memory limits, which are estimates that no test checks. */
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

/** Parses a TypeScript file. Throws if it is invalid. */
function treeOf(file: string, text: string): SyntaxNode {
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  return program as unknown as SyntaxNode;
}

const isType = ({ type }: SyntaxNode): boolean => type.startsWith('TS') && !/^TS(As|Satisfies|NonNull)/.test(type);

/** `.limit(1)` is not changed, because code that takes the first row works with more rows too. */
const isFirstOnly = (node: SyntaxNode, child: SyntaxNode): boolean =>
  child.value === 1 && node.type === 'CallExpression' && calledName(node) === 'limit';

/** Returns whether a node is part of a size like `36 * 1024 * 1024`. */
const isFactorOfBytes = (node: SyntaxNode, child: SyntaxNode): boolean =>
  node.type === 'BinaryExpression' &&
  node.operator === '*' &&
  [node.right, (node.left as SyntaxNode).right].some((side) => (side as SyntaxNode | undefined)?.value === KIBI) &&
  child.type !== 'CallExpression';

/** Returns all mutants of a file, in text order. */
export function mutantsOf(file: string, text: string): Mutant[] {
  const found: Mutant[] = [];
  const keys = new Map(bodiesOf(file, text).map(({ ordinal, key }) => [ordinal, key]));
  let functions = 0;
  const visit = (node: SyntaxNode, within: number): void => {
    // Types have no effect, imports are covered by the type check, and numeric object keys are not numbers.
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

/** Builds a mutant from the text it replaces. Throws unless that text occurs exactly once. */
export function ownMutant(file: string, text: string, was: string, replacement: string): Mutant {
  const start = text.indexOf(was);
  if (start < 0 || text.includes(was, start + 1)) throw new Error(`${file}: not there once: ${was}`);
  const around = bodiesOf(file, text).filter(({ body: [from, to] }) => from <= start && start < to);
  const within = around.at(-1)?.ordinal ?? 0;
  const key = around.at(-1)?.key ?? topOf(file);
  const line = text.slice(0, start).split('\n').length;
  return { file, start, end: start + was.length, replacement, operator: 'own', line, within, key };
}

/** Returns the coverage key of a file's top-level code. */
export const topOf = (file: string): string => `${file}#`;

/** Returns the functions of a file, for coverage. */
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
