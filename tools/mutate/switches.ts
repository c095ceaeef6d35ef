import { childrenOf, isType, type Mutant, type SyntaxNode, treeOf } from './mutants.ts';

/** Combines many mutants in one text, each behind a switch: `globalThis.__bent(id)` is true for the active one. */

export interface Switched extends Mutant {
  id: number;
}

/** Parts of each node that may be wrapped in a conditional expression. */
const PLACES: Readonly<Record<string, readonly string[]>> = {
  CallExpression: ['arguments'],
  NewExpression: ['arguments'],
  VariableDeclarator: ['init'],
  ReturnStatement: ['argument'],
  ThrowStatement: ['argument'],
  ArrowFunctionExpression: ['body'],
  ConditionalExpression: ['test', 'consequent', 'alternate'],
  LogicalExpression: ['left', 'right'],
  BinaryExpression: ['left', 'right'],
  AssignmentExpression: ['right'],
  AssignmentPattern: ['right'],
  ArrayExpression: ['elements'],
  Property: ['value'],
  SpreadElement: ['argument'],
  AwaitExpression: ['argument'],
  ParenthesizedExpression: ['expression'],
  TemplateLiteral: ['expressions'],
  IfStatement: ['test'],
  WhileStatement: ['test'],
  ForStatement: ['test'],
  ForOfStatement: ['right'],
  PropertyDefinition: ['value'],
};
const STATEMENTS = new Set(['ExpressionStatement', 'ThrowStatement', 'TryStatement']);
/** Spreads, blocks and patterns are not values. */
const NO_VALUES = new Set(['SpreadElement', 'BlockStatement', 'AssignmentPattern', 'ObjectPattern', 'ArrayPattern']);

interface Place {
  start: number;
  end: number;
  isStatement: boolean;
  mutants: Switched[];
  inner: Place[];
}

const nameOf = (parent: SyntaxNode, node: SyntaxNode): string | undefined =>
  Object.entries(parent).find(([, value]) => value === node || (Array.isArray(value) && value.includes(node)))?.[0];

function isPlace(parent: SyntaxNode, node: SyntaxNode): boolean {
  if (STATEMENTS.has(node.type)) return true;
  if (parent.type === 'Property' && (parent.shorthand === true || parent.kind !== 'init' || parent.method === true))
    return false;
  const name = nameOf(parent, node);
  return name !== undefined && (PLACES[parent.type] ?? []).includes(name) && !NO_VALUES.has(node.type);
}

/** Returns the places of a text where its mutants can be switched, and the mutants without one. */
function placesOf(file: string, text: string, mutants: readonly Switched[]): { top: Place[]; left: Switched[] } {
  const all: Place[] = [];
  const visit = (node: SyntaxNode, parent: SyntaxNode | null, pattern: boolean): void => {
    if (isType(node) || node.type === 'ImportDeclaration') return;
    const inPattern = pattern || node.type === 'ObjectPattern' || node.type === 'ArrayPattern';
    if (parent && !(inPattern && parent.type !== 'AssignmentPattern') && isPlace(parent, node))
      all.push({ start: node.start, end: node.end, isStatement: STATEMENTS.has(node.type), mutants: [], inner: [] });
    const within = node.type === 'AssignmentPattern' ? false : inPattern;
    for (const child of childrenOf(node)) visit(child, node, within);
  };
  visit(treeOf(file, text), null, false);
  const left: Switched[] = [];
  for (const mutant of mutants) {
    const around = all.filter(({ start, end }) => start <= mutant.start && mutant.end <= end);
    const place = around.sort((one, other) => one.end - one.start - (other.end - other.start))[0];
    if (place && mutant.within > 0) place.mutants.push(mutant);
    else left.push(mutant);
  }
  const used = all.filter((place) => place.mutants.length > 0).sort((a, b) => a.start - b.start || b.end - a.end);
  const top: Place[] = [];
  const open: Place[] = [];
  for (const place of used) {
    while (open.length > 0 && (open.at(-1) as Place).end < place.end) open.pop();
    while (open.length > 0 && (open.at(-1) as Place).end <= place.start) open.pop();
    (open.at(-1)?.inner ?? top).push(place);
    open.push(place);
  }
  return { top, left };
}

function written(text: string, from: number, to: number, places: readonly Place[]): string {
  let [code, at] = ['', from];
  for (const place of places) {
    code += text.slice(at, place.start) + switched(text, place);
    at = place.end;
  }
  return code + text.slice(at, to);
}

function switched(text: string, { start, end, isStatement, mutants, inner }: Place): string {
  const whole = written(text, start, end, inner);
  const bent = ({ start: from, end: to, replacement }: Switched) =>
    text.slice(start, from) + replacement + text.slice(to, end);
  const test = ({ id }: Switched) => `globalThis.__bent?.(${id})`;
  if (isStatement) return `{${mutants.map((each) => `if (${test(each)}) {${bent(each)}} else `).join('')}{${whole}}}`;
  return `(${mutants.map((each) => `${test(each)} ? (${bent(each)}) : `).join('')}(${whole}))`;
}

/** Returns the text with a switch for each possible mutant, and the remaining mutants. */
export function withSwitches(
  file: string,
  text: string,
  mutants: readonly Switched[],
): { code: string; left: Switched[] } {
  const { top, left } = placesOf(file, text, mutants);
  return { code: written(text, 0, text.length, top), left };
}
